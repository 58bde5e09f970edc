/// The rows of the list after the first of several stages.
///
/// In contrast to a ``ListLayout``, which follows any given stages, these rows are found before there
/// are stages.
struct IntermediateRows {
  /// By new section, its rows as old indices; `-1` is an inserted row.
  var rows: [Int32] = []
  var starts: [Int32] = [0]

  /// By old row, its index in its section.
  var indices: [Int32] = []

  /// Sets the indices of the rows that are in a new section.
  fileprivate mutating func findIndices(oldCount: Int) {
    // One element more, which receives the writes for inserted rows.
    indices.fill(oldCount + 1, with: 0)
    let (rows, starts) = (rows, starts)
    let view = rows.view
    var indices = indices.mutableView
    for section in 1..<max(1, starts.count) {
      let start = Int(starts[section - 1])
      for row in start..<Int(starts[section]) {
        let old = view[row] < 0 ? oldCount : Int(view[row])
        indices[old] = Int32(truncatingIfNeeded: row &- start)
      }
    }
  }
}

extension DiffEngine {
  /// Encodes the moves, inserts and deletes found by ``findMoves(oldStarts:newStarts:)`` as stages.
  ///
  /// A batch update cannot move a row into an inserted section or out of a deleted section, or
  /// change the rows of a section that itself moves. If a change does so, there are up to three
  /// stages: the first inserts and moves the sections, the second changes these rows, and the third
  /// deletes the sections that rows had to leave first. Each operation is in the first stage that
  /// can contain it.
  ///
  /// In this example, section N is inserted and takes its rows from A, which is kept, and from B,
  /// which is deleted:
  ///
  /// ```
  /// old list          A[a b]   B[c]
  /// stage 1   N[]     A[a b]   B[c]    inserts N
  /// stage 2   N[b c]  A[a]     B[]     moves b and c
  /// stage 3   N[b c]  A[a]             deletes B
  /// ```
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides.
  package mutating func structuralStages(oldStarts: [Int32], newStarts: [Int32]) -> [Stage] {
    let needed =
      matching.hasSingleSection
      ? (isOne: true, firstChangesRows: false) : findLastStages(oldStarts)
    if needed.isOne {
      return stage(1, oldStarts, newStarts, changesRows: movement.explicitRowChanges > 0).asList()
    }
    placeSections(after: 1)
    placeSections(after: 2)
    let middle = needed.firstChangesRows ? rowsAfterFirstStage(oldStarts, newStarts) : nil
    var stages: [Stage] = []
    stages.reserveCapacity(3)
    for number in 1...3 {
      let changesRows = number == 1 ? middle != nil : number == 2
      let stage = stage(
        number, of: 3, oldStarts, newStarts, changesRows: changesRows, middle: middle)
      if !stage.ops.isEmpty { stages.append(stage) }
    }
    return stages
  }

  /// Returns whether an old section does not move.
  private func isStationary(old section: Int) -> Bool { !movement.oldSections[section].isMoved }

  /// Returns whether a new section was in the old list and does not move.
  private func isStationary(new section: Int) -> Bool {
    let old = Int(matching.sectionsToOld[section])
    return old >= 0 && isStationary(old: old)
  }

  /// Returns the stage in which a row moves from an old section to a new one.
  private func moveStage(from old: Int, to new: Int) -> Int {
    isStationary(old: old) && isStationary(new: new) ? 1 : 2
  }

  /// Returns the stage in which the rows of a run move.
  func moveStage(of run: MovedRun) -> Int { moveStage(from: Int(run.from), to: Int(run.to)) }

  /// Finds for each deleted section the last stage in which rows leave it. Returns whether one stage
  /// suffices for all operations and, if not, whether the first one changes rows.
  private mutating func findLastStages(
    _ oldStarts: [Int32]
  ) -> (isOne: Bool, firstChangesRows: Bool) {
    var result = (isOne: true, firstChangesRows: false)
    for (section, new) in movement.newSections.enumerated() where new.rowsChange {
      let old = Int(matching.sectionsToOld[section])
      if old < 0 { continue }
      if !isStationary(old: old) {
        result.isOne = false
      } else {
        let staying = oldStarts[old + 1] - oldStarts[old] - movement.oldSections[old].leaving
        if staying > new.kept || new.inserted > 0 { result.firstChangesRows = true }
      }
    }
    for run in movement.movedRuns {
      let section = Int(run.from)
      let stage = moveStage(of: run)
      if stage == 1 { result.firstChangesRows = true } else { result.isOne = false }
      if matching.sectionsToNew[section] < 0 {
        movement.oldSections[section].lastStage = max(
          movement.oldSections[section].lastStage, Int8(truncatingIfNeeded: stage))
        result.isOne = false
      }
    }
    return result
  }

