import ListDiff
internal import ListStages

extension Changes {
  /// Returns the same change, in which the views of updated sections and of some rows are replaced.
  ///
  /// `row` is called for each updated row of the new list, and returns whether it needs a new view.
  ///
  /// - Complexity: O(*s* + *u*), where *s* is the number of sections and *u* of updates.
  package func reloading(sections: Bool, row: (ListPath) -> Bool) -> Changes {
    guard let last = stages.last, !last.changesStructure else { return self }
    let starts = newShape.sums
    var contents = ContentOps(starts: starts)
    for op in last.ops.lazy.map({ $0.parts }) {
      for path in op.at.paths(op.count) {
        if op.isOfRows {
          contents.append(
            row(path) ? .reload : .reconfigure, row: Int(starts[path.section]) + path.row)
        } else {
          contents.append(sections ? .reload : .reconfigure, section: path.row)
        }
      }
    }
    return Changes(self, stages: stages.dropLast() + [contents.finish()])
  }
}
