/// Where one stage takes what it leaves alone: the sections and rows that it only shifts.
struct StageMap {
  private var sections: LineMap
  private var rows: [Int: LineMap] = [:]

  /// Reads the operations of a stage that keeps the laws.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ stage: Stage) {
    var lines = Lines()
    for op in stage.ops { lines.add(op) }
    sections = LineMap(removed: lines.removedSections, placed: lines.placedSections)
    for (section, ranges) in lines.removedRows {
      rows[self.section(section), default: LineMap()].remove(ranges)
    }
    for (section, ranges) in lines.placedRows {
      rows[section, default: LineMap()].place(ranges)
    }
  }

  /// Where a section is after the stage, which does not delete or move it.
  func section(_ index: Int) -> Int { sections.map(index) }

  /// Where a row is after the stage, which does not delete or move it or its section.
  func path(_ path: Path) -> Path {
    let section = section(path.section)
    if rows.isEmpty { return Path(section: section, row: path.row) }
    return Path(section: section, row: rows[section]?.map(path.row) ?? path.row)
  }

  /// What a stage takes from and puts where.
  private struct Lines {
    var removedSections: [Range<Int>] = []
    var placedSections: [Range<Int>] = []
    var removedRows: [Int: [Range<Int>]] = [:]
    var placedRows: [Int: [Range<Int>]] = [:]

    mutating func add(_ op: Op) {
      switch op {
      case .deleteSections(let at, let count): removedSections.append(at..<at + count)
      case .insertSections(let at, let count): placedSections.append(at..<at + count)
      case .moveSections(let from, let to, let count):
        removedSections.append(from..<from + count)
        placedSections.append(to..<to + count)
      case .deleteItems(let at, let count):
        removedRows[at.section, default: []].append(at.row..<at.row + count)
      case .insertItems(let at, let count):
        placedRows[at.section, default: []].append(at.row..<at.row + count)
      case .moveItems(let from, let to, let count):
        removedRows[from.section, default: []].append(from.row..<from.row + count)
        placedRows[to.section, default: []].append(to.row..<to.row + count)
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
  }
}

/// A line of things from which ranges are taken and into which others are put.
struct LineMap {
  /// The first thing after each range taken, and how many were taken up to there.
  private var ends: [Int] = []
  private var taken: [Int] = []
  /// How many of the staying things are before each range put in, and how many were put in with it.
  private var anchors: [Int] = []
  private var put: [Int] = []

  init() {}

  init(removed: [Range<Int>], placed: [Range<Int>]) {
    remove(removed)
    place(placed)
  }

  mutating func remove(_ ranges: [Range<Int>]) {
    var sum = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      sum += range.count
      ends.append(range.upperBound)
      taken.append(sum)
    }
  }

  mutating func place(_ ranges: [Range<Int>]) {
    var sum = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      anchors.append(range.lowerBound - sum)
      sum += range.count
      put.append(sum)
    }
  }

  /// How many things that stay are before the one at `index`.
  func stayingBefore(_ index: Int) -> Int {
    let before = ends.partition { $0 > index }
    return index - (before == 0 ? 0 : taken[before - 1])
  }

  /// Where the thing at `index`, which stays, is in the end.
  func map(_ index: Int) -> Int {
    let rank = stayingBefore(index)
    let before = anchors.partition { $0 > rank }
    return rank + (before == 0 ? 0 : put[before - 1])
  }
}

extension [Int] {
  /// The index of the first element of which `isBeyond` is true, as it then is of all after it.
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
