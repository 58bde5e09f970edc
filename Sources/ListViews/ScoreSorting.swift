/// Sorts items by score and length. The sort is stable.
enum ScoreSorting {
  private static let bits = 11

  /// Returns items sorted by score, the highest first, then by length, the shortest first.
  ///
  /// Score, length and index are packed into one integer, whose upper part is sorted by digits, the
  /// least significant digit first (a radix sort). Returns `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items.
  static func sort(
    _ items: [Int32], _ ranks: ItemRanks, isStopped: () -> Bool
  ) -> [Int32]? {
    guard items.count > 1, !ranks.scores.isEmpty else { return items }
    let scores = ranks.scores
    var highest = Int32.min
    var lowest = Int32.max
    var longest: Int32 = 0
    for item in items {
      highest = max(highest, scores[Int(item)])
      lowest = min(lowest, scores[Int(item)])
      longest = max(longest, ranks.length(of: item))
    }
    let indexBits = width(of: Int32(truncatingIfNeeded: items.count - 1))
    let lengthBits = width(of: longest)
    let scoreBits = UInt64(64 - (Int(highest) - Int(lowest)).leadingZeroBitCount)
    guard indexBits + lengthBits + scoreBits <= 64 else { return sortSlowly(items, ranks) }
    var entries: [UInt64] = []
    entries.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      let rank =
        UInt64(Int(highest) - Int(scores[Int(item)])) << lengthBits
        | UInt64(ranks.length(of: item))
      entries.append(rank << indexBits | UInt64(index))
    }
    var other = entries
    for shift in stride(from: indexBits, to: indexBits + lengthBits + scoreBits, by: bits) {
      if isStopped() { return nil }
      sort(&other, from: entries, by: shift)
      swap(&entries, &other)
    }
    if isStopped() { return nil }
    let mask = UInt64(1) << indexBits - 1
    return entries.map { items[Int($0 & mask)] }
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
  private static func sortSlowly(_ items: [Int32], _ ranks: ItemRanks) -> [Int32] {
    func length(_ index: Int) -> Int32 { ranks.length(of: items[index]) }
    let indices = items.indices.sorted { a, b in
      let (left, right) = (ranks.scores[Int(items[a])], ranks.scores[Int(items[b])])
      return left != right ? left > right : (length(a), a) < (length(b), b)
    }
    return indices.map { items[$0] }
  }
}
