extension DiffEngine {
  /// The last stage of a change: reloads and reconfigurations of what was kept, in final places.
  ///
  /// `section` and `row` tell, of an old and a new index, what the kept section or row needs.
  /// Counts the updates in ``movement``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections, and as many calls.
  package mutating func contentStage(
    newStarts: [Int32], section: (Int, Int) -> ContentChange, row: (Int, Int) -> ContentChange
  ) -> Stage {
    contentStage(newStarts: newStarts, section: section) { run, contents in
      for offset in 0..<Int(run.count) {
        let change = row(Int(run.old) + offset, Int(run.new) + offset)
        if change != .none { contents.append(change, row: Int(run.new) + offset) }
      }
    }
  }

  /// The last stage of a change, where `compare` is given a whole run of kept rows at a time and
  /// appends those that changed, in order.
  ///
  /// So contents that lie side by side can be compared at once. Where all rows are `known` to be the
  /// same, none are.
  ///
  /// - Complexity: O(*r* + *s* + *c*), where *r* is the number of runs, *s* of sections and *c* of
  ///   rows that changed, and what `compare` takes.
  package mutating func contentStage(
    newStarts: [Int32], known: [MatchedRun] = [], section: (Int, Int) -> ContentChange,
    comparing compare: (MatchedRun, inout ContentOps) -> Void
  ) -> Stage {
    var contents = ContentOps(newStarts: newStarts)
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      contents.append(section(Int(old), new), section: new)
    }
    if known != matching.runs {
      for run in matching.runs {
        compare(run, &contents)
        cost.contentsCompared += Int(run.count)
      }
    }
    movement.rowCounts.updates = contents.rows
    movement.sectionCounts.updates = contents.sections
    return contents.stage
  }
}

/// The operations of a stage of contents, by kind until all are known.
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

  /// Adds what the section at a new index needs; the sections come in order.
  package mutating func append(_ change: ContentChange, section: Int) {
    switch change {
    case .none: return
    case .reload: sectionReloads.append(.reloadSections(at: section, count: 1))
    case .reconfigure:
      sectionReconfigurations.append(.reconfigureSections(at: section, count: 1))
    }
    sections += 1
  }

  /// Adds what the row at a new index needs; the rows come in order.
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
    // Most changes have one kind of operation, whose array need not be copied.
    if sections == 0, reloads.ops.isEmpty { return reconfigurations }
    return Stage(
      ops: sectionReloads.ops + sectionReconfigurations.ops + reloads.ops + reconfigurations.ops)
  }
}
