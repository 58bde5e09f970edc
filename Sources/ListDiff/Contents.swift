extension DiffEngine {
  /// The last stage of a change: reloads and reconfigurations of what was kept, in final places.
  ///
  /// `section` and `row` tell, of an old and a new index, what the kept section or row needs.
  /// Counts the updates in ``movement``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections, and as many calls.
  @inlinable @inline(__always)
  package mutating func contentStage(
    newStarts: [Int32], section: (Int, Int) -> ContentChange, row: (Int, Int) -> ContentChange
  ) -> Stage {
    var stages = ContentOps()
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      stages.append(section(Int(old), new), section: new)
    }
    var current = 0
    for run in matching.runs {
      let old = Int(run.old)
      let first = Int(run.new)
      for offset in 0..<Int(run.count) {
        let change = row(old + offset, first + offset)
        if change == .none { continue }
        let new = first + offset
        while new >= Int(newStarts[current + 1]) { current += 1 }
        stages.append(change, at: Path(section: current, row: new - Int(newStarts[current])))
      }
      cost.contentsCompared += Int(run.count)
    }
    movement.rowCounts.updates = stages.rows
    movement.sectionCounts.updates = stages.sections
    return stages.stage
  }
}

/// The operations of a stage of contents, by kind until all are known.
@usableFromInline
package struct ContentOps {
  private var sectionReloads = Stage()
  private var sectionReconfigurations = Stage()
  private var reloads = Stage()
  private var reconfigurations = Stage()
  @usableFromInline package private(set) var rows = 0
  @usableFromInline package private(set) var sections = 0

  @usableFromInline package init() {}

  @usableFromInline
  package mutating func append(_ change: ContentChange, section: Int) {
    switch change {
    case .none: return
    case .reload: sectionReloads.append(.reloadSections(at: section, count: 1))
    case .reconfigure:
      sectionReconfigurations.append(.reconfigureSections(at: section, count: 1))
    }
    sections += 1
  }

  @usableFromInline
  package mutating func append(_ change: ContentChange, at path: Path) {
    switch change {
    case .none: return
    case .reload: reloads.append(.reloadItems(at: path, count: 1))
    case .reconfigure: reconfigurations.append(.reconfigureItems(at: path, count: 1))
    }
    rows += 1
  }

  @usableFromInline
  package var stage: Stage {
    // Most changes have one kind of operation, whose array need not be copied.
    if rows == 0, sections == 0 { return Stage() }
    if sections == 0, reloads.ops.isEmpty { return reconfigurations }
    return Stage(
      ops: sectionReloads.ops + sectionReconfigurations.ops + reloads.ops + reconfigurations.ops)
  }
}
