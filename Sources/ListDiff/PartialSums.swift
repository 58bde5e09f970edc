/// Sums of ranges of numbers that are set to zero one by one.
///
/// A tree of fan-out 64 in which each node keeps the sums of what comes before each of its children:
/// a sum is one number a level, and to clear one is to go over the rest of a node a level.
struct PartialSums {
  private static let fanOut = 64

  /// By level, from the numbers up: before each child the sum of its node's children before it.
  private var levels: [[Int32]] = []
  private var values: [Int32]

  init(_ values: [Int32]) {
    self.values = values
    // One more, so that there is a sum of all.
    var below = values + [0]
    repeat {
      var sums: [Int32] = []
      var level = below
      for start in stride(from: 0, to: below.count, by: Self.fanOut) {
        var sum: Int32 = 0
        for index in start..<min(start + Self.fanOut, below.count) {
          level[index] = sum
          sum += below[index]
        }
        sums.append(sum)
      }
      levels.append(level)
      below = sums
    } while below.count > 1
  }

  /// Sets a number to zero.
  ///
  /// - Complexity: O(log *n*), where *n* is how many numbers there are.
  mutating func clear(_ index: Int) {
    let value = values[index]
    values[index] = 0
    var place = index
    for level in levels.indices {
      Self.subtract(value, after: place, in: &levels[level])
      place /= Self.fanOut
    }
  }

  private static func subtract(_ value: Int32, after place: Int, in level: inout [Int32]) {
    let end = min((place / fanOut + 1) * fanOut, level.count)
    var sums = level.mutableSpan
    for index in place + 1..<max(place + 1, end) { sums[index] &-= value }
  }

  /// The sum of the numbers in a range.
  ///
  /// - Complexity: O(log *n*), where *n* is how many numbers there are.
  func sum(_ range: Range<Int>) -> Int {
    sum(before: range.upperBound) - sum(before: range.lowerBound)
  }

  private func sum(before end: Int) -> Int {
    if end == 0 { return 0 }
    var place = end
    var sum = 0
    for level in levels {
      sum += Int(level[place])
      place /= Self.fanOut
    }
    return sum
  }
}
