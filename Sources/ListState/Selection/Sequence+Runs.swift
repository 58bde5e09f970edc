extension Sequence<Int> {
  /// The ranges of consecutive integers in a sequence whose integers ascend.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the sequence.
  package var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for element in self {
      if let last = runs.last, last.upperBound == element {
        runs[runs.count - 1] = last.lowerBound..<element + 1
      } else {
        runs.append(element..<element + 1)
      }
    }
    return runs
  }
}
