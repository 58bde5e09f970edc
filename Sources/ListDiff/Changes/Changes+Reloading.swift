extension Changes {
  /// Returns the same change, in which the views of updated sections and of some rows are replaced.
  ///
  /// `row` is called for each updated row of the new list, and returns whether it needs a new view.
  ///
  /// - Complexity: O(*s* + *u*), where *s* is the number of sections and *u* of updates.
  @_alwaysEmitIntoClient
  package func reloading(sections: Bool, row: (ListPath) -> Bool) -> Changes {
    guard let last = stages.last, !last.changesStructure else { return self }
    let starts = newRows.starts
    var contents = ContentOps(newRows)
    for op in last.ops.lazy.map({ $0.parts }) {
      for path in op.paths {
        if op.isOfRows {
          contents.append(
            row(path) ? .reload : .reconfigure, row: Int(starts[path.section]) + path.row)
        } else {
          contents.append(sections ? .reload : .reconfigure, section: path.row)
        }
      }
    }
    var result = self
    result.storedStages[stages.count - 1] = contents.finish()
    return result
  }
}
