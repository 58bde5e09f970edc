/// The sections and rows of the list between two stages, as tokens.
///
/// The token of a section or row of the old list is its index there. The token of an inserted one
/// is the complement `~` of a number, assigned in the order of insertion.
@usableFromInline
struct ListLayout {
  @usableFromInline
  struct Section {
    @usableFromInline var token: Int32
    @usableFromInline var rows: [Int32]
  }

  @usableFromInline var sections: [Section] = []
  private var insertedCount: Int32 = 0

  /// Creates the layout of the old list.
  init(shape: [Int]) {
    var next: Int32 = 0
    for (index, count) in shape.enumerated() {
      let end = next + Int32(count)
      sections.append(
        Section(token: Int32(truncatingIfNeeded: index), rows: Array(next..<end)))
      next = end
    }
  }

  /// Returns the layouts before the first stage and after each structural stage.
  static func all(_ changes: Changes) -> [ListLayout] {
    var result = [ListLayout(shape: changes.oldShape)]
    for stage in changes.stages where !stage.ops.allSatisfy(\.isOfContents) {
      result.append(result[result.count - 1].after(stage))
    }
    return result
  }

  /// Returns the layout after a valid stage.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and *k* of operations.
  func after(_ stage: Stage) -> ListLayout {
    var result = self
    var removed = Set<Int>()
    var inserted: [(index: Int, section: Section)] = []
    var rows: [(path: Path, tokens: [Int32])] = []
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): removed.formUnion(at..<at + count)
      case .insertSections(let at, let count):
        for index in at..<at + count {
          let token = result.newTokens(1)[0]
          let rows = result.newTokens(counts.removeFirst())
          inserted.append((index, Section(token: token, rows: rows)))
        }
      case .moveSections(let from, let to, let count):
        removed.formUnion(from..<from + count)
        for offset in 0..<count { inserted.append((to + offset, sections[from + offset])) }
      case .deleteItems(let at, let count): _ = result.take(at, count)
      case .insertItems(let at, let count): rows.append((at, result.newTokens(count)))
      case .moveItems(let from, let to, let count):
        rows.append((to, result.take(from, count)))
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
    result.replaceSections(removed: removed, inserted: inserted)
    result.insertRows(rows)
    return result
  }

  private mutating func newTokens(_ count: Int) -> [Int32] {
    let end = insertedCount + Int32(truncatingIfNeeded: count)
    defer { insertedCount = end }
    return (insertedCount..<end).map { ~$0 }
  }

  private static let taken = Int32.max

  private mutating func take(_ at: Path, _ count: Int) -> [Int32] {
    let range = at.row..<at.row + count
    let tokens = Array(sections[at.section].rows[range])
    for row in range { sections[at.section].rows[row] = Self.taken }
    return tokens
  }

  private mutating func replaceSections(
    removed: Set<Int>, inserted: [(index: Int, section: Section)]
  ) {
    if removed.isEmpty, inserted.isEmpty { return }
    var staying = sections.indices.lazy.filter { !removed.contains($0) }.makeIterator()
    var next = inserted.sorted { $0.index < $1.index }[...]
    var result: [Section] = []
    for index in 0..<sections.count - removed.count + inserted.count {
      if let first = next.first, first.index == index {
        result.append(first.section)
        next.removeFirst()
      } else if let index = staying.next() {
        result.append(sections[index])
      }
    }
    sections = result
  }

  private mutating func insertRows(_ rows: [(path: Path, tokens: [Int32])]) {
    var next = rows.sorted { $0.path < $1.path }[...]
    for index in sections.indices {
      let old = sections[index].rows
      guard next.first?.path.section == index || old.contains(Self.taken) else { continue }
      var staying = old[...]
      var result: [Int32] = []
      while let first = next.first, first.path.section == index {
        while result.count < first.path.row, let token = staying.popFirst() {
          if token != Self.taken { result.append(token) }
        }
        result += first.tokens
        next.removeFirst()
      }
      result += staying.lazy.filter { $0 != Self.taken }
      sections[index].rows = result
    }
  }

  /// By number of an inserted section or row, its index in the new list. Call it on the last
  /// layout.
  @usableFromInline
  var newIndices: [Int32] {
    var result = [Int32](repeating: -1, count: Int(insertedCount))
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
