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

  /// Returns whether some bytes, of which there are at least two, occur in others.
  ///
  /// - Complexity: O(*n*) if their first two bytes are rare, where *n* is the number of the others.
  package static func contains(
    _ sought: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    precondition(sought.count >= 2)
    if bytes.count < sought.count { return false }
    let first = SIMD16<UInt8>(repeating: sought[0])
    let second = SIMD16<UInt8>(repeating: sought[1])
    let end = bytes.count &- sought.count
    func begins(at offset: Int) -> Bool {
      offset <= end
        && equal(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + sought.count]), sought)
    }
    /// Returns a byte of ones for each of 16 bytes that is the first one and is before the second one.
    // In bounds: the callers leave 17 bytes after the offset.
    func pairs(at offset: Int) -> SIMD2<UInt64> {
      let one = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self) .== first
      let next = bytes.loadUnaligned(fromByteOffset: offset &+ 1, as: SIMD16<UInt8>.self) .== second
      return unsafeBitCast(one .& next, to: SIMD2<UInt64>.self)
    }
    func begins(atOneOf pairs: SIMD2<UInt64>, from offset: Int) -> Bool {
      for half in 0..<2 {
        var lanes = pairs[half].littleEndian & 0x0101_0101_0101_0101
        while lanes != 0 {
          if begins(at: offset &+ half &* 8 &+ lanes.trailingZeroBitCount &>> 3) { return true }
          lanes &= lanes &- 1
        }
      }
      return false
    }
    var offset = 0
    while offset &+ 65 <= bytes.count {
      let found =
        (pairs(at: offset) | pairs(at: offset &+ 16))
        | (pairs(at: offset &+ 32) | pairs(at: offset &+ 48))
      if found[0] | found[1] != 0 {
        for next in stride(from: offset, to: offset &+ 64, by: 16)
        where begins(atOneOf: pairs(at: next), from: next) { return true }
      }
      offset &+= 64
    }
    while offset &+ 17 <= bytes.count {
      if begins(atOneOf: pairs(at: offset), from: offset) { return true }
      offset &+= 16
    }
    while offset <= end {
      if bytes[offset] == sought[0], begins(at: offset) { return true }
      offset &+= 1
    }
    return false
  }

  /// Returns whether a literal is at an offset of some bytes.
  package static func has(
    _ literal: StaticString, in bytes: UnsafeRawBufferPointer, at offset: Int
  ) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard count <= bytes.count - offset, let start = bytes.baseAddress else { return false }
    return equal(start + offset, literal.utf8Start, count: count)
  }

  /// Returns whether a literal occurs in some bytes.
  package static func contains(
    _ literal: StaticString, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    contains(
      UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount), in: bytes)
  }
}

extension ByteBuffer {
  /// Appends a text, whose bytes that are not UTF-8 become `\x` and two digits.
  package mutating func append(escapingInvalidUTF8In text: UnsafeRawBufferPointer) {
    var rest = text[...]
    while let invalid = Bytes.firstInvalidUTF8(in: UnsafeRawBufferPointer(rebasing: rest)) {
      let offset = rest.startIndex + invalid
      append(UnsafeRawBufferPointer(rebasing: rest[..<offset]))
      append("\\x")
      for digit in [rest[offset] >> 4, rest[offset] & 0xF] {
        append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
      rest = rest[(offset + 1)...]
    }
    append(UnsafeRawBufferPointer(rebasing: rest))
  }
}
