/// Sums of ranges of numbers that are set to zero one by one.
///
/// A tree of fan-out 64 in which each node keeps the sums of what comes before each of its children:
/// a sum is one number a level, and to clear one is to go over the rest of a node a level.
struct PartialSums {
  private static let fanOut = 64

  /// Level by level, from the numbers up: before each child the sum of its node's children before it.
  private var sums: [Int32] = []
  /// Where each level begins.
  private var starts: [Int] = []
  private var values: [Int32]

  init(_ values: [Int32]) {
    self.values = values
    // One more, so that there is a sum of all.
    var level = values + [0]
    while true {
      starts.append(sums.count)
      var above: [Int32] = []
      for start in stride(from: 0, to: level.count, by: Self.fanOut) {
        var sum: Int32 = 0
        for index in start..<min(start + Self.fanOut, level.count) {
          sums.append(sum)
          sum += level[index]
        }
        above.append(sum)
      }
      if above.count == 1 { return }
      level = above
    }
  }

  /// Sets a number to zero.
  ///
  /// - Complexity: O(log *n*), where *n* is how many numbers there are.
  mutating func clear(_ index: Int) {
    let value = values[index]
    values[index] = 0
    Self.subtract(value, after: index, starts, in: &sums)
  }

  private static func subtract(
    _ value: Int32, after index: Int, _ starts: [Int], in sums: inout [Int32]
  ) {
    var sums = sums.mutableView
    var place = index
    for level in 0..<starts.count {
      let start = starts[level]
      let end = level + 1 < starts.count ? starts[level + 1] : sums.count
      let close = min(start + (place / fanOut + 1) * fanOut, end)
      for later in start + place + 1..<max(start + place + 1, close) { sums[later] &-= value }
      place /= fanOut
    }
  }

  /// The sum of the numbers in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is how many numbers there are.
  func sum(_ range: Range<Int>) -> Int {
    sum(before: range.upperBound) - sum(before: range.lowerBound)
  }

  @inline(__always)
  private func sum(before end: Int) -> Int {
    if end == 0 { return 0 }
    var place = end
    var sum = 0
    for start in starts {
      sum += Int(sums[start + place])
      place /= Self.fanOut
    }
    return sum
  }
}
