/// Sorts items by score and length. The sort is stable.
enum ScoreSorting {
  private static let bits = 11

  /// Returns ascending items sorted by score, the highest first, then by length, the shortest first.
  ///
  /// Score, length and item are packed into one integer, whose upper part is sorted by digits, the
  /// least significant digit first (a radix sort). Returns `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items.
  static func sort(
    _ items: [Int32], scores: [Int32], lengths: [Int32], isStopped: () -> Bool
  ) -> [Int32]? {
    guard items.count > 1 else { return items }
    var highest = Int32.min
    var lowest = Int32.max
    for item in items {
      highest = max(highest, scores[Int(item)])
      lowest = min(lowest, scores[Int(item)])
    }
    let itemBits = width(of: items[items.count - 1])
    let lengthBits = width(of: lengths.max() ?? 0)
    let scoreBits = UInt64(64 - (Int(highest) - Int(lowest)).leadingZeroBitCount)
    guard itemBits + lengthBits + scoreBits <= 64 else {
      return sortSlowly(items, scores: scores, lengths: lengths)
    }
    var entries: [UInt64] = []
    entries.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let rank =
        UInt64(Int(highest) - Int(scores[Int(item)])) << lengthBits | UInt64(lengths[index])
      entries.append(rank << itemBits | UInt64(item))
    }
    var other = entries
    for shift in stride(from: itemBits, to: itemBits + lengthBits + scoreBits, by: bits) {
      if isStopped() { return nil }
      sort(&other, from: entries, by: shift)
      swap(&entries, &other)
    }
    if isStopped() { return nil }
    let mask = UInt64(1) << itemBits - 1
    return entries.map { Int32(truncatingIfNeeded: $0 & mask) }
  }

  private static func width(of number: Int32) -> UInt64 {
    UInt64(32 - number.leadingZeroBitCount)
  }

  /// Copies entries to another array, sorted by one digit.
  private static func sort(
    _ entries: inout [UInt64], from others: [UInt64], by shift: UInt64
  ) {
    let mask = UInt64(1 << bits - 1)
    var starts = [Int](repeating: 0, count: 1 << bits)
    for entry in others { starts[Int(entry >> shift & mask)] += 1 }
    var start = 0
    for digit in starts.indices {
      let count = starts[digit]
      starts[digit] = start
      start += count
    }
    for entry in others {
      let digit = Int(entry >> shift & mask)
      entries[starts[digit]] = entry
      starts[digit] += 1
    }
  }

  /// Sorts numbers that do not fit into one integer.
  private static func sortSlowly(
    _ items: [Int32], scores: [Int32], lengths: [Int32]
  ) -> [Int32] {
    let indices = items.indices.sorted { a, b in
      let (left, right) = (scores[Int(items[a])], scores[Int(items[b])])
      return left != right ? left > right : (lengths[a], a) < (lengths[b], b)
    }
    return indices.map { items[$0] }
  }
}
