extension Bytes {
  /// Returns the end of the line at `start`, after its line feed if it has one, and a hash of the
  /// line.
  ///
  /// 16 bytes after the last one must be readable. Equal lines have equal hashes for the same seed.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the line.
  @inline(__always)
  package static func line(
    from start: Int, in bytes: UnsafeRawBufferPointer, seed: UInt64
  ) -> (end: Int, hash: UInt64) {
    precondition(start >= 0 && start < bytes.count)
    let feed = SIMD16<UInt8>(repeating: 0x0A)
    let second = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    // In bounds: each load begins before the end, and 16 bytes after the end are readable.
    let base = bytes.baseAddress.unsafelyUnwrapped
    let count = bytes.count
    var offset = start
    var hash = seed
    while true {
      let chunk = base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let found = unsafeBitCast(chunk .== feed, to: SIMD2<UInt64>.self)
      let words = unsafeBitCast(chunk, to: SIMD2<UInt64>.self)
      if found[0] | found[1] == 0, offset &+ 16 <= count {
        hash = fold(words[0] ^ hash, words[1] ^ second)
        offset &+= 16
        if offset == count { return (offset, hash) }
        continue
      }
      var length = 16
      if found[0] != 0 {
        length = found[0].trailingZeroBitCount &>> 3 &+ 1
      } else if found[1] != 0 {
        length = 9 &+ found[1].trailingZeroBitCount &>> 3
      }
      length = min(length, count &- offset)
      let low = words[0] & lowBytes(length)
      let high = words[1] & lowBytes(length &- 8)
      hash = fold(low ^ hash, high ^ second &+ UInt64(truncatingIfNeeded: length))
      return (offset &+ length, hash)
    }
  }

  /// Returns a hash of the bytes. 16 bytes after the last one must be readable.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    guard let base = bytes.baseAddress else { return seed }
    let second = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var hash = seed
    var offset = 0
    while offset < bytes.count {
      let length = min(16, bytes.count &- offset)
      let words = base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      hash = fold(
        words[0] & lowBytes(length) ^ hash,
        words[1] & lowBytes(length &- 8) ^ second &+ UInt64(truncatingIfNeeded: length))
      offset &+= 16
    }
    return hash
  }

  /// Returns a mask of the first `count` bytes of a word: empty if `count` is negative, full from 8
  /// on.
  @inline(__always)
  private static func lowBytes(_ count: Int) -> UInt64 {
    if count >= 8 { return .max }
    return count <= 0 ? 0 : (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// Returns the offset of the last `byte` before `end`, or nil.
  ///
  /// - Complexity: O(*n*), where *n* is the distance to it.
  package static func lastIndex(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, before end: Int
  ) -> Int? {
    var offset = end
    let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
    // In bounds: each load begins at or after the start.
    while offset >= 8 {
      let word = bytes.loadUnaligned(fromByteOffset: offset &- 8, as: UInt64.self) ^ pattern
      // A byte of which the lower bits are zero and the upper one, too.
      let sums = (word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
      let found = ~(sums | word) & 0x8080_8080_8080_8080
      if found != 0 { return offset &- 1 &- found.littleEndian.leadingZeroBitCount &>> 3 }
      offset &-= 8
    }
    while offset > 0 {
      offset -= 1
      if bytes[offset] == byte { return offset }
    }
    return nil
  }

  /// Returns whether all bytes are printable ASCII, tabs or line feeds.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func isPlainText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F || byte == 0x0A || byte == 0x09 }
    let feed = SIMD16<UInt8>(repeating: 0x0A)
    let tab = SIMD16<UInt8>(repeating: 0x09)
    let blank = SIMD16<UInt8>(repeating: 0x20)
    let limit = SIMD16<UInt8>(repeating: 0x5F)
    var offset = 0
    // In bounds: each load ends at or before the end.
    while offset &+ 16 <= bytes.count {
      let chunk = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let plain = (chunk &- blank .< limit) .| (chunk .== feed) .| (chunk .== tab)
      let words = unsafeBitCast(plain, to: SIMD2<UInt64>.self)
      if words[0] & words[1] != .max { return false }
      offset &+= 16
    }
    return bytes[offset...].allSatisfy(isPlain)
  }

  /// Returns the number of bytes from `start` on that are ASCII and not NUL.
  ///
  /// - Complexity: O(*n*), where *n* is the result.
  package static func plainPrefix(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var offset = start
    let ones = SIMD4<UInt64>(repeating: 0x0101_0101_0101_0101)
    let signs: UInt64 = 0x8080_8080_8080_8080
    // In bounds: each load ends at or before the end.
    while offset &+ 32 <= bytes.count {
      let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      // The lowest NUL borrows; its effect on the bytes above does not matter.
      let marks = words | (words &- ones)
      if (marks[0] | marks[1] | marks[2] | marks[3]) & signs != 0 { break }
      offset &+= 32
    }
    while offset < bytes.count, bytes[offset] &- 1 < 0x7F { offset &+= 1 }
    return offset &- start
  }
}
