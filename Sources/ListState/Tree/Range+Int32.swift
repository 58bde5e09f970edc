extension Range<Int> {
  init(_ range: Range<Int32>) { self = Int(range.lowerBound)..<Int(range.upperBound) }
}

extension Range<Int32> {
  init(_ range: Range<Int>) {
    self =
      Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound)
  }
}

extension Range<Int> {
  /// Returns the first element that does not satisfy a condition, or the end. No element after it does.
  func partitioned(by isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
