extension Changes {
  /// The change from the new list back to the old one.
  ///
  /// ```swift
  /// for step in try changes.inverse.steps(from: new, to: old) {
  ///   tableView.performBatchUpdates(step.stage) { items = step.data }
  /// }
  /// ```
  ///
  /// It has the same numbers of moves and updates, deletes the inserted rows and inserts the
  /// deleted ones. A row that is reloaded or reconfigured is so in both directions.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of rows and sections and *k* of
  ///   operations.
  @_alwaysEmitIntoClient public var inverse: Changes {
    var engine = DiffEngine()
    engine.matching = finalLayout.matchingBack(to: oldShape)
    let oldStarts = newShape.sums
    let newStarts = oldShape.sums
    let updates = stages.updates(oldStarts)
    let stages = engine.stages(oldStarts: oldStarts, newStarts: newStarts) { old, _ in
      updates.sections[old]
    } row: { old, _ in
      updates.rows[old]
    }
    var result = Changes(
      stages: stages, rowCounts: engine.movement.rowCounts,
      sectionCounts: engine.movement.sectionCounts, oldRows: newRows, newRows: oldRows)
    result.keepsEqualItems = keepsEqualItems
    return result
  }
}

extension ListLayout {
  /// Returns the matching from this list back to the one with that shape, from which it was made.
  @_alwaysEmitIntoClient func matchingBack(to shape: [Int]) -> Matching {
    var matching = Matching()
    matching.rowsToOld = Array(repeating: -1, count: shape.reduce(0, +))
    matching.sectionsToOld = Array(repeating: -1, count: shape.count)
    for (index, section) in sections.enumerated() {
      matching.sectionsToNew.append(max(section.token, -1))
      if section.token >= 0 {
        matching.sectionsToOld[Int(section.token)] = Int32(truncatingIfNeeded: index)
      }
      for token in section.rows {
        if token >= 0 {
          matching.rowsToOld[Int(token)] = Int32(truncatingIfNeeded: matching.rowsToNew.count)
        }
        matching.rowsToNew.append(max(token, -1))
      }
    }
    matching.gatherRuns()
    return matching
  }
}

/// The content updates of some stages, by index in the list after them.
@usableFromInline typealias Updates = (rows: [ContentChange], sections: [ContentChange])

extension [Changes.Stage] {
  /// Returns the content updates. `starts` has the starts of the sections after the stages.
  @_alwaysEmitIntoClient func updates(_ starts: [Int32]) -> Updates {
    var updates: Updates = (
      [ContentChange](repeating: .none, count: Int(starts[starts.count - 1])),
      [ContentChange](repeating: .none, count: starts.count - 1)
    )
    for stage in self {
      for op in stage.ops where op.isOfContents {
        let op = op.parts
        let change: ContentChange = op.verb == .reload ? .reload : .reconfigure
        let first = op.at.row + (op.isOfRows ? Int(starts[op.at.section]) : 0)
        for index in first..<first + op.count {
          if op.isOfRows { updates.rows[index] = change } else { updates.sections[index] = change }
        }
      }
    }
    return updates
  }
}
