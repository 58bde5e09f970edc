/// Maps the sections and rows that a stage only shifts to their paths after it.
struct StageMap {
  private var sections: ShiftMap
  private var rows: [Int: ShiftMap] = [:]

  /// Reads the operations of a valid stage.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ stage: Stage) {
    var ranges = Ranges()
    for op in stage.ops { ranges.add(op) }
    sections = ShiftMap(removed: ranges.removedSections, inserted: ranges.insertedSections)
    for (section, ranges) in ranges.removedRows {
      rows[self.section(section), default: ShiftMap()].remove(ranges)
    }
    for (section, ranges) in ranges.insertedRows {
      rows[section, default: ShiftMap()].insert(ranges)
    }
  }

  /// Returns the index after the stage of a section that the stage does not delete or move.
  func section(_ index: Int) -> Int { sections.map(index) }

  /// Returns the path after the stage of a row that the stage does not delete or move, nor its
  /// section.
  func path(_ path: Path) -> Path {
    let section = section(path.section)
    if rows.isEmpty { return Path(section: section, row: path.row) }
    return Path(section: section, row: rows[section]?.map(path.row) ?? path.row)
  }

  /// The ranges that a stage removes, and those that it inserts, by section.
  private struct Ranges {
    var removedSections: [Range<Int>] = []
    var insertedSections: [Range<Int>] = []
    var removedRows: [Int: [Range<Int>]] = [:]
    var insertedRows: [Int: [Range<Int>]] = [:]

    mutating func add(_ op: Op) {
      switch op {
      case .deleteSections(let at, let count): removedSections.append(at..<at + count)
      case .insertSections(let at, let count): insertedSections.append(at..<at + count)
      case .moveSections(let from, let to, let count):
        removedSections.append(from..<from + count)
        insertedSections.append(to..<to + count)
      case .deleteItems(let at, let count):
        removedRows[at.section, default: []].append(at.row..<at.row + count)
      case .insertItems(let at, let count):
        insertedRows[at.section, default: []].append(at.row..<at.row + count)
      case .moveItems(let from, let to, let count):
        removedRows[from.section, default: []].append(from.row..<from.row + count)
        insertedRows[to.section, default: []].append(to.row..<to.row + count)
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
  }
}

/// Maps indices of a sequence from which ranges are removed and into which others are inserted.
struct ShiftMap {
  /// The end of each removed range, and the number of elements removed up to there.
  private var ends: [Int] = []
  private var removedSums: [Int] = []
  /// The number of remaining elements before each inserted range, and the number of elements
  /// inserted up to its end.
  private var anchors: [Int] = []
  private var insertedSums: [Int] = []

  init() {}

  init(removed: [Range<Int>], inserted: [Range<Int>]) {
    remove(removed)
    insert(inserted)
  }

  mutating func remove(_ ranges: [Range<Int>]) {
    var sum = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      sum += range.count
      ends.append(range.upperBound)
      removedSums.append(sum)
    }
  }

  mutating func insert(_ ranges: [Range<Int>]) {
    var sum = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      anchors.append(range.lowerBound - sum)
      sum += range.count
      insertedSums.append(sum)
    }
  }

  /// Returns the number of remaining elements before the one at `index`.
  func remainingBefore(_ index: Int) -> Int {
    let before = ends.partition { $0 > index }
    return index - (before == 0 ? 0 : removedSums[before - 1])
  }

  /// Returns the final index of the element at `index`, which is not removed.
  func map(_ index: Int) -> Int {
    let rank = remainingBefore(index)
    let before = anchors.partition { $0 > rank }
    return rank + (before == 0 ? 0 : insertedSums[before - 1])
  }
}

extension [Int] {
  /// Returns the index of the first element for which `isBeyond` is true. It must be true for all
  /// elements after that one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func partition(in range: Range<Int>? = nil, _ isBeyond: (Int) -> Bool) -> Int {
    var low = range?.lowerBound ?? 0
    var high = range?.upperBound ?? count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
