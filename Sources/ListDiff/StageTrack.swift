/// Maps all sections and rows of the list before a stage to the list after it.
struct StageTrack {
  var sections = MoveMap<Int>()
  private var rows: [Int: MoveMap<ListPath>] = [:]

  /// Reads the operations of a valid stage.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of operations.
  init(_ stage: Changes.Stage) {
    var insertedSections: [Range<Int>] = []
    var inverseSections = MoveMap<Int>()
    var insertedRows: [Int: [Range<Int>]] = [:]
    var takenRows: [Int: [(rows: Range<Int>, target: ListPath?)]] = [:]
    for op in stage.ops {
      switch op {
      case .deleteSections(let at, let count): sections.taken.append((at..<at + count, nil))
      case .insertSections(let at, let count):
        insertedSections.append(at..<at + count)
        inverseSections.taken.append((at..<at + count, nil))
      case .moveSections(let from, let to, let count):
        sections.taken.append((from..<from + count, to))
        insertedSections.append(to..<to + count)
        inverseSections.taken.append((to..<to + count, from))
      case .deleteItems(let at, let count):
        takenRows[at.section, default: []].append((at.row..<at.row + count, nil))
      case .insertItems(let at, let count):
        insertedRows[at.section, default: []].append(at.row..<at.row + count)
      case .moveItems(let from, let to, let count):
        takenRows[from.section, default: []].append((from.row..<from.row + count, to))
        insertedRows[to.section, default: []].append(to.row..<to.row + count)
      case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
      }
    }
    let takenSections = sections.taken.map(\.range)
    sections.finish(inserted: insertedSections)
    inverseSections.finish(inserted: takenSections)
    for (section, taken) in takenRows {
      let inserted = sections.target(of: section).flatMap { insertedRows[$0] }
      rows[section] = MoveMap(taken: taken.map { ($0.rows, $0.target) }, inserted: inserted ?? [])
    }
    for (section, inserted) in insertedRows {
      guard let before = inverseSections.target(of: section), rows[before] == nil else { continue }
      rows[before] = MoveMap(taken: [], inserted: inserted)
    }
  }

  /// Returns the path of a row after the stage, or `nil` if it is deleted.
  func path(_ path: ListPath) -> ListPath? {
    if let track = rows[path.section], let (offset, target) = track.taken(path.row) {
      return target?.advanced(by: offset)
    }
    guard let section = sections.target(of: path.section) else { return nil }
    return ListPath(section: section, row: rows[path.section]?.shift(path.row) ?? path.row)
  }
}

/// Maps indices of a sequence from which ranges are deleted, or moved to a target.
struct MoveMap<Target> {
  /// The removed ranges in order, each with the target of its first element, or `nil` if it is
  /// deleted.
  var taken: [(range: Range<Int>, target: Target?)] = []
  private var map = ShiftMap()

  init() {}

  init(taken: [(range: Range<Int>, target: Target?)], inserted: [Range<Int>]) {
    self.taken = taken
    finish(inserted: inserted)
  }

  mutating func finish(inserted: [Range<Int>]) {
    taken.sort { $0.range.lowerBound < $1.range.lowerBound }
    map = ShiftMap(removed: taken.map(\.range), inserted: inserted)
  }

  /// Returns the removed range that contains an index, as the offset in it and its target.
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

  /// Returns the final index of an element that is not removed.
  func shift(_ index: Int) -> Int { map.map(index) }
}

extension MoveMap<Int> {
  /// Returns the final index of an element, or `nil` if it is deleted.
  func target(of index: Int) -> Int? {
    guard let (offset, target) = taken(index) else { return shift(index) }
    return target.map { $0 + offset }
  }
}

extension MoveMap: Sendable where Target: Sendable {}
