extension DiffEngine {
  /// Returns the operations of one stage, between the layouts before and after it.
  func stage(
    _ number: Int, from before: IntermediateLayout, to after: IntermediateLayout,
    _ oldStarts: [Int32],
    _ newStarts: [Int32], deletingAfter last: LastStages
  ) -> Stage {
    var stage = Stage()
    for (index, token) in before.sections.enumerated()
    where token < 0 && last.ofSection[Int(~token)] + 1 == number {
      stage.append(.deleteSections(at: index, count: 1))
    }
    if number == 1 {
      appendSectionOps(after, to: &stage)
    }
    if number <= 2, movement.explicitRowChanges > 0 {
      let gaps = matching.runs.count + matching.sectionsToOld.count
      stage.ops.reserveCapacity(
        stage.ops.count + min(movement.rowCounts.deletes, gaps)
          + min(movement.rowCounts.inserts, gaps) + movement.movedRuns.count)
      appendDeletes(number, before, oldStarts, to: &stage)
      appendInserts(number, after, to: &stage)
      if movement.rowCounts.moves > 0 {
        appendMoves(number, from: before, to: after, oldStarts, newStarts, in: &stage)
      }
    }
    return stage
  }

  /// Appends the inserts and moves of sections. Inserted sections contain the rows that are new to
  /// the list.
  private func appendSectionOps(_ after: IntermediateLayout, to stage: inout Stage) {
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

  /// Returns whether this stage deletes, inserts or moves rows within a kept section.
  private func changesRows(_ token: Int32, in number: Int) -> Bool {
    guard token >= 0, movement.rowsChange[Int(token)] else { return false }
    let old = Int(matching.sectionsToOld[Int(token)])
    return old >= 0 && (movement.movedSections[old] ? 2 : 1) == number
  }

  private func appendDeletes(
    _ number: Int, _ before: IntermediateLayout, _ oldStarts: [Int32], to stage: inout Stage
  ) {
    let toNew = matching.rowsToNew.view
    for (index, token) in before.sections.enumerated() where changesRows(token, in: number) {
      let old = Int(matching.sectionsToOld[Int(token)])
      let start = Int(oldStarts[old])
      toNew.forEachNegativeRange(from: start, to: Int(oldStarts[old + 1])) { row, end in
        stage.ops.append(
          .deleteItems(at: Path(section: index, row: row - start), count: end - row))
      }
    }
  }

  private func appendInserts(_ number: Int, _ after: IntermediateLayout, to stage: inout Stage) {
    let rows = after.rows.view
    for (index, token) in after.sections.enumerated() where changesRows(token, in: number) {
      let start = Int(after.starts[Int(token)])
      rows.forEachNegativeRange(from: start, to: Int(after.starts[Int(token) + 1])) { row, end in
        stage.ops.append(
          .insertItems(at: Path(section: index, row: row - start), count: end - row))
      }
    }
  }

  private func appendMoves(
    _ number: Int, from before: IntermediateLayout, to after: IntermediateLayout,
    _ oldStarts: [Int32], _ newStarts: [Int32], in stage: inout Stage
  ) {
    let sources = before.indicesByOld(matching)
    let targets = after.indicesByNew(matching)
    let isOnly = before.rowIndices.isEmpty && after.rowIndices.isEmpty
    for run in movement.movedRuns where isOnly || moveStage(of: run) == number {
      let source = Int(sources[Int(run.from)])
      let target = Int(targets[Int(run.to)])
      let from = Int(run.rows.old - oldStarts[Int(run.from)])
      let to = Int(run.rows.new - newStarts[Int(run.to)])
      if isOnly {
        stage.append(
          .moveItems(
            from: Path(section: source, row: from), to: Path(section: target, row: to),
            count: Int(run.rows.count)))
        continue
      }
      // In an intermediate layout, other rows may be between the rows of a run.
      for offset in 0..<Int(run.rows.count) {
        let row = Int(run.rows.old) + offset
        stage.append(
          .moveItems(
            from: Path(
              section: source,
              row: before.rowIndices.isEmpty ? from + offset : Int(before.rowIndices[row])),
            to: Path(
              section: target,
              row: after.rowIndices.isEmpty ? to + offset : Int(after.rowIndices[row])),
            count: 1))
      }
    }
  }

  /// Returns the operations if both lists consist of the same single section.
  func stageOfOnlySection() -> Stage {
    var stage = Stage()
    if movement.explicitRowChanges == 0 { return stage }
    let deletes = movement.rowCounts.deletes
    let inserts = movement.rowCounts.inserts
    let gaps = matching.runs.count + 1
    stage.ops.reserveCapacity(
      min(deletes, gaps) + min(inserts, gaps) + movement.movedRuns.count)
    if deletes > 0 {
      let toNew = matching.rowsToNew.view
      toNew.forEachNegativeRange(from: 0, to: toNew.count) { row, end in
        stage.ops.append(.deleteItems(at: Path(section: 0, row: row), count: end - row))
      }
    }
    if inserts > 0 {
      let toOld = matching.rowsToOld.view
      toOld.forEachNegativeRange(from: 0, to: toOld.count) { row, end in
        stage.ops.append(.insertItems(at: Path(section: 0, row: row), count: end - row))
      }
    }
    // The runs are maximal, so no operation continues the one before.
    for run in movement.movedRuns {
      stage.ops.append(
        .moveItems(
          from: Path(section: 0, row: Int(run.rows.old)),
          to: Path(section: 0, row: Int(run.rows.new)), count: Int(run.rows.count)))
    }
    return stage
  }
}
