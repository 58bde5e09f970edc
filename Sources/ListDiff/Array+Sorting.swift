// All sorting is that of one type of element, because each type for which the standard library's sort is
// specialized adds several kilobytes to a program.

extension [UInt64] {
  /// Sorts the array, unless it is in order.
  @inline(never)
  mutating func sortIfNeeded() {
    for index in indices.dropFirst() where self[index - 1] > self[index] { return sort() }
  }
}

extension [ListPath] {
  mutating func sortPaths() {
    var words = map {
      UInt64(truncatingIfNeeded: $0.section) << 32 | UInt64(truncatingIfNeeded: $0.row)
    }
    words.sortIfNeeded()
    for (index, word) in words.enumerated() {
      self[index] = ListPath(section: Int(word >> 32), row: Int(word & 0xFFFF_FFFF))
    }
  }
}

extension [Int32] {
  /// Sorts numbers that are not negative.
  mutating func sortNumbers() {
    var words = map { UInt64(truncatingIfNeeded: $0) }
    words.sortIfNeeded()
    for (index, word) in words.enumerated() { self[index] = Int32(truncatingIfNeeded: word) }
  }
}
