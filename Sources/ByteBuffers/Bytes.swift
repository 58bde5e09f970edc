/// Compares and searches bytes a word at a time.
package enum Bytes {
  /// Returns whether `count` bytes at two addresses are equal.
  ///
  /// - Complexity: O(*n*), where *n* is `count`.
  package static func equal(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    var offset = 0
    while offset &+ 16 <= count {
      let left = a.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      let right = b.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      let difference = left ^ right
      if difference[0] | difference[1] != 0 { return false }
      offset &+= 16
    }
    if count >= 8 {
      // The last words may overlap bytes that were compared already.
      while offset < count {
        let wordOffset = min(offset, count &- 8)
        let left = a.loadUnaligned(fromByteOffset: wordOffset, as: UInt64.self)
        let right = b.loadUnaligned(fromByteOffset: wordOffset, as: UInt64.self)
        if left != right { return false }
        offset = wordOffset &+ 8
      }
      return true
    }
    while offset < count {
      if a.load(fromByteOffset: offset, as: UInt8.self)
        != b.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
      offset &+= 1
    }
    return true
  }

  /// Returns whether two byte sequences are equal.
  ///
  /// - Complexity: O(*n*), where *n* is their length.
  package static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    guard let left = a.baseAddress, let right = b.baseAddress else { return true }
    return equal(left, right, count: a.count)
  }

  /// Returns whether `a` precedes `b` in lexicographic order; a prefix precedes its continuations.
  ///
  /// - Complexity: O(*n*), where *n* is the shorter length.
  package static func precedes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    let shared = min(a.count, b.count)
    var offset = 0
    while offset + 8 <= shared {
      let left = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let right = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if left != right { return left.byteSwapped < right.byteSwapped }
      offset += 8
    }
    while offset < shared {
      if a[offset] != b[offset] { return a[offset] < b[offset] }
      offset += 1
    }
    return a.count < b.count
  }

  /// Returns the offset of the first `byte` from `start` on, or nil.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes searched.
  package static func firstIndex(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let pattern = SIMD16<UInt8>(repeating: byte)
    var offset = start
    while offset + 16 <= bytes.count {
      let chunk = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let found = unsafeBitCast(chunk .== pattern, to: SIMD2<UInt64>.self)
      if found[0] | found[1] != 0 {
        let bit =
          found[0] != 0 ? found[0].trailingZeroBitCount : 64 + found[1].trailingZeroBitCount
        return offset + bit >> 3
      }
      offset += 16
    }
    if bytes.count &- start >= 8 {
      let words = UInt64(byte) &* 0x0101_0101_0101_0101
      while offset < bytes.count {
        // The last word may overlap bytes that were searched already.
        let wordOffset = min(offset, bytes.count &- 8)
        let found =
          words ^ bytes.loadUnaligned(fromByteOffset: wordOffset, as: UInt64.self).littleEndian
        // Borrows make the bits above the lowest one unreliable; the lowest is exact.
        let zeros = (found &- 0x0101_0101_0101_0101) & ~found & 0x8080_8080_8080_8080
        if zeros != 0 { return wordOffset &+ zeros.trailingZeroBitCount &>> 3 }
        offset = wordOffset &+ 8
      }
      return nil
    }
    while offset < bytes.count {
      if bytes[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }
}
