/// Literals with integers between them, written as one.
///
/// What is written a hundred thousand times a message is put in place in a few wide stores, without a
/// call for each piece.
package struct NumberPattern: ~Copyable, @unchecked Sendable {
  /// The bytes that a literal may have.
  package static let longestLiteral = 32

  private static let most = 6

  /// As many literals as there are, each with the room of the longest, and then their lengths.
  ///
  /// An array inside this type would be copied for each access.
  private let literals: UnsafeMutableRawPointer

  /// How many integers it takes.
  private let numbers: Int

  /// The literals, at most six, before each of the integers and after the last.
  package init(_ pieces: StaticString...) {
    precondition((1...Self.most).contains(pieces.count))
    let size = Self.most * (Self.longestLiteral + 1)
    literals = .allocate(byteCount: size, alignment: 32)
    literals.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    numbers = pieces.count - 1
    for (place, piece) in pieces.enumerated() {
      precondition(piece.utf8CodeUnitCount <= Self.longestLiteral)
      // In bounds: each literal has its room, of which it fills the beginning.
      (literals + place * Self.longestLiteral)
        .copyMemory(from: piece.utf8Start, byteCount: piece.utf8CodeUnitCount)
      (literals + Self.most * Self.longestLiteral + place)
        .storeBytes(of: UInt8(piece.utf8CodeUnitCount), as: UInt8.self)
    }
  }

  deinit { literals.deallocate() }

  /// More bytes than are ever written, with those that a wide store writes for nothing.
  private static let room = most * (longestLiteral + 20)

  fileprivate func write(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, to buffer: inout ByteBuffer
  ) {
    buffer.reserve(Self.room)
    var end = buffer.base + buffer.length
    copyLiteral(0, to: &end)
    // One by one, as from an array they would have to be written to memory and read again.
    if numbers > 0 { write(a, 1, to: &end) }
    if numbers > 1 { write(b, 2, to: &end) }
    if numbers > 2 { write(c, 3, to: &end) }
    if numbers > 3 { write(d, 4, to: &end) }
    if numbers > 4 { write(e, 5, to: &end) }
    buffer.length = end - buffer.base
  }

  /// Writes an integer and the literal after it.
  @inline(__always)
  private func write(_ value: Int, _ place: Int, to end: inout UnsafeMutableRawPointer) {
    end = DecimalDigits.write(value, to: end)
    copyLiteral(place, to: &end)
  }

  @inline(__always)
  private func copyLiteral(_ place: Int, to end: inout UnsafeMutableRawPointer) {
    // In bounds: each piece is no longer than the room that was made for it.
    let literal = literals.load(
      fromByteOffset: place &* Self.longestLiteral, as: SIMD32<UInt8>.self)
    end.storeBytes(of: literal, as: SIMD32<UInt8>.self)
    let lengths = Self.most &* Self.longestLiteral
    end += Int(literals.load(fromByteOffset: lengths &+ place, as: UInt8.self))
  }
}

extension ByteBuffer {
  /// Appends a pattern with its integers, of which those that it does not take are left out.
  package mutating func append(
    _ pattern: borrowing NumberPattern, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0,
    _ e: Int = 0
  ) {
    pattern.write(a, b, c, d, e, to: &self)
  }
}

/// Integers in decimal digits.
enum DecimalDigits {
  /// The digits of 0 to 99.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Writes an integer, for which there is room of 20 bytes, and returns the address after it.
  @inline(__always)
  static func write(_ value: Int, to start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // What is below zero is large here.
    let number = UInt64(truncatingIfNeeded: value)
    if number < 10 {
      start.storeBytes(of: UInt8(truncatingIfNeeded: number) &+ 0x30, as: UInt8.self)
      return start + 1
    }
    return number < 100_000_000 ? writeShort(number, to: start) : writeLong(value, to: start)
  }

  /// Writes up to eight digits of an integer that is not zero, all at once: it is cut into halves, those
  /// into pairs and those into digits, each in its part of a word.
  ///
  /// How many digits there are is as good as chance, so that nothing should depend on it but a shift.
  @inline(__always)
  private static func writeShort(
    _ value: UInt64, to start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let high = value / 10_000
    let halves = high | (value &- high &* 10_000) &<< 32
    // 10,486 / 2²⁰ and 103 / 2¹⁰ are as good as a hundredth and a tenth here.
    let hundreds = (halves &* 10_486) &>> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    let digits = tens | (pairs &- tens &* 10) &<< 8
    // Little-endian, as every platform of Swift: the first digit is the lowest byte.
    let zeros = digits.trailingZeroBitCount & ~7
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros)
    // In bounds: there is room for eight bytes and more.
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
    var place = end
    let pairs = UnsafeRawPointer(pairs.utf8Start)
    while rest >= 100 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      place -= 2
      // In bounds: a pair is below 100.
      let digits = pairs.loadUnaligned(fromByteOffset: Int(pair) * 2, as: UInt16.self)
      place.storeBytes(of: digits, as: UInt16.self)
      rest = quotient
    }
    if rest >= 10 {
      let digits = pairs.loadUnaligned(fromByteOffset: Int(rest) * 2, as: UInt16.self)
      (place - 2).storeBytes(of: digits, as: UInt16.self)
    } else {
      (place - 1).storeBytes(of: UInt8(truncatingIfNeeded: rest) &+ 0x30, as: UInt8.self)
    }
    return end
  }

  /// How many digits an integer has.
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
