/// Bytes compared and searched in words.
package enum Bytes {
  /// Whether `count` bytes at two addresses are the same.
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
      // The last words may overlap what was compared already.
      while offset < count {
        let place = min(offset, count &- 8)
        let left = a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let right = b.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        if left != right { return false }
        offset = place &+ 8
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

  /// Whether two runs of bytes are the same.
  ///
  /// - Complexity: O(*n*), where *n* is their length.
  package static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    guard let left = a.baseAddress, let right = b.baseAddress else { return true }
    return equal(left, right, count: a.count)
  }

  /// Whether `a` comes before `b` byte by byte, a beginning before what continues it.
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

  /// The place of the first `byte` in a range, or nil.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the range.
  package static func firstIndex(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let pattern = SIMD16<UInt8>(repeating: byte)
    var offset = start
    while offset + 16 <= bytes.count {
      let chunk = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let found = unsafeBitCast(chunk .== pattern, to: SIMD2<UInt64>.self)
      if found[0] | found[1] != 0 {
        let place =
          found[0] != 0 ? found[0].trailingZeroBitCount : 64 + found[1].trailingZeroBitCount
        return offset + place >> 3
      }
      offset += 16
    }
    while offset < bytes.count {
      if bytes[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }
}
