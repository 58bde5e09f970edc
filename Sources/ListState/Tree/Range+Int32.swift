extension Range<Int> {
  init(_ range: Range<Int32>) { self = Int(range.lowerBound)..<Int(range.upperBound) }
}

extension Range<Int32> {
  init(_ range: Range<Int>) {
    self =
      Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound)
  }
}
