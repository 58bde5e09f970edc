import ListDiff
import ListStages

extension ChangeInvariants {
  /// Checks the change with deletions and insertions instead of moves: it leads to the same list, and only
  /// what moves is deleted and inserted more than before.
  func checkWithoutMoves(
    _ old: ReferenceList, _ new: ReferenceList
  ) throws(InvariantViolation) {
    let unmoved = stages.replacingMoves(rows: rowCounts, sections: sectionCounts) {
      new.sections[$0].rows.count
    }
    guard !unmoved.stages.haveMoves, stages.haveMoves || unmoved.stages == stages else {
      throw InvariantViolation("\(unmoved.stages) without moves")
    }
    var list = old
    for stage in unmoved.stages { list = try list.applying(stage, target: new) }
    let movedSections = Set(
      movement.oldSections.indices.filter { movement.oldSections[$0].isMoved })
    let oldPaths = old.paths
    var staying = 0
    for (row, partner) in matching.rowsToNew.enumerated()
    where partner >= 0 && !movement.movedRows[row] {
      if !movedSections.contains(oldPaths[row].section) { staying += 1 }
    }
    let sections = matching.sectionsToNew.count { $0 >= 0 } - movedSections.count
    let rows = (old.rows.count, new.rows.count)
    guard list.sections.map(\.rows.count) == new.sections.map(\.rows.count),
      list.rows.count(where: { $0.id != -1 }) == staying,
      zip(list.rows, new.rows).allSatisfy({ $0.id == -1 || $0 == $1 }),
      unmoved.rows.deletes == rows.0 - staying, unmoved.rows.inserts == rows.1 - staying,
      unmoved.sections.deletes == old.sections.count - sections,
      unmoved.sections.inserts == new.sections.count - sections,
      unmoved.rows.moves == 0, unmoved.sections.moves == 0
    else { throw InvariantViolation("\(unmoved) gives \(list)") }
  }
}
