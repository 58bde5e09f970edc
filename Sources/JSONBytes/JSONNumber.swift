/// A number as it is spelled in JSON, of any size.
///
/// The bytes are those of a number that a reader has passed.
package struct JSONNumber {
  let bytes: UnsafeRawBufferPointer

  /// The number that is spelled by `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The number that is spelled at a range of a reader's bytes.
  package init(_ reader: JSONReader, _ range: Range<Int>) {
    self.init(reader.bytes(range))
  }

  /// Whether it has neither a fraction nor an exponent.
  package var isInteger: Bool {
    bytes.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2D }
  }

  /// Its value where it is spelled as an integer and fits, else nil.
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
      // Counted downwards, for there is one more negative integer.
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowedAgain) = tenfold.subtractingReportingOverflow(digit)
      if overflowed || overflowedAgain { return nil }
      value = sum
    }
    if isNegative { return value }
    let (positive, overflowed) = (0).subtractingReportingOverflow(value)
    return overflowed ? nil : positive
  }

  /// The digits of an integer, however it is spelled, with `-` before those of a negative one; `nil` for a
  /// number with a fraction, or with more digits than `limit`.
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

  /// Its value, however it is spelled, brought within bounds; nil where it has a fraction.
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

  /// The bytes of an integer's one spelling: `-0` is `0`; all others are so already.
  package var integerDigits: UnsafeRawBufferPointer {
    bytes.count == 2 && bytes[0] == 0x2D && bytes[1] == 0x30
      ? UnsafeRawBufferPointer(rebasing: bytes[1...]) : bytes
  }

  /// Appends a spelling that all numbers of the same mathematical value share, and no others.
  ///
  /// It is a sign, the digits without zeros at either end, `e`, and a power of ten; zero is `0`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes, whatever the exponent says.
  package func appendCanonical(to buffer: inout ByteBuffer) {
    let parts = DecimalParts(bytes)
    guard parts.first < parts.last else {
      buffer.append(0x30)
      return
    }
    if parts.isNegative { buffer.append(0x2D) }
    for place in parts.first..<parts.last where bytes[place] != 0x2E {
      buffer.append(bytes[place])
    }
    buffer.append(0x65)
    parts.appendExponent(to: &buffer)
  }
}

/// A decimal number taken apart.
struct DecimalParts {
  let bytes: UnsafeRawBufferPointer
  var isNegative = false

  /// The place of the first digit that is not zero, and the one after the last such digit.
  var first = 0
  var last = 0

  /// The power of ten of the last such digit, but for the written exponent.
  private var shift = 0

  /// The digits of the written exponent without leading zeros.
  private var exponent = 0..<0
  private var exponentIsNegative = false

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var point: Int?
    var mantissaEnd = bytes.count
    var place = 0
    if bytes[0] == 0x2D {
      isNegative = true
      place = 1
    }
    let start = place
    while place < bytes.count {
      if bytes[place] == 0x2E { point = place }
      if bytes[place] | 0x20 == 0x65 {
        mantissaEnd = place
        readExponent(from: place + 1)
        break
      }
      place += 1
    }
    func isFiller(_ place: Int) -> Bool { bytes[place] == 0x30 || bytes[place] == 0x2E }
    first = start
    while first < mantissaEnd && isFiller(first) { first += 1 }
    last = mantissaEnd
    while last > first && isFiller(last - 1) { last -= 1 }
    let pointPlace = point ?? mantissaEnd
    // A digit left of the point has a power from 0 up, right of it from -1 down.
    shift = last <= pointPlace ? pointPlace - last : pointPlace - last + 1
  }

  private mutating func readExponent(from start: Int) {
    var place = start
    if bytes[place] == 0x2D || bytes[place] == 0x2B {
      exponentIsNegative = bytes[place] == 0x2D
      place += 1
    }
    while place < bytes.count && bytes[place] == 0x30 { place += 1 }
    exponent = place..<bytes.count
  }

  /// The number of digits from the first that is not zero to the last one.
  var digitCount: Int {
    var count = 0
    for place in first..<last where bytes[place] != 0x2E { count += 1 }
    return count
  }

  /// The power of ten of the last digit, plus `shift`; nil if it may not fit an integer.
  func exponent(plus shift: Int) -> Int? {
    // A shift is less than a length in memory, so 18 digits and a shift fit an Int.
    guard exponent.count <= 18 else { return nil }
    let magnitude = exponent.reduce(0) { $0 * 10 + Int(bytes[$1]) - 0x30 }
    return (exponentIsNegative ? -magnitude : magnitude) + self.shift + shift
  }

  /// Appends the power of ten of the last digit, plus `shift`, exactly.
  func appendExponent(plus added: Int = 0, to buffer: inout ByteBuffer) {
    if let exponent = exponent(plus: added) { return buffer.append(decimal: exponent) }
    let shift = shift + added
    // The sign stays as written: the exponent is far greater than any shift.
    var digits = exponent.map { bytes[$0] &- 0x30 }
    var carry = exponentIsNegative ? -shift : shift
    var place = digits.count - 1
    while carry != 0 && place >= 0 {
      let sum = Int(digits[place]) + carry
      let digit = ((sum % 10) + 10) % 10
      digits[place] = UInt8(digit)
      carry = (sum - digit) / 10
      place -= 1
    }
    if exponentIsNegative { buffer.append(0x2D) }
    if carry > 0 { buffer.append(decimal: carry) }
    let zeros = carry > 0 ? 0 : digits.prefix { $0 == 0 }.count
    for digit in digits.dropFirst(zeros) { buffer.append(digit + 0x30) }
  }
}
