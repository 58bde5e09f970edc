import JSONBytes

extension MemberRanges {
  /// Reports whether members other than `key` were found.
  @inline(__always)
  func hasOthers<Key: RawRepresentable<Int>>(than key: Key) -> Bool {
    mask & ~(1 &<< UInt8(truncatingIfNeeded: key.rawValue)) != 0
  }

  /// Reports whether `key` is the only member that was found.
  @inline(__always)
  func hasOnly<Key: RawRepresentable<Int>>(_ key: Key) -> Bool {
    mask == 1 &<< UInt8(truncatingIfNeeded: key.rawValue)
  }
}
