import ListDiff
import ListStages

/// The change between two lists, checked against its invariants with simple algorithms.
struct ChangeInvariants {
  var stages: [Stage]
  var rowCounts: Counts
  var sectionCounts: Counts
  var matching: Matching
  var movement: Movement

  /// Computes the change. Throws if it violates an invariant.
  init(
    _ old: ReferenceList, _ new: ReferenceList, using engine: inout DiffEngine
  ) throws(InvariantViolation) {
    let before = old.arrangement
    let after = new.arrangement
    engine.match(before, after, universe: 2000)
    engine.findMoves(oldStarts: before.starts, newStarts: after.starts)
    stages = engine.structuralStages(oldStarts: before.starts, newStarts: after.starts)
    let oldRows = old.rows
    let newRows = new.rows
    let contents = engine.contentStage(newStarts: after.starts) {
      old.sections[$0].header == new.sections[$1].header ? .none : .reconfigure
    } row: {
      oldRows[$0] == newRows[$1] ? .none : .reconfigure
    }
    if !contents.ops.isEmpty { stages.append(contents) }
    matching = engine.matching
    movement = engine.movement
    rowCounts = engine.movement.rowCounts
    sectionCounts = engine.movement.sectionCounts
    try checkReplay(old, new)
    try checkMatching(old, new)
    try checkLeast(old, new)
    try checkOrder()
    try checkStages(old, new)
    try checkRepeats(old, new)
    try checkWithoutMoves(old, new)
  }

  private func checkReplay(_ old: ReferenceList, _ new: ReferenceList) throws(InvariantViolation) {
    var list = old
    for stage in stages { list = try list.applying(stage, target: new) }
    guard list.sections.map(\.rows.count) == new.sections.map(\.rows.count) else {
      throw InvariantViolation("replay gives \(list)")
    }
    // Inserted rows and sections get their content from the target, but kept ones must not.
    let oldIDs = Set(old.sections.map(\.id))
    for (section, target) in zip(list.sections, new.sections) {
      if section.id == -1 {
        guard !oldIDs.contains(target.id) else {
          throw InvariantViolation("section \(target.id) was inserted again")
        }
      } else if section.id != target.id || section.header != target.header {
        throw InvariantViolation("replay gives \(list)")
      }
      for (row, wanted) in zip(section.rows, target.rows) where row.id != -1 && row != wanted {
        throw InvariantViolation("replay gives \(list)")
      }
    }
  }

  private func checkMatching(_ old: ReferenceList, _ new: ReferenceList) throws(InvariantViolation)
  {
    let oldRows = old.rows
    let newRows = new.rows
    var kept: [Int: Int] = [:]
    for (row, partner) in matching.rowsToNew.enumerated() where partner >= 0 {
      guard oldRows[row].id == newRows[Int(partner)].id,
        matching.rowsToOld[Int(partner)] == Int32(row)
      else { throw InvariantViolation("row \(row) is paired with another") }
      kept[oldRows[row].id, default: 0] += 1
    }
    let before = Dictionary(grouping: oldRows, by: \.id).mapValues(\.count)
    let after = Dictionary(grouping: newRows, by: \.id).mapValues(\.count)
    for (id, count) in before where kept[id, default: 0] != min(count, after[id, default: 0]) {
      throw InvariantViolation("row \(id) is deleted and inserted")
    }
  }

