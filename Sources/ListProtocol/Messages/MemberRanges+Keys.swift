import JSONBytes

extension MemberRanges {
  /// Reports whether members other than `key` were found.
  @inline(__always)
  func hasOthers<Key: RawRepresentable<Int>>(than key: Key) -> Bool {
    mask & ~(1 &<< UInt8(truncatingIfNeeded: key.rawValue)) != 0
  }

  /// Reports whether a range that was found meets a condition.
  @inline(__always)
  func contains(where isWanted: (Range<Int>) -> Bool) -> Bool {
    var rest = mask
    while rest != 0 {
      if let range = self[rest.trailingZeroBitCount], isWanted(range) { return true }
      rest &= rest &- 1
    }
    return false
  }

  /// Reports whether `key` is the only member that was found.
  @inline(__always)
  func hasOnly<Key: RawRepresentable<Int>>(_ key: Key) -> Bool {
    mask == 1 &<< UInt8(truncatingIfNeeded: key.rawValue)
  }
}
