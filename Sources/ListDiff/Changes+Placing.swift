extension Changes {
  /// Returns the same change for a longer list, with unchanged sections before and after these.
  ///
  /// `before` and `after` hold the number of rows of each of these sections.
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
