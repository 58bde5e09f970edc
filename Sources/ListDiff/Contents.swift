extension DiffEngine {
  /// The last stage of a change: reloads and reconfigurations of what was kept, in final places.
  ///
  /// `section` and `row` tell, of an old and a new index, what the kept section or row needs.
  /// Counts the updates in ``movement``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections, and as many calls.
  @inlinable
  package mutating func contentStage(
    newStarts: [Int32], section: (Int, Int) -> ContentChange, row: (Int, Int) -> ContentChange
  ) -> Stage {
    var stages = ContentOps()
    for (new, old) in matching.sectionsToOld.enumerated() where old >= 0 {
      stages.append(section(Int(old), new), section: new)
    }
    for section in matching.sectionsToOld.indices {
      let start = Int(newStarts[section])
      for new in start..<Int(newStarts[section + 1]) {
        let old = matching.rowsToOld[new]
        guard old >= 0 else { continue }
        let change = row(Int(old), new)
        if change != .none { stages.append(change, at: Path(section: section, row: new - start)) }
      }
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
    Stage(
      ops: sectionReloads.ops + sectionReconfigurations.ops + reloads.ops + reconfigurations.ops)
  }
}