  private func checkLeast(_ old: ReferenceList, _ new: ReferenceList) throws(InvariantViolation) {
    let oldPaths = old.paths
    let newPaths = new.paths
    let oldRows = old.rows
    let newRows = new.rows
    var moves = 0
    var home = [[Int]](repeating: [], count: new.sections.count)
    for (row, partner) in matching.rowsToOld.enumerated() where partner >= 0 {
      let from = oldPaths[Int(partner)].section
      let to = newPaths[row].section
      if old.sections[from].id == new.sections[to].id {
        home[to].append(Int(partner))
      } else {
        moves += 1
      }
    }
    for rows in home { moves += rows.count - longestIncreasing(rows) }
    let reported = reportedCounts()
    guard rowCounts.moves == moves, reported.moves == moves else {
      throw InvariantViolation(
        "\(reported.moves) moves of rows are reported, \(rowCounts.moves) counted, \(moves) needed")
    }
    let order = new.sections.compactMap { section in
      old.sections.firstIndex { $0.id == section.id }
    }
    let sectionMoves = order.count - longestIncreasing(order)
    guard sectionCounts.moves == sectionMoves, reported.sectionMoves == sectionMoves else {
      throw InvariantViolation(
        "\(reported.sectionMoves) moves of sections are reported, \(sectionMoves) needed")
    }
    let kept = old.sections.indices.filter { index in
      new.sections.contains { $0.id == old.sections[index].id }
    }
    let deletes = matching.rowsToNew.indices.filter {
      matching.rowsToNew[$0] < 0 && kept.contains(oldPaths[$0].section)
    }.count
    guard reported.deletes == deletes else {
      throw InvariantViolation(
        "\(reported.deletes) deletes of rows are reported, \(deletes) needed")
    }
    let old = new.sections.indices.filter { index in
      old.sections.contains { $0.id == new.sections[index].id }
    }
    let inserts = matching.rowsToOld.indices.filter {
      matching.rowsToOld[$0] < 0 && old.contains(newPaths[$0].section)
    }.count
    guard reported.inserts == inserts else {
      throw InvariantViolation(
        "\(reported.inserts) inserts of rows are reported, \(inserts) needed")
    }
    let updates = matching.rowsToOld.enumerated().filter {
      $1 >= 0 && oldRows[Int($1)] != newRows[$0]
    }.count
    guard rowCounts.updates == updates, reported.updates == updates else {
      throw InvariantViolation(
        "\(reported.updates) updates of rows are reported, \(updates) needed")
    }
  }

  private func reportedCounts() -> (
    deletes: Int, inserts: Int, moves: Int, updates: Int, sectionMoves: Int
  ) {
    var counts = (deletes: 0, inserts: 0, moves: 0, updates: 0, sectionMoves: 0)
    for op in stages.flatMap(\.ops) {
      switch op {
      case .deleteItems(_, let count): counts.deletes += count
      case .insertItems(_, let count): counts.inserts += count
      case .moveItems(_, _, let count): counts.moves += count
      case .reloadItems(_, let count), .reconfigureItems(_, let count): counts.updates += count
      case .moveSections(_, _, let count): counts.sectionMoves += count
      default: break
      }
    }
    return counts
  }

  /// Checks that operations are ordered by kind and position, and that consecutive ranges are
  /// merged.
  private func checkOrder() throws(InvariantViolation) {
    for stage in stages {
      guard !stage.ops.isEmpty else { throw InvariantViolation("an empty stage") }
      for (op, next) in zip(stage.ops, stage.ops.dropFirst()) {
        guard op.rank < next.rank || (op.rank == next.rank && op.position < next.position) else {
          throw InvariantViolation("\(op) is before \(next)")
        }
      }
    }
  }
}

extension Op {
  fileprivate var rank: Int {
    switch self {
    case .deleteSections: 0
    case .insertSections: 1
    case .moveSections: 2
    case .deleteItems: 3
    case .insertItems: 4
    case .moveItems: 5
    case .reloadSections: 6
    case .reconfigureSections: 7
    case .reloadItems: 8
    case .reconfigureItems: 9
    }
  }

  fileprivate var position: Path {
    switch self {
    case .deleteSections(let at, _), .insertSections(let at, _), .reloadSections(let at, _),
      .reconfigureSections(let at, _), .moveSections(_, let at, _):
      Path(section: at, row: 0)
    case .deleteItems(let at, _), .insertItems(let at, _), .reloadItems(let at, _),
      .reconfigureItems(let at, _), .moveItems(_, let at, _):
      at
    }
  }
}

extension ReferenceList {
  var paths: [Path] {
    sections.enumerated().flatMap { index, section in
      section.rows.indices.map { Path(section: index, row: $0) }
    }
  }
}

/// The length of a longest increasing subsequence, in quadratic time.
func longestIncreasing(_ values: [Int]) -> Int {
  var lengths: [Int] = []
  for (index, value) in values.enumerated() {
    lengths.append(1 + (0..<index).filter { values[$0] < value }.map { lengths[$0] }.max(or: 0))
  }
  return lengths.max(or: 0)
}

extension [Int] {
  func max(or value: Int) -> Int { self.max() ?? value }
}
