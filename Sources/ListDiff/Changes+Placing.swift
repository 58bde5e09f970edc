extension Changes {
  /// The same change as one of a longer list, with other sections before and after these.
  ///
  /// `before` and `after` are the numbers of rows of these sections, which do not change.
  ///
  /// - Complexity: O(*s* + *k*), where *s* is the number of sections and *k* of operations.
  public func placed(after before: [Int], before after: [Int]) -> Changes {
    var result = self
    result.stages = stages.map { $0.shifted(by: before.count) }
    result.oldRows = ListShape(before + oldShape + after)
    result.newRows = ListShape(before + newShape + after)
    return result
  }
}
