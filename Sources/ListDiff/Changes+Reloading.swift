extension Changes {
  /// Returns the same change, in which the views of some updated sections and rows are replaced.
  ///
  /// `section` and `row` are called for each updated section and row of the new list, and return
  /// whether it needs a new view.
  ///
  /// - Complexity: O(*s* + *u*), where *s* is the number of sections and *u* of updates.
  package func reloading(
    section: (Int) -> Bool, row: (ListPath) -> Bool
  ) -> Changes {
    guard let last = stages.last, !last.changesStructure else { return self }
    let starts = newShape.starts
    var contents = ContentOps(newStarts: starts)
    for op in last.ops {
      switch op {
      case .reconfigureSections(let at, let count):
        for index in at..<at + count {
          contents.append(section(index) ? .reload : .reconfigure, section: index)
        }
      case .reconfigureItems(let at, let count):
        for offset in 0..<count {
          let path = at.advanced(by: offset)
          contents.append(
            row(path) ? .reload : .reconfigure, row: Int(starts[path.section]) + path.row)
        }
      default: preconditionFailure("the change was computed from two lists")
      }
    }
    var result = self
    result.stages[stages.count - 1] = contents.stage
    return result
  }
}
