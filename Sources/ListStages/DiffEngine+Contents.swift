import ListDiff

extension DiffEngine {
  /// Returns all stages of the change, for rows and sections that are paired.
  ///
  /// `section` and `row` return the updates as for ``contentStage(newStarts:section:row:)``.
  package mutating func stages(
    oldStarts: [Int32], newStarts: [Int32], section: (Int, Int) -> ContentChange,
    row: (Int, Int) -> ContentChange
  ) -> [Stage] {
    findMoves(oldStarts: oldStarts, newStarts: newStarts)
    let structure = structuralStages(oldStarts: oldStarts, newStarts: newStarts)
    let contents = contentStage(newStarts: newStarts, section: section, row: row)
    return contents.ops.isEmpty ? structure : structure + [contents]
  }

  /// Returns the last stage of a change: reloads and reconfigurations of kept rows and sections, in
  /// final coordinates.
  ///
  /// `section` and `row` return the update that a kept section or row needs, given its old and its
  /// new index. Counts the updates in the engine's movement.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections, and at most *n* calls of
  ///   the closures.
  package mutating func contentStage(
    newStarts: [Int32], section: (Int, Int) -> ContentChange, row: (Int, Int) -> ContentChange
  ) -> Stage {
    contentStage(newStarts: newStarts, section: section) { runs, contents in
      for run in runs {
        for offset in 0..<Int(run.count) {
          let change = row(Int(run.old) + offset, Int(run.new) + offset)
          if change != .none { contents.append(change, row: Int(run.new) + offset) }
        }
      }
    }
  }

  /// Returns the last stage of a change. `compare` receives the runs of kept rows and appends the
  /// rows that changed, in order.
  ///
  /// This lets the caller compare adjacent contents at once. If `known` equals the runs of the
  /// matching, all rows are known to be unchanged, and none is compared.
  ///
  /// - Complexity: O(*r* + *s* + *c*), where *r* is the number of runs, *s* of sections and *c* of
  ///   rows that changed, in addition to the call of `compare`.
  package mutating func contentStage(
    newStarts: [Int32], known: [MatchedRun] = [], section: (Int, Int) -> ContentChange,
    comparing compare: ([MatchedRun], inout ContentOps) -> Void
  ) -> Stage {
    var contents = ContentOps(starts: newStarts)
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      contents.append(section(Int(old), new), section: new)
    }
    if known != matching.runs {
      compare(matching.runs, &contents)
      cost.compared += matching.rowsToNew.count - movement.rowCounts.deletes
    }
    movement.rowCounts.updates = contents.rows
    movement.sectionCounts.updates = contents.sections
    return contents.finish()
  }
}
