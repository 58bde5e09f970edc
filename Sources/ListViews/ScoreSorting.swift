/// Sorts items by numbers, those with equal numbers as they were.
enum ScoreSorting {
  private static let bits = 11

  /// Sorts items by score, the highest first, then by length, the shortest first.
  ///
  /// The numbers are sorted digit by digit from the lowest one on; digits in which none differ are left
  /// out.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items.
  static func sort(_ items: [Int32], scores: [Int32], lengths: [Int32]) -> [Int32] {
    guard items.count > 1 else { return items }
    var entries: [(key: UInt64, item: Int32)] = []
    entries.reserveCapacity(items.count)
    for (item, length) in zip(items, lengths) {
      let score = UInt32(bitPattern: scores[Int(item)])
      entries.append((UInt64(UInt32.max - score) << 32 | UInt64(UInt32(bitPattern: length)), item))
    }
    var differing: UInt64 = 0
    for entry in entries { differing |= entry.key ^ entries[0].key }
    var other = entries
    let mask = UInt64(1 << bits - 1)
    for shift in stride(from: UInt64(0), to: 64, by: bits) where differing >> shift & mask != 0 {
      var starts = [Int](repeating: 0, count: 1 << bits + 1)
      for entry in entries { starts[Int(entry.key >> shift & mask) + 1] += 1 }
      for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
      for entry in entries {
        let digit = Int(entry.key >> shift & mask)
        other[starts[digit]] = entry
        starts[digit] += 1
      }
      swap(&entries, &other)
    }
    return entries.map(\.item)
  }
}
