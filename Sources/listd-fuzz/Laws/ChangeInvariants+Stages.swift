import ListDiff

extension ChangeInvariants {
  /// Checks that the number of stages is minimal for the best choice of sections that do not move,
  /// and that each operation is in the first possible stage.
  func checkStages(_ old: ReferenceList, _ new: ReferenceList) throws(InvariantViolation) {
    let structural = stages.filter { stage in stage.ops.contains { !$0.isUpdate } }
    let fewest = StageCounter(old, new, matching).fewest
    guard structural.count == fewest else {
      throw InvariantViolation("\(structural.count) stages instead of \(fewest)")
    }
    guard structural.count > 1 else { return }
    var list = old
    var unsettled = Set<Int>()
    var left = Set<Int>()
    for (number, stage) in structural.enumerated() {
      let before = list
      list = try list.applying(stage, target: new)
      var leftNow = Set<Int>()
      for op in stage.ops {
        var touched: [Int] = []
        switch op {
        case .moveSections(let from, _, let count):
          guard number == 0 else { throw InvariantViolation("\(op) could be in the first stage") }
          for section in from..<from + count { unsettled.insert(before.sections[section].id) }
        case .insertSections:
          guard number == 0 else { throw InvariantViolation("\(op) could be in the first stage") }
          unsettled.insert(-1)
        case .deleteSections(let at, let count):
          for section in at..<at + count where number > 0 {
            guard left.contains(before.sections[section].id) else {
              throw InvariantViolation("\(op) could be in an earlier stage")
            }
          }
        case .deleteItems(let at, _): touched = [before.sections[at.section].id]
        case .insertItems(let at, _): touched = [list.sections[at.section].id]
        case .moveItems(let from, let to, _):
          touched = [before.sections[from.section].id, list.sections[to.section].id]
          leftNow.insert(touched[0])
        default: break
        }
        guard touched.isEmpty || number == 0 || !unsettled.isDisjoint(with: touched) else {
          throw InvariantViolation("\(op) could be in an earlier stage")
        }
      }
      left = leftNow
    }
  }
}

/// Computes the number of stages for every choice of sections that do not move.
struct StageCounter {
  private let order: [Int]
  private var change: (old: [Int], new: [Int]) = ([], [])
  private var crossings: [(from: Int, to: Int)] = []
  private let old: ReferenceList
  private let new: ReferenceList
  private let isChanged: Bool

  init(_ old: ReferenceList, _ new: ReferenceList, _ matching: Matching) {
    self.old = old
    self.new = new
    order = new.sections.compactMap { section in
      old.sections.firstIndex { $0.id == section.id }
    }
    let oldPaths = old.paths
    let newPaths = new.paths
    var touched = Set<Int>()
    for (row, partner) in matching.rowsToNew.enumerated() {
      let from = old.sections[oldPaths[row].section].id
      guard partner >= 0 else {
        touched.insert(from)
        continue
      }
      let to = new.sections[newPaths[Int(partner)].section].id
      if from != to { crossings.append((from, to)) }
    }
    for (row, partner) in matching.rowsToOld.enumerated() where partner < 0 {
      touched.insert(new.sections[newPaths[row].section].id)
    }
    for section in new.sections {
      guard let before = old.sections.first(where: { $0.id == section.id }) else { continue }
      let start = oldPaths.firstIndex { old.sections[$0.section].id == before.id } ?? 0
      let home = newPaths.indices.filter {
        new.sections[newPaths[$0].section].id == section.id
      }.map { Int(matching.rowsToOld[$0]) }.filter {
        $0 >= start && $0 < start + before.rows.count
      }
      if home != home.sorted() { touched.insert(section.id) }
    }
    change.old = touched.filter { id in old.sections.contains { $0.id == id } }
    change.new = touched.filter { id in new.sections.contains { $0.id == id } }
    isChanged =
      !touched.isEmpty || !crossings.isEmpty
      || old.sections.map(\.id) != new.sections.map(\.id)
  }

  /// The minimal number of structural stages with a minimal number of section moves.
  var fewest: Int {
    guard isChanged else { return 0 }
    var best = 4
    let longest = longestIncreasing(order)
    for subset in 0..<1 << order.count where subset.nonzeroBitCount == longest {
      let staying = order.indices.filter { subset >> $0 & 1 == 1 }.map { order[$0] }
      guard staying == staying.sorted() else { continue }
      best = min(best, stages(settled: Set(staying.map { old.sections[$0].id })))
    }
    return best
  }

  private func stages(settled: Set<Int>) -> Int {
    let oldIDs = Set(old.sections.map(\.id))
    let newIDs = Set(new.sections.map(\.id))
    var count = 1
    for id in Set(change.old + change.new) where oldIDs.contains(id) && newIDs.contains(id) {
      if !settled.contains(id) { count = max(count, 2) }
    }
    for (from, to) in crossings {
      let vanishes = !newIDs.contains(from)
      let isFirst = (vanishes || settled.contains(from)) && settled.contains(to)
      count = max(count, (isFirst ? 1 : 2) + (vanishes ? 1 : 0))
    }
    return count
  }
}

extension Op {
  var isUpdate: Bool {
    switch self {
    case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: true
    default: false
    }
  }
}
