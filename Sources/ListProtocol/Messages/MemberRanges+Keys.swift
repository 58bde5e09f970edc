import JSONBytes

extension MemberRanges {
  /// Returns the range of the value of a member, by its position among the names that were sought.
  @inline(__always)
  package subscript<Key: RawRepresentable<Int>>(key: Key) -> Range<Int>? { self[key.rawValue] }

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
