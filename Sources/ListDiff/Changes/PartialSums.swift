// Sums of ranges of numbers that change one by one, as a binary indexed tree: an element is the sum of the numbers
// whose index follows that of the element without its lowest bit, up to its own (Fenwick, "A new data structure for
// cumulative frequency tables", 1994).

extension [Int32] {
  /// Creates the tree of some numbers.
  @_alwaysEmitIntoClient init(partialSumsOf numbers: some Collection<Int32>) {
    self = [0]
    append(contentsOf: numbers)
    for index in indices.dropFirst() {
      let next = index + index & -index
      if next < count { self[next] += self[index] }
    }
  }

  /// Subtracts from a number.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of numbers.
  @_alwaysEmitIntoClient mutating func subtract(_ value: Int32, at number: Int) {
    var index = number + 1
    while index < count {
      self[index] -= value
      index += index & -index
    }
  }

  /// Returns the sum of the numbers in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of numbers.
  @_alwaysEmitIntoClient func partialSum(_ range: Range<Int>) -> Int {
    partialSum(before: range.upperBound) - partialSum(before: range.lowerBound)
  }

  @_alwaysEmitIntoClient func partialSum(before end: Int) -> Int {
    var sum = 0
    var index = end
    while index > 0 {
      sum += Int(self[index])
      index &= index - 1
    }
    return sum
  }
}
