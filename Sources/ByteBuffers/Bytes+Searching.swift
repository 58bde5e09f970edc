extension Bytes {
  /// Returns the offset of the first byte that is not valid UTF-8, or nil.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
    do throws(UTF8.ValidationError) {
      // In bounds: the span covers these bytes and does not leave this function.
      let span = Span<UInt8>(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self))
      _ = try UTF8Span(validating: span)
      return nil
    } catch { return error.byteOffsets.lowerBound }
  }

  /// Returns the length of the common prefix.
  package static func commonPrefix(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Int {
    let limit = min(a.count, b.count)
    var offset = 0
    // In bounds: each load ends at or before `limit`.
    while offset &+ 32 <= limit {
      let left = a.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      let right = b.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      let difference = left ^ right
      if difference[0] | difference[1] | difference[2] | difference[3] != 0 { break }
      offset &+= 32
    }
    while offset &+ 8 <= limit {
      let difference =
        a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if difference != 0 {
        return offset &+ difference.littleEndian.trailingZeroBitCount &>> 3
      }
      offset &+= 8
    }
    while offset < limit, a[offset] == b[offset] { offset &+= 1 }
    return offset
  }

  /// Returns the length of the common suffix, at most `limit`, which must not exceed either count.
  package static func commonSuffix(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, limit: Int
  ) -> Int {
    precondition(limit <= min(a.count, b.count))
    var length = 0
    // In bounds: each load begins at or after the start of the last `limit` bytes.
    while length &+ 32 <= limit {
      let left = a.loadUnaligned(
        fromByteOffset: a.count &- length &- 32, as: SIMD4<UInt64>.self)
      let right = b.loadUnaligned(
        fromByteOffset: b.count &- length &- 32, as: SIMD4<UInt64>.self)
      let difference = left ^ right
      if difference[0] | difference[1] | difference[2] | difference[3] != 0 { break }
      length &+= 32
    }
    while length &+ 8 <= limit {
      let difference =
        a.loadUnaligned(fromByteOffset: a.count &- length &- 8, as: UInt64.self)
        ^ b.loadUnaligned(fromByteOffset: b.count &- length &- 8, as: UInt64.self)
      if difference != 0 { break }
      length &+= 8
    }
    while length < limit, a[a.count &- length &- 1] == b[b.count &- length &- 1] {
      length &+= 1
    }
    return length
  }

  /// Returns the number of occurrences of a byte before an offset.
  package static func count(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, before end: Int
  ) -> Int {
    precondition(end <= bytes.count)
    var result = 0
    var offset = 0
    let pattern = SIMD32<UInt8>(repeating: byte)
    // In bounds: each load ends at or before `end`.
    while offset &+ 32 <= end {
      var sums = SIMD32<UInt8>()
      // A lane counts up to 255.
      let stop = min(end &- 31, offset &+ 32 &* 255)
      while offset < stop {
        let chunk = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
        sums &-= unsafeBitCast(chunk .== pattern, to: SIMD32<UInt8>.self)
        offset &+= 32
      }
      let words = unsafeBitCast(sums, to: SIMD4<UInt64>.self)
      let bytes: UInt64 = 0x00FF_00FF_00FF_00FF
      let pairs = (words & bytes) &+ (words &>> 8 & bytes)
      // Four sums of 16 bits, which the product adds up in its upper 16 bits.
      let quarters = pairs[0] &+ pairs[1] &+ pairs[2] &+ pairs[3]
      result += Int(truncatingIfNeeded: (quarters &* 0x0001_0001_0001_0001) &>> 48)
    }
    while offset < end {
      if bytes[offset] == byte { result += 1 }
      offset += 1
    }
    return result
  }

  /// Returns whether a word of eight bytes occurs in the bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func contains(
    _ word: StaticString, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    precondition(word.utf8CodeUnitCount == 8)
    let pattern = UnsafeRawPointer(word.utf8Start).loadUnaligned(as: UInt64.self)
    let first = SIMD16<UInt8>(repeating: word.utf8Start[0])
    let second = SIMD16<UInt8>(repeating: word.utf8Start[1])
    var offset = 0
    // In bounds: each load ends at or before the last byte.
    while offset &+ 24 <= bytes.count {
      let one = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self) .== first
      let next = bytes.loadUnaligned(fromByteOffset: offset &+ 1, as: SIMD16<UInt8>.self) .== second
      let found = unsafeBitCast(one .& next, to: SIMD2<UInt64>.self)
      if found[0] | found[1] != 0 {
        for lane in 0..<16
        where bytes.loadUnaligned(fromByteOffset: offset &+ lane, as: UInt64.self) == pattern {
          return true
        }
      }
      offset &+= 16
    }
    while offset &+ 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == pattern { return true }
      offset &+= 1
    }
    return false
  }
}
