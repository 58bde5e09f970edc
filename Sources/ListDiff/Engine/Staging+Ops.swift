extension DiffEngine {
  /// Returns the operations of one of `count` stages. `middle` has the rows after the first stage; if
  /// it is `nil`, that stage changes no rows or is the only one.
  @inline(never)
  func stage(
    _ number: Int, of count: Int = 1, _ oldStarts: [Int32], _ newStarts: [Int32],
    changesRows: Bool, middle: IntermediateRows? = nil
  ) -> Stage {
    var stage = Stage()
    reserve(number, changesRows, in: &stage)
    if movement.sectionCounts.deletes > 0 {
      for (section, new) in matching.sectionsToNew.enumerated()
      where new < 0 && Int(movement.oldSections[section].lastStage) + 1 == number {
        stage.append(.deleteSections(at: index(ofOld: section, before: number), count: 1))
      }
    }
    if number == 1 { appendSectionOps(of: count, to: &stage) }
    if changesRows {
      if movement.rowCounts.deletes > 0 { appendDeletes(number, oldStarts, to: &stage) }
      if movement.rowCounts.inserts > 0 {
        appendInserts(number, newStarts, middle, of: count, to: &stage)
      }
      if movement.rowCounts.moves > 0 {
        appendMoves(number, of: count, oldStarts, newStarts, middle, in: &stage)
      }
    }
    return stage
  }

  /// Reserves memory for the operations of a stage.
  private func reserve(_ number: Int, _ changesRows: Bool, in stage: inout Stage) {
    var count = movement.sectionCounts.deletes
    if number == 1 { count += movement.sectionCounts.inserts + movement.sectionCounts.moves }
    if changesRows {
      let gaps = matching.runs.count + matching.sectionsToOld.count
      count += min(movement.rowCounts.deletes, gaps) + min(movement.rowCounts.inserts, gaps)
      count +=
        matching.hasSingleSection
        ? min(movement.rowCounts.moves, gaps) : movement.movedRuns.count
    }
    if count > 0 { stage.ops.reserveCapacity(count) }
  }

  /// Appends the inserts and moves of sections. Inserted sections contain the rows that are new to
  /// the list.
  private func appendSectionOps(of count: Int, to stage: inout Stage) {
    if movement.sectionCounts.inserts > 0 {
      stage.insertedRowCounts.reserveCapacity(movement.sectionCounts.inserts)
      for (section, old) in matching.sectionsToOld.enumerated() where old < 0 {
        stage.append(.insertSections(at: index(ofNew: section, after: 1, of: count), count: 1))
        stage.insertedRowCounts.append(Int(movement.newSections[section].inserted))
      }
    }
    if movement.sectionCounts.moves > 0 {
      for (section, old) in matching.sectionsToOld.enumerated()
      where old >= 0 && movement.oldSections[Int(old)].isMoved {
        let index = index(ofNew: section, after: 1, of: count)
        stage.append(.moveSections(from: Int(old), to: index, count: 1))
      }
    }
  }

  /// Returns whether this stage deletes, inserts or moves rows within a kept section.
  private func changesRows(ofNew section: Int, in number: Int) -> Bool {
    guard movement.newSections[section].rowsChange else { return false }
    let old = Int(matching.sectionsToOld[section])
    return old >= 0 && (movement.oldSections[old].isMoved ? 2 : 1) == number
  }

  private func appendDeletes(_ number: Int, _ oldStarts: [Int32], to stage: inout Stage) {
    let toNew = matching.rowsToNew.view
    func append(_ old: Int) {
      let start = Int(oldStarts[old])
      let index = index(ofOld: old, before: number)
      toNew.forEachNegativeRange(from: start, to: Int(oldStarts[old + 1])) { row, end in
        stage.ops.append(
          .deleteItems(at: Path(section: index, row: row - start), count: end - row))
      }
    }
    // The operations are in the order of the list before the stage.
    if number == 1 {
      for (old, new) in matching.sectionsToNew.enumerated()
      where new >= 0 && changesRows(ofNew: Int(new), in: 1) { append(old) }
    } else {
      for (new, old) in matching.sectionsToOld.enumerated()
      where changesRows(ofNew: new, in: number) { append(Int(old)) }
    }
  }

  private func appendInserts(
    _ number: Int, _ newStarts: [Int32], _ middle: IntermediateRows?, of count: Int,
    to stage: inout Stage
  ) {
    // Until rows arrive in the second stage, sections have fewer rows than in the end.
    let rows = number == 1 && middle != nil ? middle!.rows : matching.rowsToOld
    let starts = number == 1 && middle != nil ? middle!.starts : newStarts
    let view = rows.view
    for section in matching.sectionsToOld.indices where changesRows(ofNew: section, in: number) {
      let start = Int(starts[section])
      let index = index(ofNew: section, after: number, of: count)
      view.forEachNegativeRange(from: start, to: Int(starts[section + 1])) { row, end in
        stage.ops.append(
          .insertItems(at: Path(section: index, row: row - start), count: end - row))
      }
    }
  }

  private func appendMoves(
    _ number: Int, of count: Int, _ oldStarts: [Int32], _ newStarts: [Int32],
    _ middle: IntermediateRows?, in stage: inout Stage
  ) {
    if matching.hasSingleSection { return appendMovesOfOnlySection(to: &stage) }
    for run in movement.movedRuns where count == 1 || moveStage(of: run) == number {
      let source = index(ofOld: Int(run.from), before: number)
      let target = index(ofNew: Int(run.to), after: number, of: count)
      let from = Int(run.rows.old - oldStarts[Int(run.from)])
      let to = Int(run.rows.new - newStarts[Int(run.to)])
      guard let middle else {
        // A run is split only between sections, so no operation continues the one before.
        stage.ops.append(
          .moveItems(
            from: Path(section: source, row: from), to: Path(section: target, row: to),
            count: Int(run.rows.count)))
        continue
      }
      // After the first of several stages, other rows may be between the rows of a run.
      for offset in 0..<Int(run.rows.count) {
        let index = Int(middle.indices[Int(run.rows.old) + offset])
        stage.append(
          .moveItems(
            from: Path(section: source, row: number == 1 ? from + offset : index),
            to: Path(section: target, row: number == 1 ? index : to + offset), count: 1))
      }
    }
  }

  /// Appends the moves if both lists consist of the same single section.
  private func appendMovesOfOnlySection(to stage: inout Stage) {
    let runs = matching.runs.view
    let moved = movement.movedRows.view
    stage.ops.append(addingCapacity: min(movement.rowCounts.moves, runs.count)) { ops in
      // The runs are maximal, so no operation continues the one before.
      for index in 0..<runs.count where moved[Int(runs[index].old)] {
        let run = runs[index]
        ops.append(
          .moveItems(
            from: Path(section: 0, row: Int(run.old)), to: Path(section: 0, row: Int(run.new)),
            count: Int(run.count)))
      }
    }
  }
}
