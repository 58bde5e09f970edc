/// A template of literals with integers between them.
///
/// It is written in a few wide stores, without a call for each literal, because messages contain up
/// to a hundred thousand of them.
package struct NumberPattern: ~Copyable, @unchecked Sendable {
  /// The maximum length of a literal in bytes.
  package static let longestLiteral = 32

  private static let maximumPieces = 6

  /// Space for the maximum number of literals, each in a slot of the maximum length, followed by
  /// their lengths.
  ///
  /// An array in this type would be copied for each access.
  private let literals: UnsafeMutableRawPointer

  /// The number of integers.
  private let numberCount: Int

  /// Creates a pattern of one to six literals: one before each integer and one after the last.
  package init(_ pieces: StaticString...) {
    precondition((1...Self.maximumPieces).contains(pieces.count))
    let size = Self.maximumPieces * (Self.longestLiteral + 1)
    literals = .allocate(byteCount: size, alignment: 32)
    literals.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    numberCount = pieces.count - 1
    for (index, piece) in pieces.enumerated() {
      precondition(piece.utf8CodeUnitCount <= Self.longestLiteral)
      // In bounds: each literal has a slot of the maximum length.
      (literals + index * Self.longestLiteral)
        .copyMemory(from: piece.utf8Start, byteCount: piece.utf8CodeUnitCount)
      (literals + Self.maximumPieces * Self.longestLiteral + index)
        .storeBytes(of: UInt8(piece.utf8CodeUnitCount), as: UInt8.self)
    }
  }

  deinit { literals.deallocate() }

  /// An upper bound of the bytes written, including those that wide stores write in excess.
  private static let room = maximumPieces * (longestLiteral + 20)

  fileprivate func write(_ numbers: (Int, Int, Int, Int, Int), to buffer: inout ByteBuffer) {
    buffer.reserve(Self.room)
    var end = buffer.base + buffer.length
    copyLiteral(0, to: &end)
    // A loop over an array would write the numbers to memory and read them again.
    if numberCount > 0 { write(numbers.0, 1, to: &end) }
    if numberCount > 1 { write(numbers.1, 2, to: &end) }
    if numberCount > 2 { write(numbers.2, 3, to: &end) }
    if numberCount > 3 { write(numbers.3, 4, to: &end) }
    if numberCount > 4 { write(numbers.4, 5, to: &end) }
    buffer.length = end - buffer.base
  }

  /// Writes an integer and the literal that follows it.
  @inline(__always)
  private func write(_ value: Int, _ index: Int, to end: inout UnsafeMutableRawPointer) {
    end = DecimalDigits.write(value, to: end)
    copyLiteral(index, to: &end)
  }

  @inline(__always)
  private func copyLiteral(_ index: Int, to end: inout UnsafeMutableRawPointer) {
    // In bounds: each literal fits into its slot.
    let literal = literals.load(
      fromByteOffset: index &* Self.longestLiteral, as: SIMD32<UInt8>.self)
    end.storeBytes(of: literal, as: SIMD32<UInt8>.self)
    let lengths = Self.maximumPieces &* Self.longestLiteral
    end += Int(literals.load(fromByteOffset: lengths &+ index, as: UInt8.self))
  }
}

extension ByteBuffer {
  /// Appends a pattern with up to four integers. Integers that the pattern does not use are ignored.
  package mutating func append(
    _ pattern: borrowing NumberPattern, _ a: Int, _ b: Int = 0, _ c: Int = 0, fourth d: Int = 0
  ) {
    pattern.write((a, b, c, d, 0), to: &self)
  }

  /// Appends a pattern with five integers, for example a move from one path to another.
  package mutating func append(
    _ pattern: borrowing NumberPattern, from: (Int, Int), to: (Int, Int), count: Int
  ) {
    pattern.write((from.0, from.1, to.0, to.1, count), to: &self)
  }
}

/// Writes integers in decimal notation.
enum DecimalDigits {
  /// The digits of 0 to 99.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Writes an integer to memory with room for 20 bytes and returns the address after it.
  @inline(__always)
  static func write(_ value: Int, to start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // A negative number is large here.
    let number = UInt64(truncatingIfNeeded: value)
    if number < 10 {
      start.storeBytes(of: UInt8(truncatingIfNeeded: number) &+ 0x30, as: UInt8.self)
      return start + 1
    }
    return number < 100_000_000 ? writeShort(number, to: start) : writeLong(value, to: start)
  }

  /// Writes up to eight digits of a positive integer at once: splits it into halves, those into
  /// pairs, and those into digits, each in its part of a word.
  ///
  /// The number of digits is unpredictable, so only a shift depends on it, not a branch.
  @inline(__always)
  private static func writeShort(
    _ value: UInt64, to start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let high = value / 10_000
    let halves = high | (value &- high &* 10_000) &<< 32
    // 10,486 / 2²⁰ and 103 / 2¹⁰ are exact enough for a hundredth and a tenth here.
    let hundreds = (halves &* 10_486) &>> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    let digits = tens | (pairs &- tens &* 10) &<< 8
    // Little-endian, as every platform of Swift: the first digit is the lowest byte.
    let zeros = digits.trailingZeroBitCount & ~7
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros)
    // In bounds: there is room for more than eight bytes.
    start.storeBytes(of: text, as: UInt64.self)
    return start + (8 &- zeros &>> 3)
  }

  @inline(never)
  private static func writeLong(
    _ value: Int, to start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var start = start
    if value < 0 {
      start.storeBytes(of: 0x2D, as: UInt8.self)
      start += 1
    }
    var rest = value.magnitude
    let end = start + count(of: rest)
    var position = end
    let pairs = UnsafeRawPointer(pairs.utf8Start)
    while rest >= 100 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      position -= 2
      // In bounds: a pair is below 100.
      let digits = pairs.loadUnaligned(fromByteOffset: Int(pair) * 2, as: UInt16.self)
      position.storeBytes(of: digits, as: UInt16.self)
      rest = quotient
    }
    if rest >= 10 {
      let digits = pairs.loadUnaligned(fromByteOffset: Int(rest) * 2, as: UInt16.self)
      (position - 2).storeBytes(of: digits, as: UInt16.self)
    } else {
      (position - 1).storeBytes(of: UInt8(truncatingIfNeeded: rest) &+ 0x30, as: UInt8.self)
    }
    return end
  }

  /// Returns the number of digits of an integer.
  private static func count(of value: UInt) -> Int {
    var count = 1
    var rest = value / 10
    while rest > 0 {
      count += 1
      rest /= 10
    }
    return count
  }
}
