/// Sums of ranges of numbers that are set to zero one by one.
///
/// A tree of fan-out 64. Each node stores, for each child, the sum of the children before it. A sum
/// reads one number per level; setting a number to zero updates the rest of one node per level.
@frozen @usableFromInline
struct PartialSums: ~Copyable {
  @_alwaysEmitIntoClient static var fanOut: Int { 64 }

  /// For each level, beginning with the numbers: for each child, the sum of its siblings before it.
  @usableFromInline var sums: [Int32] = []
  /// The index of the first element of each level.
  @usableFromInline var starts: [Int] = []
  @usableFromInline var values: [Int32]

  @_alwaysEmitIntoClient init(_ values: [Int32]) {
    self.values = values
    // One element more, so that the sum of all numbers can be read.
    var level = values + [0]
    while true {
      starts.append(sums.count)
      var above: [Int32] = []
      for start in stride(from: 0, to: level.count, by: Self.fanOut) {
        var sum: Int32 = 0
        for child in start..<min(start + Self.fanOut, level.count) {
          sums.append(sum)
          sum += level[child]
        }
        above.append(sum)
      }
      if above.count == 1 { return }
      level = above
    }
  }

  /// Sets a number to zero.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of numbers.
  @_alwaysEmitIntoClient mutating func clear(_ index: Int) {
    let value = values[index]
    values[index] = 0
    Self.subtract(value, after: index, starts, in: &sums)
  }

  @_alwaysEmitIntoClient static func subtract(
    _ value: Int32, after cleared: Int, _ starts: [Int], in sums: inout [Int32]
  ) {
    var index = cleared
    for level in 0..<starts.count {
      let start = starts[level]
      let end = level + 1 < starts.count ? starts[level + 1] : sums.count
      let close = min(start + (index / fanOut + 1) * fanOut, end)
      for later in start + index + 1..<max(start + index + 1, close) { sums[later] &-= value }
      index /= fanOut
    }
  }

  /// Returns the sum of the numbers in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of numbers.
  @_alwaysEmitIntoClient func sum(_ range: Range<Int>) -> Int {
    sum(before: range.upperBound) - sum(before: range.lowerBound)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func sum(before end: Int) -> Int {
    if end == 0 { return 0 }
    var index = end
    var sum = 0
    for start in starts {
      sum += Int(sums[start + index])
      index /= Self.fanOut
    }
    return sum
  }
}
