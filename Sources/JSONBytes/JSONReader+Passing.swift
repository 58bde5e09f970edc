import ByteBuffers

extension JSONReader {
  /// Returns how many of the next bytes equal those of `range` in other bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the result.
  package func common(with other: SharedBytes, at range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
    // Both sides have that many bytes.
    let count = min(range.count, limit &- offset)
    return Bytes.commonPrefix(
      base + offset, other.base + range.lowerBound, count: count)
  }

  /// Skips bytes that are known to be whole values with their separators. `nextElement` must have
  /// found the first of them.
  package mutating func pass(_ count: Int) {
    precondition(count >= 0 && count <= limit &- offset)
    offset &+= count
    isFresh = false
  }

  /// Skips bytes that are a member or the name of one with its separators, if they are the next ones. Returns
  /// whether they are.
  package mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= limit &- offset,
      Bytes.equal(base + offset, UnsafeRawPointer(text.utf8Start), count: count)
    else { return false }
    pass(count)
    return true
  }

  /// Returns the last of the next `count` bytes.
  @inline(__always)
  package func lastByte(ofNext count: Int) -> UInt8 {
    precondition(count > 0 && count <= limit &- offset)
    return byte(offset &+ count &- 1)
  }

  /// Returns the string value of the first member of the next object, if that member has the given
  /// name, the string has no escapes, and there is hardly any white space.
  ///
  /// The result is speculative: nothing is validated, and the reader does not move.
  @inline(__always)
  package func speculativeFirstString(_ name: StaticString) -> Range<Int>? {
    speculativeFirstString(name, at: offset)
  }

  /// Does the same as `speculativeFirstString(_:)` for an object that may begin at `start`.
  @inline(__always)
  func speculativeFirstString(_ name: StaticString, at start: Int) -> Range<Int>? {
    let length = name.utf8CodeUnitCount
    var p = start &+ 2
    // Bytes after the limit are readable, and the result ends before the limit.
    guard length <= 8, byte(start) == 0x7B, byte(start &+ 1) == 0x22 else { return nil }
    for index in 0..<length where byte(p &+ index) != name.utf8Start[index] { return nil }
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
  /// Returns the length of the common prefix of `count` bytes at two addresses.
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
      // All platforms of Swift are little-endian: the first byte is the lowest.
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
