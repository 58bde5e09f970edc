/// The layout of the list between two stages: the order of its sections and their rows.
///
/// A section of the new list is written as its new index, a deleted section as the complement `~`
/// of its old index. In contrast to a ``ListLayout``, which follows any given stages, this layout
/// is computed before there are stages.
struct IntermediateLayout {
  var sections: [Int32] = []

  /// By new section, its rows as old indices; `-1` is an inserted row.
  var rows: [Int32] = []
  var starts: [Int32] = [0]

  /// By old row, its index in its section. Empty before the first stage and after the last one,
  /// because it then follows from the starts.
  var rowIndices: [Int32] = []

  /// Returns the index in `sections` of each old section, or -1.
  func indicesByOld(_ matching: Matching) -> [Int32] {
    var result = [Int32](repeating: -1, count: matching.sectionsToNew.count)
    for (index, token) in sections.enumerated() {
      let old = token < 0 ? ~token : matching.sectionsToOld[Int(token)]
      if old >= 0 { result[Int(old)] = Int32(truncatingIfNeeded: index) }
    }
    return result
  }

  /// Returns the index in `sections` of each new section, or -1.
  func indicesByNew(_ matching: Matching) -> [Int32] {
    var result = [Int32](repeating: -1, count: matching.sectionsToOld.count)
    for (index, token) in sections.enumerated() where token >= 0 {
      result[Int(token)] = Int32(truncatingIfNeeded: index)
    }
    return result
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
  /// The lists after the first and the second stage are the intermediate layouts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides.
  package mutating func structuralStages(oldStarts: [Int32], newStarts: [Int32]) -> [Stage] {
    if matching.hasSingleSection {
      let stage = stageOfOnlySection()
      return stage.ops.isEmpty ? [] : [stage]
    }
    let old = IntermediateLayout(
      sections: matching.sectionsToNew.enumerated().map { $1 < 0 ? ~Int32($0) : $1 })
    let new = IntermediateLayout(
      sections: matching.sectionsToOld.indices.map { Int32($0) }, rows: matching.rowsToOld,
      starts: newStarts)
    let lastStages = lastStages(oldStarts, newStarts)
    var stages: [Stage] = []
    if lastStages.ofAny == 1 {
      stages.append(stage(1, from: old, to: new, oldStarts, newStarts, deletingAfter: lastStages))
    } else {
      let first = layoutAfterFirstStage(oldStarts, newStarts, lastStages)
      var second = new
      second.sections = sectionOrder { lastStages.ofSection[$0] >= 2 }
      stages.append(stage(1, from: old, to: first, oldStarts, newStarts, deletingAfter: lastStages))
      stages.append(
        stage(2, from: first, to: second, oldStarts, newStarts, deletingAfter: lastStages))
      stages.append(
        stage(3, from: second, to: new, oldStarts, newStarts, deletingAfter: lastStages))
    }
    return stages.filter { !$0.ops.isEmpty }
  }

  /// Returns whether an old section does not move.
  private func isStationary(old section: Int) -> Bool { !movement.movedSections[section] }

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

  /// By deleted section, the last stage in which rows leave it, or 0 if none do. `ofAny` is 1 if
  /// one stage suffices for all operations, otherwise 2.
  struct LastStages {
    var ofSection: [Int]
    var ofAny = 1
  }

  private func lastStages(_ oldStarts: [Int32], _ newStarts: [Int32]) -> LastStages {
    var last = LastStages(ofSection: Array(repeating: 0, count: matching.sectionsToNew.count))
    for (section, changes) in movement.rowsChange.enumerated() where changes {
      let old = Int(matching.sectionsToOld[section])
      if old >= 0, !isStationary(old: old) { last.ofAny = 2 }
    }
    guard movement.rowsCross else { return last }
    for run in movement.movedRuns {
      let section = Int(run.from)
      let stage = moveStage(of: run)
      last.ofAny = max(last.ofAny, stage)
      if matching.sectionsToNew[section] < 0 {
        last.ofSection[section] = max(last.ofSection[section], stage)
        last.ofAny = 2
      }
    }
    return last
  }

  /// Returns the new sections in order, with the deleted sections that are delayed to a later stage
  /// before the next stationary section.
  private func sectionOrder(isDelayed: (Int) -> Bool) -> [Int32] {
    var order: [Int32] = []
    var next = 0
    func flush(upTo end: Int) {
      while next < end {
        if matching.sectionsToNew[next] < 0, isDelayed(next) { order.append(~Int32(next)) }
        next += 1
      }
    }
    for section in matching.sectionsToOld.indices {
      if isStationary(new: section) { flush(upTo: Int(matching.sectionsToOld[section])) }
      order.append(Int32(section))
    }
    flush(upTo: matching.sectionsToNew.count)
    return order
  }

  /// Returns the layout after the first stage.
  private func layoutAfterFirstStage(
    _ oldStarts: [Int32], _ newStarts: [Int32], _ lastStages: LastStages
  ) -> IntermediateLayout {
    var state = IntermediateLayout(sections: sectionOrder { lastStages.ofSection[$0] >= 1 })
    state.rowIndices = Array(repeating: 0, count: matching.rowsToNew.count)
    state.rows.reserveCapacity(matching.rowsToNew.count + matching.rowsToOld.count)
    for (section, oldSection) in matching.sectionsToOld.enumerated() {
      let start = state.rows.count
      let rows = matching.rowsToOld[Int(newStarts[section])..<Int(newStarts[section + 1])]
      if oldSection < 0 {
        state.rows.append(contentsOf: rows.lazy.filter { $0 < 0 })
      } else {
        let old = Int(oldSection)
        let home = Int(oldStarts[old])..<Int(oldStarts[old + 1])
        if isStationary(old: old), movement.rowsChange[section] {
          appendRowsOfStationarySection(home, section: section, oldStarts, newStarts, to: &state)
        } else {
          state.rows.append(contentsOf: home.lazy.map { Int32(truncatingIfNeeded: $0) })
        }
      }
      for index in start..<state.rows.count where state.rows[index] >= 0 {
        state.rowIndices[Int(state.rows[index])] = Int32(truncatingIfNeeded: index - start)
      }
      state.starts.append(Int32(truncatingIfNeeded: state.rows.count))
    }
    for section in matching.sectionsToNew.indices where lastStages.ofSection[section] >= 2 {
      var index: Int32 = 0
      for row in Int(oldStarts[section])..<Int(oldStarts[section + 1])
      where !leavesInFirstStage(row, of: section, newStarts) {
        state.rowIndices[row] = index
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
    to state: inout IntermediateLayout
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
