import ByteBuffers

/// A number of any size as written in JSON.
///
/// The bytes must be a validated number.
package struct JSONNumber {
  let bytes: UnsafeRawBufferPointer

  /// Creates a number from its bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Creates a number from a range of a reader's bytes.
  package init(_ reader: JSONReader, _ range: Range<Int>) {
    self.init(reader.bytes(range))
  }

  /// Whether the number is written without a fraction and an exponent.
  package var isInteger: Bool {
    bytes.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2D }
  }

  /// The value, or nil if the number is not written as an integer or does not fit into an `Int`.
  package var integer: Int? {
    var value = 0
    var isNegative = false
    for byte in bytes {
      guard byte != 0x2D else {
        isNegative = true
        continue
      }
      let digit = Int(byte) - 0x30
      guard digit >= 0 && digit < 10 else { return nil }
      // Negative numbers are accumulated, because there is one more of them.
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowedAgain) = tenfold.subtractingReportingOverflow(digit)
      if overflowed || overflowedAgain { return nil }
      value = sum
    }
    if isNegative { return value }
    let (positive, overflowed) = (0).subtractingReportingOverflow(value)
    return overflowed ? nil : positive
  }

  /// Returns the decimal digits of an integer in any notation, with a `-` if it is negative, or
  /// `nil` if the number has a fraction or more than `limit` digits.
  ///
  /// - Complexity: O(*n* + *l*), where *n* is the number of bytes and *l* the limit.
  package func integerDigits(limit: Int) -> [UInt8]? {
    if isInteger {
      let digits = Array(integerDigits)
      return digits.count - (digits[0] == 0x2D ? 1 : 0) <= limit ? digits : nil
    }
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else { return [0x30] }
    var digits = bytes[parts.first..<parts.last].filter { $0 != 0x2E }
    guard let power = parts.exponent(plus: 0), power >= 0, power <= limit - digits.count else {
      return nil
    }
    digits.append(contentsOf: repeatElement(0x30, count: power))
    return (parts.isNegative ? [0x2D] : []) + digits
  }

  /// Returns the value of an integer in any notation, clamped to bounds, or nil if it has a
  /// fraction.
  package func integer(within bounds: ClosedRange<Int>) -> (value: Int, isExact: Bool)? {
    var canonical = ByteBuffer()
    appendCanonical(to: &canonical)
    let spelling = canonical.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let parts = spelling.split(separator: "e")
    let isNegative = spelling.hasPrefix("-")
    if parts.count == 2, parts[1].hasPrefix("-") { return nil }
    let zeros = parts.count == 2 ? Int(parts[1]) ?? .max : 0
    guard zeros < 19, let value = Int(parts[0] + String(repeating: "0", count: zeros)) else {
      return (isNegative ? bounds.lowerBound : bounds.upperBound, false)
    }
    let bounded = min(max(value, bounds.lowerBound), bounds.upperBound)
    return (bounded, bounded == value)
  }

  /// The bytes of a number written as an integer, with `-0` as `0`.
  package var integerDigits: UnsafeRawBufferPointer {
    bytes.count == 2 && bytes[0] == 0x2D && bytes[1] == 0x30
      ? UnsafeRawBufferPointer(rebasing: bytes[1...]) : bytes
  }

  /// Appends a notation that all numbers with the same mathematical value share, and no others.
  ///
  /// It consists of a sign, the digits without zeros at either end, `e`, and a power of ten. Zero
  /// is `0`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes, independent of the value of the
  ///   exponent.
  package func appendCanonical(to buffer: inout ByteBuffer) {
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else {
      buffer.append(0x30)
      return
    }
    if parts.isNegative { buffer.append(0x2D) }
    for offset in parts.first..<parts.last where bytes[offset] != 0x2E {
      buffer.append(bytes[offset])
    }
    buffer.append(0x65)
    parts.appendExponent(to: &buffer)
  }
}

/// The parts of a decimal number.
struct DecimalParts {
  let bytes: UnsafeRawBufferPointer
  var isNegative = false

  /// The offset of the first digit that is not zero, and the offset after the last such digit.
  var first = 0
  var last = 0

  /// The power of ten of the last such digit, not including the written exponent.
  private var shift = 0

  /// The digits of the written exponent without leading zeros.
  private var exponent = 0..<0
  private var exponentIsNegative = false

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var point: Int?
    var mantissaEnd = bytes.count
    var offset = 0
    if bytes[0] == 0x2D {
      isNegative = true
      offset = 1
    }
    let start = offset
    while offset < bytes.count {
      if bytes[offset] == 0x2E { point = offset }
      if bytes[offset] | 0x20 == 0x65 {
        mantissaEnd = offset
        readExponent(from: offset + 1)
        break
      }
      offset += 1
    }
    func isFiller(_ offset: Int) -> Bool { bytes[offset] == 0x30 || bytes[offset] == 0x2E }
    first = start
    while first < mantissaEnd && isFiller(first) { first += 1 }
    last = mantissaEnd
    while last > first && isFiller(last - 1) { last -= 1 }
    let pointOffset = point ?? mantissaEnd
    // The power of a digit is at least 0 left of the point and at most -1 right of it.
    shift = last <= pointOffset ? pointOffset - last : pointOffset - last + 1
  }

  private mutating func readExponent(from start: Int) {
    var offset = start
    if bytes[offset] == 0x2D || bytes[offset] == 0x2B {
      exponentIsNegative = bytes[offset] == 0x2D
      offset += 1
    }
    while offset < bytes.count && bytes[offset] == 0x30 { offset += 1 }
    exponent = offset..<bytes.count
  }

  /// The number of digits from the first to the last digit that is not zero.
  var digitCount: Int {
    var count = 0
    for offset in first..<last where bytes[offset] != 0x2E { count += 1 }
    return count
  }

  /// Returns the power of ten of the last digit, plus `shift`, or nil if it may not fit into an
  /// `Int`.
  func exponent(plus shift: Int) -> Int? {
    // A shift is less than a length in memory, so 18 digits plus a shift fit into an `Int`.
    guard exponent.count <= 18 else { return nil }
    let magnitude = exponent.reduce(0) { $0 * 10 + Int(bytes[$1]) - 0x30 }
    return (exponentIsNegative ? -magnitude : magnitude) + self.shift + shift
  }

  /// Appends the exact power of ten of the last digit, plus `added`.
  func appendExponent(plus added: Int = 0, to buffer: inout ByteBuffer) {
    if let exponent = exponent(plus: added) { return buffer.append(decimal: exponent) }
    let shift = shift + added
    // The sign does not change, because the exponent is far greater than any shift.
    var digits = exponent.map { bytes[$0] &- 0x30 }
    var carry = exponentIsNegative ? -shift : shift
    var offset = digits.count - 1
    while carry != 0 && offset >= 0 {
      let sum = Int(digits[offset]) + carry
      let digit = ((sum % 10) + 10) % 10
      digits[offset] = UInt8(digit)
      carry = (sum - digit) / 10
      offset -= 1
    }
    if exponentIsNegative { buffer.append(0x2D) }
    if carry > 0 { buffer.append(decimal: carry) }
    let zeros = carry > 0 ? 0 : digits.prefix { $0 == 0 }.count
    for digit in digits.dropFirst(zeros) { buffer.append(digit + 0x30) }
  }
}
