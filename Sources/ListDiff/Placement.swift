/// Which sections and rows stand where between two stages.
///
/// What was in the old list is its index there; what has come is the complement `~` of a number, given
/// in the order of coming.
@usableFromInline
struct Placement {
  @usableFromInline
  struct Section {
    @usableFromInline var token: Int32
    @usableFromInline var rows: [Int32]
  }

  @usableFromInline var sections: [Section] = []
  private var comers: Int32 = 0

  /// The old list itself.
  init(shape: [Int]) {
    var next: Int32 = 0
    for (index, count) in shape.enumerated() {
      let end = next + Int32(count)
      sections.append(
        Section(token: Int32(truncatingIfNeeded: index), rows: Array(next..<end)))
      next = end
    }
  }

  /// The placements before the first stage and after each that changes the structure.
  static func all(_ changes: Changes) -> [Placement] {
    var result = [Placement(shape: changes.oldShape)]
    for stage in changes.stages where !stage.ops.allSatisfy(\.isOfContents) {
      result.append(result[result.count - 1].after(stage))
    }
    return result
  }

  /// The placement after a stage that keeps the laws.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and *k* of operations.
  func after(_ stage: Stage) -> Placement {
    var result = self
    var gone = Set<Int>()
    var placed: [(place: Int, section: Section)] = []
    var rows: [(place: Path, tokens: [Int32])] = []
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): gone.formUnion(at..<at + count)
      case .insertSections(let at, let count):
        for place in at..<at + count {
          let token = result.newTokens(1)[0]
          let rows = result.newTokens(counts.removeFirst())
          placed.append((place, Section(token: token, rows: rows)))
        }
      case .moveSections(let from, let to, let count):
        gone.formUnion(from..<from + count)
        for offset in 0..<count { placed.append((to + offset, sections[from + offset])) }
      case .deleteItems(let at, let count): _ = result.take(at, count)
      case .insertItems(let at, let count): rows.append((at, result.newTokens(count)))
      case .moveItems(let from, let to, let count):
        rows.append((to, result.take(from, count)))
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
    result.arrange(without: gone, placed)
    result.fill(rows)
    return result
  }

  private mutating func newTokens(_ count: Int) -> [Int32] {
    let end = comers + Int32(truncatingIfNeeded: count)
    defer { comers = end }
    return (comers..<end).map { ~$0 }
  }

  private static let taken = Int32.max

  private mutating func take(_ at: Path, _ count: Int) -> [Int32] {
    let range = at.row..<at.row + count
    let tokens = Array(sections[at.section].rows[range])
    for row in range { sections[at.section].rows[row] = Self.taken }
    return tokens
  }

  private mutating func arrange(
    without gone: Set<Int>, _ placed: [(place: Int, section: Section)]
  ) {
    if gone.isEmpty, placed.isEmpty { return }
    var staying = sections.indices.lazy.filter { !gone.contains($0) }.makeIterator()
    let placed = placed.sorted { $0.place < $1.place }
    var next = placed[...]
    var result: [Section] = []
    for place in 0..<sections.count - gone.count + placed.count {
      if let first = next.first, first.place == place {
        result.append(first.section)
        next.removeFirst()
      } else if let index = staying.next() {
        result.append(sections[index])
      }
    }
    sections = result
  }

  private mutating func fill(_ rows: [(place: Path, tokens: [Int32])]) {
    let rows = rows.sorted { $0.place < $1.place }
    var next = rows[...]
    for index in sections.indices {
      let old = sections[index].rows
      guard next.first?.place.section == index || old.contains(Self.taken) else { continue }
      var staying = old[...]
      var result: [Int32] = []
      while let first = next.first, first.place.section == index {
        while result.count < first.place.row, let token = staying.popFirst() {
          if token != Self.taken { result.append(token) }
        }
        result += first.tokens
        next.removeFirst()
      }
      result += staying.lazy.filter { $0 != Self.taken }
      sections[index].rows = result
    }
  }

  /// By number of comer: the section, and row, that it is in the new list, given the last placement.
  @usableFromInline
  var newIndices: [Int32] {
    var result = [Int32](repeating: -1, count: Int(comers))
    var row: Int32 = 0
    for (index, section) in sections.enumerated() {
      if section.token < 0 { result[Int(~section.token)] = Int32(truncatingIfNeeded: index) }
      for token in section.rows {
        if token < 0 { result[Int(~token)] = row }
        row += 1
      }
    }
    return result
  }
}
