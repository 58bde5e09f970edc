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
    let partners = finalLayout.partners(ofOld: oldShape)
    let updates = stages.updates(newRows.starts)
    let pairing = Pairing(newRows, oldRows, partners.sections, changedSections: [])
    pairing.pair(toNew: partners.rowsToNew, toOld: partners.rowsToOld)
    pairing.solve(moves: true)
    let structure = pairing.changes()
    var contents = Stage()
    let (rows, sections) = (partners.rowsToOld, partners.sections.toOld)
    for verb: Op.Verb in [.reload, .reconfigure] {
      contents.append(
        verb,
        sections: sections.indices.filter {
          sections[$0] >= 0 && updates.sections[Int(sections[$0])] == verb
        })
    }
    for verb: Op.Verb in [.reload, .reconfigure] {
      contents.append(
        verb,
        rows: rows.indices.lazy.filter { rows[$0] >= 0 && updates.rows[Int(rows[$0])] == verb }
          .map { Int32(truncatingIfNeeded: $0) }, of: oldRows)
    }
    var (rowCounts, sectionCounts) = (structure.rowCounts, structure.sectionCounts)
    (rowCounts.updates, sectionCounts.updates) = (
      self.rowCounts.updates, self.sectionCounts.updates
    )
    return Changes(
      stages: structure.stages + (contents.ops.isEmpty ? [] : [contents]), rowCounts: rowCounts,
      sectionCounts: sectionCounts, oldRows: newRows, newRows: oldRows,
      keepsEqualItems: keepsEqualItems)
  }
}

extension ListLayout {
  /// Returns the partners of the rows and sections of this list in the one with that shape, from which it was made;
  /// this one is the old list.
  @_alwaysEmitIntoClient func partners(
    ofOld shape: [Int]
  ) -> (sections: SectionPartners, rowsToNew: [Int32], rowsToOld: [Int32]) {
    var rowsToNew: [Int32] = []
    var rowsToOld = [Int32](repeating: -1, count: shape.reduce(0, +))
    var sectionsToOld = [Int32](repeating: -1, count: shape.count)
    for (index, section) in sections.enumerated() {
      if section.token >= 0 {
        sectionsToOld[Int(section.token)] = Int32(truncatingIfNeeded: index)
      }
      for token in section.rows {
        if token >= 0 { rowsToOld[Int(token)] = Int32(truncatingIfNeeded: rowsToNew.count) }
        rowsToNew.append(max(token, -1))
      }
    }
    return (
      SectionPartners(toOld: sectionsToOld, toNew: sections.map { max($0.token, -1) }), rowsToNew,
      rowsToOld
    )
  }
}

/// The content updates of some stages, by index in the list after them.
@usableFromInline typealias Updates = (rows: [Op.Verb?], sections: [Op.Verb?])

extension [Changes.Stage] {
  /// Returns the content updates. `starts` has the starts of the sections after the stages.
  @_alwaysEmitIntoClient func updates(_ starts: [Int32]) -> Updates {
    var updates: Updates = (
      [Op.Verb?](repeating: nil, count: Int(starts[starts.count - 1])),
      [Op.Verb?](repeating: nil, count: starts.count - 1)
    )
    for stage in self {
      for op in stage.ops where op.isOfContents {
        let op = op.parts
        let first = op.at.row + (op.isOfRows ? Int(starts[op.at.section]) : 0)
        for index in first..<first + op.count {
          if op.isOfRows {
            updates.rows[index] = op.verb
          } else {
            updates.sections[index] = op.verb
          }
        }
      }
    }
    return updates
  }
}
