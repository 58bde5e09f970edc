extension DiffEngine {
  /// The operations of one stage, between what stands before it and after it.
  func stage(
    _ number: Int, from before: Interlude, to after: Interlude, _ oldStarts: [Int32],
    _ newStarts: [Int32], goingAfter last: LastStages
  ) -> Stage {
    var stage = Stage()
    for (index, token) in before.sections.enumerated()
    where token < 0 && last.ofSection[Int(~token)] + 1 == number {
      stage.append(.deleteSections(at: index, count: 1))
    }
    if number == 1 {
      appendSectionArrivals(after, to: &stage)
    }
    if number <= 2, movement.rowOpsTold > 0 {
      appendDeletes(number, before, oldStarts, to: &stage)
      appendInserts(number, after, to: &stage)
      if movement.rowCounts.moves > 0 {
        appendMoves(number, before, after, oldStarts, newStarts, to: &stage)
      }
    }
    return stage
  }

  /// Sections that come or move; those that come bring the rows that are new to the list.
  private func appendSectionArrivals(_ after: Interlude, to stage: inout Stage) {
    for (index, token) in after.sections.enumerated() where token >= 0 {
      guard matching.sectionsToOld[Int(token)] < 0 else { continue }
      stage.append(.insertSections(at: index, count: 1))
      stage.insertedRowCounts.append(
        Int(after.starts[Int(token) + 1] - after.starts[Int(token)]))
    }
    for (index, token) in after.sections.enumerated() where token >= 0 {
      let old = Int(matching.sectionsToOld[Int(token)])
      guard old >= 0, movement.movedSections[old] else { continue }
      stage.append(.moveSections(from: old, to: index, count: 1))
    }
  }

  /// Whether rows of their own come, go and move in a kept section in this stage.
  private func changesRows(_ token: Int32, in number: Int) -> Bool {
    guard token >= 0, movement.rowsChange[Int(token)] else { return false }
    let old = Int(matching.sectionsToOld[Int(token)])
    return old >= 0 && (movement.movedSections[old] ? 2 : 1) == number
  }

  private func appendDeletes(
    _ number: Int, _ before: Interlude, _ oldStarts: [Int32], to stage: inout Stage
  ) {
    for (index, token) in before.sections.enumerated() where changesRows(token, in: number) {
      let old = Int(matching.sectionsToOld[Int(token)])
      let start = Int(oldStarts[old])
      for row in start..<Int(oldStarts[old + 1]) where matching.rowsToNew[row] < 0 {
        stage.append(.deleteItems(at: Path(section: index, row: row - start), count: 1))
      }
    }
  }

  private func appendInserts(_ number: Int, _ after: Interlude, to stage: inout Stage) {
    for (index, token) in after.sections.enumerated() where changesRows(token, in: number) {
      let start = Int(after.starts[Int(token)])
      for row in start..<Int(after.starts[Int(token) + 1]) where after.rows[row] < 0 {
        stage.append(.insertItems(at: Path(section: index, row: row - start), count: 1))
      }
    }
  }

  private func appendMoves(
    _ number: Int, _ before: Interlude, _ after: Interlude, _ oldStarts: [Int32],
    _ newStarts: [Int32], to stage: inout Stage
  ) {
    let indices = before.indices(oldCount: matching.sectionsToNew.count, matching)
    for (index, token) in after.sections.enumerated()
    where token >= 0 && movement.rowsChange[Int(token)] {
      let start = Int(after.starts[Int(token)])
      let home = Int(matching.sectionsToOld[Int(token)])
      let settled = home >= 0 && !movement.movedSections[home]
      if number == 1, !settled { continue }
      let target = newStarts[Int(token)]..<newStarts[Int(token) + 1]
      for row in start..<Int(after.starts[Int(token) + 1]) where after.rows[row] >= 0 {
        let old = Int(after.rows[row])
        // Between the stages a section also has rows that are to leave it.
        guard movement.movedRows[old], target.contains(matching.rowsToNew[old]) else { continue }
        let isHome = home >= 0 && (Int(oldStarts[home])..<Int(oldStarts[home + 1])).contains(old)
        let from = isHome ? home : oldStarts.section(ofRow: old)
        let moveStage = settled && !movement.movedSections[from] ? 1 : 2
        guard moveStage == number else { continue }
        let place =
          before.places.isEmpty ? old - Int(oldStarts[from]) : Int(before.places[old])
        stage.append(
          .moveItems(
            from: Path(section: Int(indices[from]), row: place),
            to: Path(section: index, row: row - start), count: 1))
      }
    }
  }
}
