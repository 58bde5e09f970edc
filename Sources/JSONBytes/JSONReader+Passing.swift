extension JSONReader {
  /// How many of the bytes that come next are those that stand at `range` in other bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the result.
  package func common(with other: SharedBytes, at range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
    // Both sides have that many bytes.
    let count = min(range.count, limit &- offset)
    return Bytes.commonPrefix(
      base + offset, other.base + range.lowerBound, count: count)
  }

  /// Passes bytes that are known to be whole values with what separates them, the first of which
  /// has been found by `nextElement`.
  package mutating func pass(_ count: Int) {
    precondition(count >= 0 && count <= limit &- offset)
    offset &+= count
    isFresh = false
  }

  /// The byte before the end of the `count` bytes that come next.
  @inline(__always)
  package func lastByte(ofNext count: Int) -> UInt8 {
    precondition(count > 0 && count <= limit &- offset)
    return byte(offset &+ count &- 1)
  }

  /// The string that is the value of the first member of the object that comes next, where the
  /// member has the given name, nothing is escaped and there is hardly any white space.
  ///
  /// It is a guess to save work: nothing has been checked and the reader does not move.
  @inline(__always)
  package func guessedFirstString(_ name: StaticString) -> Range<Int>? {
    guessedFirstString(name, at: offset)
  }

  /// As `guessedFirstString`, of an object that may begin at a place.
  @inline(__always)
  func guessedFirstString(_ name: StaticString, at start: Int) -> Range<Int>? {
    let length = name.utf8CodeUnitCount
    var p = start &+ 2
    // What follows the limit can be read, and the result ends before the limit.
    guard length <= 8, byte(start) == 0x7B, byte(start &+ 1) == 0x22 else { return nil }
    for place in 0..<length where byte(p &+ place) != name.utf8Start[place] { return nil }
    p &+= length
    guard byte(p) == 0x22, byte(p &+ 1) == 0x3A else { return nil }
    p &+= 2
    if byte(p) == 0x20 { p &+= 1 }
    guard byte(p) == 0x22 else { return nil }
    p &+= 1
    let end = plainEnd(p)
    guard end < limit, byte(end) == 0x22 else { return nil }
    return unsafeRange(p, end)
  }
}

extension Bytes {
  /// How many bytes at two addresses are the same, up to the first that differs.
  ///
  /// - Complexity: O(*n*), where *n* is the result.
  static func commonPrefix(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Int {
    var offset = 0
    // In bounds: each load ends at or before `count`.
    while offset &+ 64 <= count {
      var difference = SIMD2<UInt64>(repeating: 0)
      for step in 0..<4 {
        let left = a.loadUnaligned(fromByteOffset: offset &+ step &* 16, as: SIMD2<UInt64>.self)
        let right = b.loadUnaligned(fromByteOffset: offset &+ step &* 16, as: SIMD2<UInt64>.self)
        difference |= left ^ right
      }
      if difference[0] | difference[1] != 0 { break }
      offset &+= 64
    }
    while offset &+ 8 <= count {
      let left = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let right = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // Little-endian, as every platform of Swift: the first byte is the lowest.
      if left != right { return offset &+ (left ^ right).trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < count,
      a.load(fromByteOffset: offset, as: UInt8.self)
        == b.load(fromByteOffset: offset, as: UInt8.self)
    {
      offset &+= 1
    }
    return offset
  }
}
