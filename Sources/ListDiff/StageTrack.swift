/// Where one stage takes each section and row.
struct StageTrack {
  var sections = LineTrack<Int>()
  private var rows: [Int: LineTrack<ListPath>] = [:]

  /// Reads the operations of a stage that keeps the laws.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ stage: Changes.Stage) {
    var placedSections: [Range<Int>] = []
    var backSections = LineTrack<Int>()
    var placedRows: [Int: [Range<Int>]] = [:]
    var takenRows: [Int: [(rows: Range<Int>, target: ListPath?)]] = [:]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): sections.taken.append((at..<at + count, nil))
      case .insertSections(let at, let count):
        placedSections.append(at..<at + count)
        backSections.taken.append((at..<at + count, nil))
      case .moveSections(let from, let to, let count):
        sections.taken.append((from..<from + count, to))
        placedSections.append(to..<to + count)
        backSections.taken.append((to..<to + count, from))
      case .deleteItems(let at, let count):
        takenRows[at.section, default: []].append((at.row..<at.row + count, nil))
      case .insertItems(let at, let count):
        placedRows[at.section, default: []].append(at.row..<at.row + count)
      case .moveItems(let from, let to, let count):
        takenRows[from.section, default: []].append((from.row..<from.row + count, to))
        placedRows[to.section, default: []].append(to.row..<to.row + count)
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
    let takenSections = sections.taken.map(\.range)
    sections.finish(placed: placedSections)
    backSections.finish(placed: takenSections)
    for (section, taken) in takenRows {
      let placed = sections.target(of: section).flatMap { placedRows[$0] }
      rows[section] = LineTrack(taken: taken.map { ($0.rows, $0.target) }, placed: placed ?? [])
    }
    for (section, placed) in placedRows {
      guard let before = backSections.target(of: section), rows[before] == nil else { continue }
      rows[before] = LineTrack(taken: [], placed: placed)
    }
  }

  /// Where a row is after the stage; `nil` if it is deleted.
  func path(_ path: ListPath) -> ListPath? {
    if let track = rows[path.section], let (offset, target) = track.taken(path.row) {
      return target?.advanced(by: offset)
    }
    guard let section = sections.target(of: path.section) else { return nil }
    return ListPath(section: section, row: rows[path.section]?.shift(path.row) ?? path.row)
  }
}

/// A line of things from which ranges are taken, for good or to be put elsewhere.
struct LineTrack<Target> {
  /// What is taken, in order, and where its first thing goes.
  var taken: [(range: Range<Int>, target: Target?)] = []
  private var map = LineMap()

  init() {}

  init(taken: [(range: Range<Int>, target: Target?)], placed: [Range<Int>]) {
    self.taken = taken
    finish(placed: placed)
  }

  mutating func finish(placed: [Range<Int>]) {
    taken.sort { $0.range.lowerBound < $1.range.lowerBound }
    map = LineMap(removed: taken.map(\.range), placed: placed)
  }

  /// Which range takes a thing, as the offset in it and where it goes.
  func taken(_ index: Int) -> (offset: Int, target: Target?)? {
    var low = 0
    var high = taken.count
    while low < high {
      let middle = (low + high) / 2
      if taken[middle].range.upperBound <= index { low = middle + 1 } else { high = middle }
    }
    guard low < taken.count, taken[low].range.contains(index) else { return nil }
    return (index - taken[low].range.lowerBound, taken[low].target)
  }

  /// Where a thing is that is not taken.
  func shift(_ index: Int) -> Int { map.map(index) }
}

extension LineTrack<Int> {
  /// Where a thing is in the end; `nil` if it is taken for good.
  func target(of index: Int) -> Int? {
    guard let (offset, target) = taken(index) else { return shift(index) }
    return target.map { $0 + offset }
  }
}

extension LineTrack: Sendable where Target: Sendable {}
