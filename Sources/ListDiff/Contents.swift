extension DiffEngine {
  /// Returns the last stage of a change: reloads and reconfigurations of kept rows and sections, in
  /// final coordinates.
  ///
  /// `section` and `row` return the update that a kept section or row needs, given its old and its
  /// new index. Counts the updates in ``movement``.
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
    var contents = ContentOps(newStarts: newStarts)
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      contents.append(section(Int(old), new), section: new)
    }
    if known != matching.runs {
      compare(matching.runs, &contents)
      cost.contentsCompared += matching.rowsToNew.count - movement.rowCounts.deletes
    }
    movement.rowCounts.updates = contents.rows
    movement.sectionCounts.updates = contents.sections
    return contents.stage
  }
}

/// The operations of a content stage, collected by kind.
package struct ContentOps {
  private var sectionReloads = Stage()
  private var sectionReconfigurations = Stage()
  private var reloads = Stage()
  private var reconfigurations = Stage()
  private let newStarts: [Int32]
  private var current = 0
  package private(set) var rows = 0
  package private(set) var sections = 0

  package init(newStarts: [Int32]) { self.newStarts = newStarts }

  /// Adds the update of a section, given by its new index. Sections must be added in ascending
  /// order.
  package mutating func append(_ change: ContentChange, section: Int) {
    switch change {
    case .none: return
    case .reload: sectionReloads.append(.reloadSections(at: section, count: 1))
    case .reconfigure:
      sectionReconfigurations.append(.reconfigureSections(at: section, count: 1))
    }
    sections += 1
  }

  /// Adds the update of a row, given by its new index. Rows must be added in ascending order.
  package mutating func append(_ change: ContentChange, row: Int) {
    if change == .none { return }
    while row >= Int(newStarts[current + 1]) { current += 1 }
    let path = Path(section: current, row: row - Int(newStarts[current]))
    if change == .reload {
      reloads.append(.reloadItems(at: path, count: 1))
    } else {
      reconfigurations.append(.reconfigureItems(at: path, count: 1))
    }
    rows += 1
  }

  var stage: Stage {
    // Most changes have operations of one kind only; its array is returned without a copy.
    if sections == 0, reloads.ops.isEmpty { return reconfigurations }
    return Stage(
      ops: sectionReloads.ops + sectionReconfigurations.ops + reloads.ops + reconfigurations.ops)
  }
}