  /// Finds the indices of sections after the first or the second stage: the new sections in order,
  /// with the deleted sections that are delayed to a later stage before the next stationary section.
  private mutating func placeSections(after stage: Int) {
    var index: Int32 = 0
    var next = 0
    for section in matching.sectionsToOld.indices {
      if isStationary(new: section) {
        let end = Int(matching.sectionsToOld[section])
        placeDelayed(&next, upTo: end, after: stage, &index)
      }
      movement.newSections[section].indices[stage - 1] = index
      index += 1
    }
    placeDelayed(&next, upTo: matching.sectionsToNew.count, after: stage, &index)
  }

  /// Places the next old sections, of which some are deleted in a later stage. No closure does it,
  /// because variables that closures change are allocated in debug builds.
  private mutating func placeDelayed(
    _ next: inout Int, upTo end: Int, after stage: Int, _ index: inout Int32
  ) {
    while next < end {
      if movement.oldSections[next].lastStage >= stage {
        movement.oldSections[next].indices[stage - 1] = index
        index += 1
      }
      next += 1
    }
  }

  /// Returns the index of an old section before a stage.
  func index(ofOld section: Int, before stage: Int) -> Int {
    if stage == 1 { return section }
    let new = Int(matching.sectionsToNew[section])
    let indices =
      new < 0 ? movement.oldSections[section].indices : movement.newSections[new].indices
    return Int(indices[stage - 2])
  }

  /// Returns the index of a new section after a stage, of `count` stages.
  func index(ofNew section: Int, after stage: Int, of count: Int) -> Int {
    stage == count ? section : Int(movement.newSections[section].indices[stage - 1])
  }

  /// Returns the rows after the first stage.
  private func rowsAfterFirstStage(
    _ oldStarts: [Int32], _ newStarts: [Int32]
  ) -> IntermediateRows {
    var state = IntermediateRows()
    state.starts.reserveCapacity(newStarts.count)
    state.rows.reserveCapacity(matching.rowsToNew.count + matching.rowsToOld.count)
    let toOld = matching.rowsToOld.view
    for (section, oldSection) in matching.sectionsToOld.enumerated() {
      if oldSection < 0 {
        let own = toOld.extracting(Int(newStarts[section])..<Int(newStarts[section + 1]))
        state.rows.append(addingCapacity: own.count) { rows in
          for row in own.indices where own[row] < 0 { rows.append(-1) }
        }
      } else {
        let old = Int(oldSection)
        let home = Int(oldStarts[old])..<Int(oldStarts[old + 1])
        if isStationary(old: old), movement.newSections[section].rowsChange {
          appendRowsOfStationarySection(home, section: section, oldStarts, newStarts, to: &state)
        } else {
          state.rows.append(addingCapacity: home.count) { rows in
            for row in home { rows.append(Int32(truncatingIfNeeded: row)) }
          }
        }
      }
      state.starts.append(Int32(truncatingIfNeeded: state.rows.count))
    }
    state.findIndices(oldCount: matching.rowsToNew.count)
    for (section, old) in movement.oldSections.enumerated() where old.lastStage >= 2 {
      var index: Int32 = 0
      for row in Int(oldStarts[section])..<Int(oldStarts[section + 1])
      where !leavesInFirstStage(row, of: section, newStarts) {
        state.indices[row] = index
        index += 1
      }
    }
    return state
  }

  private func leavesInFirstStage(_ row: Int, of section: Int, _ newStarts: [Int32]) -> Bool {
    movement.movedRows[row]
      && moveStage(from: section, to: newStarts.section(ofRow: Int(matching.rowsToNew[row]))) == 1
  }

  /// Appends the rows of a stationary section after the first stage: all rows but those that arrive
  /// later, with the rows that leave later before the next row that stays.
  private func appendRowsOfStationarySection(
    _ home: Range<Int>, section: Int, _ oldStarts: [Int32], _ newStarts: [Int32],
    to state: inout IntermediateRows
  ) {
    let own = Int(newStarts[section])..<Int(newStarts[section + 1])
    let toOld = matching.rowsToOld.view
    let toNew = matching.rowsToNew.view
    let moved = movement.movedRows.view
    state.rows.append(addingCapacity: own.count + home.count) { rows in
      var next = home.lowerBound
      func flush(upTo end: Int, into rows: inout OutputSpan<Int32>) {
        while next < end {
          if moved[next] {
            let target = Int(toNew[next])
            if !own.contains(target), !isStationary(new: newStarts.section(ofRow: target)) {
              rows.append(Int32(truncatingIfNeeded: next))
            }
          }
          next += 1
        }
      }
      for new in own {
        let old = Int(toOld[new])
        if home.contains(old) {
          if !moved[old] { flush(upTo: old, into: &rows) }
        } else if old >= 0, !isStationary(old: oldStarts.section(ofRow: old)) {
          continue
        }
        rows.append(toOld[new])
      }
      flush(upTo: home.upperBound, into: &rows)
    }
  }
}
