import ByteBuffers

extension JSONNumber {
  /// Appends a key whose bytes compare lexicographically as the numbers do by value. No key is a
  /// prefix of another.
  ///
  /// The key consists of a sign, the power of ten of the first digit, and the digits, two per byte.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes, independent of the value of the
  ///   exponent.
  package func appendOrdered(to buffer: inout ByteBuffer) {
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else { return buffer.append(0x80) }
    let start = buffer.count + 1
    buffer.append(parts.isNegative ? 0x40 : 0xC0)
    let digitCount = parts.digitCount
    if let exponent = parts.exponent(plus: digitCount), abs(exponent) <= 60 {
      buffer.append(UInt8(0x80 + exponent))
    } else {
      Self.appendOrdered(farExponent: parts, digitCount, to: &buffer)
    }
    var pair: UInt8 = 0
    var isHalf = false
    for offset in parts.first..<parts.last where bytes[offset] != 0x2E {
      let digit = bytes[offset] &- 0x30
      if isHalf { buffer.append(pair + digit + 1) }
      pair = digit * 10
      isHalf.toggle()
    }
    if isHalf { buffer.append(pair + 1) }
    buffer.append(0)
    if parts.isNegative { buffer.complement(from: start) }
  }

  /// Appends an exponent that does not fit into one byte: its sign, its length and its digits.
  private static func appendOrdered(
    farExponent parts: DecimalParts, _ digitCount: Int, to buffer: inout ByteBuffer
  ) {
    var digits = ByteBuffer()
    parts.appendExponent(plus: digitCount, to: &digits)
    let isNegative = digits[0] == 0x2D
    buffer.append(isNegative ? 0x10 : 0xF0)
    let start = buffer.count
    buffer.append(bigEndian: UInt64(digits.count))
    for offset in (isNegative ? 1 : 0)..<digits.count { buffer.append(digits[offset]) }
    if isNegative { buffer.complement(from: start) }
  }

  /// Appends the shortest of the usual notations: an integer, a fraction, or, for numbers far from
  /// 1, digits and an exponent. Numbers with the same value have the same notation.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func appendShortest(to buffer: inout ByteBuffer) {
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else { return buffer.append(0x30) }
    if parts.isNegative { buffer.append(0x2D) }
    let count = parts.digitCount
    // The number of digits before the point.
    let whole = parts.exponent(plus: count) ?? Int.max
    guard (-5...21).contains(whole) else {
      appendDigits(of: parts, pointAfter: 1, to: &buffer)
      buffer.append(0x65)
      return parts.appendExponent(plus: count - 1, to: &buffer)
    }
    if whole <= 0 {
      buffer.append("0.")
      for _ in whole..<0 { buffer.append(0x30) }
    }
    appendDigits(of: parts, pointAfter: whole, to: &buffer)
    for _ in min(count, whole)..<max(whole, min(count, whole)) { buffer.append(0x30) }
  }

  private func appendDigits(
    of parts: DecimalParts, pointAfter whole: Int, to buffer: inout ByteBuffer
  ) {
    var count = 0
    for offset in parts.first..<parts.last where bytes[offset] != 0x2E {
      if count == whole, count > 0 { buffer.append(0x2E) }
      buffer.append(bytes[offset])
      count += 1
    }
  }

  /// Appends the number as an integer. Returns false and appends nothing if it has a fraction or
  /// more than `limit` digits.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes and digits.
  package func appendInteger(upTo limit: Int, to buffer: inout ByteBuffer) -> Bool {
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else {
      buffer.append(0x30)
      return true
    }
    let count = parts.digitCount
    guard let zeros = parts.exponent(plus: 0), zeros >= 0, zeros <= limit, count + zeros <= limit
    else { return false }
    if parts.isNegative { buffer.append(0x2D) }
    appendDigits(of: parts, pointAfter: 0, to: &buffer)
    for _ in 0..<zeros { buffer.append(0x30) }
    return true
  }
}

extension ByteBuffer {
  /// Replaces each byte from an offset on by its complement.
  package mutating func complement(from start: Int) {
    for offset in start..<max(start, count) { self[offset] = ~self[offset] }
  }

  /// Appends the eight bytes of an integer, the most significant one first.
  package mutating func append(bigEndian value: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
