/// The number of rows that each row of a shortened list stands for, from one stage to the next.
///
/// If rows of a list stand for several rows, a change is computed on the short list and expanded to
/// the long one. An inserted row stands for itself.
package struct RowLengths {
  private var sections: [[Int32]]

  /// Creates the lengths of the old rows, by section.
  package init(_ sections: [[Int32]]) { self.sections = sections }

  /// Expands a stage of the short list to the long list, and advances to the state after it.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and sections of the short
  ///   list and *k* of operations.
  package mutating func expand(_ stage: Stage) -> Stage {
    var before = Starts(sections)
    advance(by: stage)
    var after = Starts(sections)
    var result = stage
    result.ops = stage.ops.map { op in
      switch op {
      case .deleteItems(let at, let count):
        let (at, count) = before.expanded(at, count)
        return .deleteItems(at: at, count: count)
      case .insertItems(let at, let count):
        return .insertItems(at: after.expanded(at, 0).0, count: count)
      case .moveItems(let from, let to, let count):
        let (from, length) = before.expanded(from, count)
        return .moveItems(from: from, to: after.expanded(to, 0).0, count: length)
      case .reloadItems(let at, let count):
        let (at, count) = after.expanded(at, count)
        return .reloadItems(at: at, count: count)
      case .reconfigureItems(let at, let count):
        let (at, count) = after.expanded(at, count)
        return .reconfigureItems(at: at, count: count)
      default: return op
      }
    }
    return result
  }

  /// By section, computed on demand, the index of each row in the long list.
  private struct Starts {
    /// The number of rows up to which they are added up each time.
    private static let short = 16

    private let lengths: [[Int32]]
    private var sumsBySection: [Int: [Int]] = [:]

    init(_ lengths: [[Int32]]) { self.lengths = lengths }

    mutating func expanded(_ path: Path, _ count: Int) -> (Path, Int) {
      let start = start(ofRow: path.row, in: path.section)
      return (
        Path(section: path.section, row: start),
        self.start(ofRow: path.row + count, in: path.section) - start
      )
    }

    private mutating func start(ofRow row: Int, in section: Int) -> Int {
      if lengths[section].count <= Self.short {
        return lengths[section][..<row].reduce(0) { $0 + Int($1) }
      }
      if let sums = sumsBySection[section] { return sums[row] }
      var sums = [0]
      for length in lengths[section] { sums.append(sums[sums.count - 1] + Int(length)) }
      sumsBySection[section] = sums
      return sums[row]
    }
  }

  private mutating func advance(by stage: Stage) {
    var left = Set<Int>()
    var placed: [Int: [Int32]] = [:]
    var removedRows: [Int: Set<Int>] = [:]
    var incoming: [Int: [(row: Int, length: Int32)]] = [:]
    var counts = stage.insertedRowCounts[...]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): left.formUnion(at..<at + count)
      case .insertSections(let at, let count):
        for index in at..<at + count {
          placed[index] = Array(repeating: 1, count: counts.removeFirst())
        }
      case .moveSections(let from, let to, let count):
        left.formUnion(from..<from + count)
        for offset in 0..<count { placed[to + offset] = sections[from + offset] }
      case .deleteItems(let at, let count):
        removedRows[at.section, default: []].formUnion(at.row..<at.row + count)
      case .insertItems(let at, let count):
        for row in at.row..<at.row + count { incoming[at.section, default: []].append((row, 1)) }
      case .moveItems(let from, let to, let count):
        removedRows[from.section, default: []].formUnion(from.row..<from.row + count)
        for offset in 0..<count {
          incoming[to.section, default: []].append(
            (to.row + offset, sections[from.section][from.row + offset]))
        }
      default: break
      }
    }
    for (section, rows) in removedRows {
      sections[section] = sections[section].indices.filter { !rows.contains($0) }
        .map { sections[section][$0] }
    }
    if !left.isEmpty || !placed.isEmpty {
      var survivors = sections.indices.lazy.filter { !left.contains($0) }.makeIterator()
      sections = (0..<sections.count - left.count + placed.count).map { index in
        placed[index] ?? sections[survivors.next()!]
      }
    }
    for (section, rows) in incoming { insert(rows.sorted { $0.row < $1.row }, into: section) }
  }

  private mutating func insert(_ rows: [(row: Int, length: Int32)], into section: Int) {
    var rest = sections[section][...]
    var merged: [Int32] = []
    for (row, length) in rows {
      let more = row - merged.count
      merged += rest.prefix(more)
      rest = rest.dropFirst(more)
      merged.append(length)
    }
    sections[section] = merged + rest
  }
}
