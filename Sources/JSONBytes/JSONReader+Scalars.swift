extension JSONReader {
  /// Reads a string.
  package mutating func string() throws(JSONError) -> JSONString {
    var p = offset
    guard significant(&p) == 0x22 else { throw unexpected(at: p, expected: .string) }
    let start = p &+ 1
    var hasEscapes = false
    p = try stringEnd(from: start, hasEscapes: &hasEscapes)
    offset = p &+ 1
    isFresh = false
    return JSONString(range: start..<p, hasEscapes: hasEscapes)
  }

  /// Returns the offset of the closing quotation mark of the string whose first byte is at `start`.
  ///
  /// Most strings are short: eight bytes are tested first, then sixteen at a time. A step begins at
  /// or before the end, so it reads at most 24 bytes past the end.
  @inline(__always)
  func stringEnd(from start: Int, hasEscapes: inout Bool) throws(JSONError) -> Int {
    try stringEnd(stoppingAt: plainEnd(start), hasEscapes: &hasEscapes)
  }

  /// Does the same as `stringEnd(from:hasEscapes:)`, but tests sixteen bytes first.
  @inline(__always)
  func longStringEnd(from start: Int, hasEscapes: inout Bool) throws(JSONError) -> Int {
    let p = pastPlain(start)
    if p < limit, byte(p) == 0x22 { return p }
    return try stringEnd(stoppingAt: p, hasEscapes: &hasEscapes)
  }

  /// Does the same for a string of which all bytes before `stop` are ordinary.
  @inline(__always)
  private func stringEnd(stoppingAt stop: Int, hasEscapes: inout Bool) throws(JSONError) -> Int {
    var p = stop
    while true {
      guard p < limit else { throw unexpected(at: limit, expected: .string) }
      let found = byte(p)
      if found == 0x22 { return p }
      if found >= 0x80 {
        p = try pastNonASCII(p)
      } else if found == 0x5C {
        hasEscapes = true
        p = try Self.pastEscape(base, p, limit)
      } else {
        throw failure(.controlCharacter(found), at: p)
      }
      // A multibyte sequence at the end may have been completed by bytes that are not part of the
      // text.
      guard p < limit else { throw unexpected(at: limit, expected: .string) }
      p = plainEnd(p)
    }
  }

  /// Returns the first offset from `start` on of a byte that is not an ordinary ASCII character of
  /// a string, or an offset at or after the end.
  @inline(__always)
  func plainEnd(_ start: Int) -> Int {
    let stops = Self.stops(base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    return stops != 0 ? start &+ stops.trailingZeroBitCount &>> 3 : pastPlain(start &+ 8)
  }

  /// Returns the high bit of each byte that is a quotation mark, a backslash, a control character
  /// or not ASCII.
  ///
  /// Borrows make the bits above the lowest one unreliable; the lowest is exact.
  @inline(__always)
  private static func stops(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let low = (word &- ones &* 0x20) & ~word
    let same = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
    return (low | same | word) & (ones &* 0x80)
  }

  /// Does the same as `plainEnd`, sixteen bytes at a time.
  @inline(__always)
  private func pastPlain(_ start: Int) -> Int {
    // Comparisons with a vector compile to one instruction, those with a scalar to a loop.
    let quotes = SIMD16<UInt8>(repeating: 0x22)
    let slashes = SIMD16<UInt8>(repeating: 0x5C)
    let spaces = SIMD16<Int8>(repeating: 0x20)
    var p = start
    while p < limit {
      let chunk = base.loadUnaligned(fromByteOffset: p, as: SIMD16<UInt8>.self)
      let signed = unsafeBitCast(chunk, to: SIMD16<Int8>.self)
      // As signed bytes, all bytes that are not ASCII are also below a space.
      let mask = (chunk .== quotes) .| (chunk .== slashes) .| (signed .< spaces)
      let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
      if words[0] != 0 { return p &+ words[0].trailingZeroBitCount &>> 3 }
      if words[1] != 0 { return p &+ 8 &+ words[1].trailingZeroBitCount &>> 3 }
      p &+= 16
    }
    return p
  }

  /// Returns the offset after the escape at `p`.
  @inline(never)
  private static func pastEscape(
    _ base: UnsafeRawPointer, _ p: Int, _ limit: Int
  ) throws(JSONError) -> Int {
    func byte(_ p: Int) -> UInt8 { base.load(fromByteOffset: p, as: UInt8.self) }
    switch byte(p &+ 1) {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
      return p &+ 2
    case 0x75:
      for offset in (p &+ 2)..<(p &+ 6) where Hexadecimal.value(of: byte(offset)) == nil {
        throw failure(.badEscape, offset, limit)
      }
      return p &+ 6
    default:
      throw failure(.badEscape, p &+ 1, limit)
    }
  }

  /// Returns the offset after the run of multibyte sequences that begins at `start`.
  ///
  /// The ranges are those of table 3-7 of the Unicode Standard.
  @inline(__always)
  private func pastNonASCII(_ start: Int) throws(JSONError) -> Int {
    var p = start
    repeat {
      // All platforms of Swift are little-endian: the first byte is the lowest.
      let word = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: p, as: UInt32.self))
      if word & 0xC0_C0F0 == 0x80_80E0 {
        let lead = word & 0x200F
        guard lead != 0 && lead != 0x200D else { throw failure(.invalidUTF8, at: p) }
        p &+= 3
      } else if word & 0xC0E0 == 0x80C0 {
        guard word & 0x1E != 0 else { throw failure(.invalidUTF8, at: p) }
        p &+= 2
      } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
        let scalarTop = (word & 0x07) << 2 | (word >> 12) & 0x03
        guard scalarTop >= 1 && scalarTop <= 16 else { throw failure(.invalidUTF8, at: p) }
        p &+= 4
      } else {
        throw failure(.invalidUTF8, at: p)
      }
    } while p < limit && byte(p) >= 0x80
    return p
  }

  /// Returns the offset after the number that begins at `start`.
  @inline(__always)
  func numberEnd(from start: Int) throws(JSONError) -> Int {
    var p = start
    if byte(p) == 0x2D { p &+= 1 }
    guard isDigit(p) else { throw failure(.badNumber, at: p) }
    if byte(p) == 0x30 { p &+= 1 } else { p = pastDigits(p) }
    guard p < limit else { return p }
    if byte(p) == 0x2E {
      p &+= 1
      guard isDigit(p) else { throw failure(.badNumber, at: p) }
      p = pastDigits(p)
    }
    if p < limit && byte(p) | 0x20 == 0x65 {
      p &+= 1
      if p < limit && (byte(p) == 0x2B || byte(p) == 0x2D) { p &+= 1 }
      guard isDigit(p) else { throw failure(.badNumber, at: p) }
      p = pastDigits(p)
    }
    if p < limit && isDigit(p) { throw failure(.badNumber, at: p) }
    return p
  }

  @inline(__always)
  private func isDigit(_ p: Int) -> Bool {
    p < limit && byte(p) &- 0x30 < 10
  }

  @inline(__always)
  private func pastDigits(_ start: Int) -> Int {
    var p = start
    while isDigit(p) { p &+= 1 }
    return p
  }

  /// Returns the offset after the `true`, `false` or `null` that begins at `p` with the byte
  /// `found`.
  @inline(__always)
  func literalEnd(from p: Int, _ found: UInt8) throws(JSONError) -> Int {
    let isFalse = found == 0x66
    let word = UInt32(
      littleEndian: base.loadUnaligned(fromByteOffset: isFalse ? p &+ 1 : p, as: UInt32.self))
    let next = isFalse ? p &+ 5 : p &+ 4
    let wanted: UInt32 = isFalse ? 0x6573_6C61 : found == 0x74 ? 0x6575_7274 : 0x6C6C_756E
    guard next <= limit else { throw failure(.unexpectedEnd, at: limit) }
    guard word == wanted else { throw unexpected(at: p, expected: .literal) }
    return next
  }
}

/// Hexadecimal digits.
enum Hexadecimal {
  /// Returns the value of a digit, or nil.
  @inline(__always)
  static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte &- 0x30)
    case 0x41...0x46: UInt32(byte &- 0x37)
    case 0x61...0x66: UInt32(byte &- 0x57)
    default: nil
    }
  }
}
