/// An order of sections between two stages, and what stands in those that stay.
///
/// A section that is in the new snapshot is written as its new index, a vanishing one as the
/// complement `~` of its old index.
struct Interlude {
  var sections: [Int32] = []

  /// By new section: its rows as old indices, `-1` for a row that is new to the list.
  var rows: [Int32] = []
  var starts: [Int32] = [0]

  /// By old row: its place in its section. Empty before the first stage and after the last one, where
  /// it follows from the starts.
  var places: [Int32] = []

  /// By old section: its index in `sections`.
  func indicesByOld(_ matching: Matching) -> [Int32] {
    var result = [Int32](repeating: -1, count: matching.sectionsToNew.count)
    for (index, token) in sections.enumerated() {
      let old = token < 0 ? ~token : matching.sectionsToOld[Int(token)]
      if old >= 0 { result[Int(old)] = Int32(truncatingIfNeeded: index) }
    }
    return result
  }

  /// By new section: its index in `sections`.
  func indicesByNew(_ matching: Matching) -> [Int32] {
    var result = [Int32](repeating: -1, count: matching.sectionsToOld.count)
    for (index, token) in sections.enumerated() where token >= 0 {
      result[Int(token)] = Int32(truncatingIfNeeded: index)
    }
    return result
  }
}

extension DiffEngine {
  /// Tells the moves, inserts and deletes found by ``findMoves(oldStarts:newStarts:)`` as stages.
  ///
  /// There is one stage unless a row crosses into a new or out of a vanishing section, or changes
  /// place in a section that moves: then sections come and move before their rows do, and a section
  /// that rows leave goes after they have left. Each operation is in the first stage that can take it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides.
  package mutating func structuralStages(oldStarts: [Int32], newStarts: [Int32]) -> [Stage] {
    if matching.hasOnlySection {
      let stage = stageOfOnlySection()
      return stage.ops.isEmpty ? [] : [stage]
    }
    let old = Interlude(
      sections: matching.sectionsToNew.enumerated().map { $1 < 0 ? ~Int32($0) : $1 })
    let new = Interlude(
      sections: matching.sectionsToOld.indices.map { Int32($0) }, rows: matching.rowsToOld,
      starts: newStarts)
    let lastUse = lastStages(oldStarts, newStarts)
    var stages: [Stage] = []
    if lastUse.ofAny == 1 {
      stages.append(stage(1, from: old, to: new, oldStarts, newStarts, goingAfter: lastUse))
    } else {
      let first = firstInterlude(oldStarts, newStarts, lastUse)
      var second = new
      second.sections = sectionOrder { lastUse.ofSection[$0] >= 2 }
      stages.append(stage(1, from: old, to: first, oldStarts, newStarts, goingAfter: lastUse))
      stages.append(stage(2, from: first, to: second, oldStarts, newStarts, goingAfter: lastUse))
      stages.append(stage(3, from: second, to: new, oldStarts, newStarts, goingAfter: lastUse))
    }
    return stages.filter { !$0.ops.isEmpty }
  }

  /// Whether an old section is where it was once the first stage has begun.
  private func isSettled(old section: Int) -> Bool { !movement.movedSections[section] }

  /// Whether a new section was there before and does not move.
  private func isSettled(new section: Int) -> Bool {
    let old = Int(matching.sectionsToOld[section])
    return old >= 0 && isSettled(old: old)
  }

  /// The stage in which a row goes from an old section to a new one.
  private func moveStage(from old: Int, to new: Int) -> Int {
    isSettled(old: old) && isSettled(new: new) ? 1 : 2
  }

  /// The stage in which rows move.
  func moveStage(of run: MovedRun) -> Int { moveStage(from: Int(run.from), to: Int(run.to)) }

  /// By old section the last stage in which rows leave it where it vanishes, and the last of any
  /// change of rows.
  struct LastStages {
    var ofSection: [Int]
    var ofAny = 1
  }

  private func lastStages(_ oldStarts: [Int32], _ newStarts: [Int32]) -> LastStages {
    var last = LastStages(ofSection: Array(repeating: 0, count: matching.sectionsToNew.count))
    for (section, changes) in movement.rowsChange.enumerated() where changes {
      let old = Int(matching.sectionsToOld[section])
      if old >= 0, !isSettled(old: old) { last.ofAny = 2 }
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

  /// The new sections in order, and before the next settled one the vanishing ones that linger.
  private func sectionOrder(lingering: (Int) -> Bool) -> [Int32] {
    var order: [Int32] = []
    var next = 0
    func flush(upTo end: Int) {
      while next < end {
        if matching.sectionsToNew[next] < 0, lingering(next) { order.append(~Int32(next)) }
        next += 1
      }
    }
    for section in matching.sectionsToOld.indices {
      if isSettled(new: section) { flush(upTo: Int(matching.sectionsToOld[section])) }
      order.append(Int32(section))
    }
    flush(upTo: matching.sectionsToNew.count)
    return order
  }

  /// What stands where after the first stage.
  private func firstInterlude(
    _ oldStarts: [Int32], _ newStarts: [Int32], _ lastUse: LastStages
  ) -> Interlude {
    var state = Interlude(sections: sectionOrder { lastUse.ofSection[$0] >= 1 })
    state.places = Array(repeating: 0, count: matching.rowsToNew.count)
    state.rows.reserveCapacity(matching.rowsToNew.count + matching.rowsToOld.count)
    for (section, oldSection) in matching.sectionsToOld.enumerated() {
      let start = state.rows.count
      let rows = matching.rowsToOld[Int(newStarts[section])..<Int(newStarts[section + 1])]
      if oldSection < 0 {
        state.rows.append(contentsOf: rows.lazy.filter { $0 < 0 })
      } else {
        let old = Int(oldSection)
        let home = Int(oldStarts[old])..<Int(oldStarts[old + 1])
        if isSettled(old: old), movement.rowsChange[section] {
          appendSettled(home, section: section, oldStarts, newStarts, to: &state)
        } else {
          state.rows.append(contentsOf: home.lazy.map { Int32(truncatingIfNeeded: $0) })
        }
      }
      for place in start..<state.rows.count where state.rows[place] >= 0 {
        state.places[Int(state.rows[place])] = Int32(truncatingIfNeeded: place - start)
      }
      state.starts.append(Int32(truncatingIfNeeded: state.rows.count))
    }
    for section in matching.sectionsToNew.indices where lastUse.ofSection[section] >= 2 {
      var place: Int32 = 0
      for row in Int(oldStarts[section])..<Int(oldStarts[section + 1])
      where !leavesInFirstStage(row, of: section, newStarts) {
        state.places[row] = place
        place += 1
      }
    }
    return state
  }

  private func leavesInFirstStage(_ row: Int, of section: Int, _ newStarts: [Int32]) -> Bool {
    movement.movedRows[row]
      && moveStage(from: section, to: newStarts.section(ofRow: Int(matching.rowsToNew[row]))) == 1
  }

  /// The rows of a settled section after the first stage: all but those that arrive later, and before
  /// the next row that stays those that leave later.
  private func appendSettled(
    _ home: Range<Int>, section: Int, _ oldStarts: [Int32], _ newStarts: [Int32],
    to state: inout Interlude
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
            if !own.contains(target), !isSettled(new: newStarts.section(ofRow: target)) {
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
        } else if old >= 0, !isSettled(old: oldStarts.section(ofRow: old)) {
          continue
        }
        rows.append(toOld[new])
      }
      flush(upTo: home.upperBound, into: &rows)
    }
  }
}
