extension JSONReader {
  /// Whether a string that was read spells `name`, with escapes or without.
  @inlinable
  package func matches(_ string: JSONString, _ name: StaticString) -> Bool {
    if string.hasEscapes { return escapedMatches(string, name) }
    return string.range.count == name.utf8CodeUnitCount && isSame(string, name)
  }

  /// The bytes inside the quotation marks as they were written.
  @inlinable package func bytes(_ string: JSONString) -> UnsafeRawBufferPointer {
    bytes(string.range)
  }

  /// Appends a string's content, without escapes, as WTF-8.
  ///
  /// A surrogate escape with no other half is kept as the three bytes of its code point.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the string.
  package func decode(_ string: JSONString, into buffer: inout ByteBuffer) {
    guard string.hasEscapes else {
      buffer.append(bytes(string.range))
      return
    }
    var pieces = DecodedPieces(base: base, range: string.range)
    while let piece = pieces.next() {
      switch piece {
      case .plain(let range): buffer.append(base + range.lowerBound, count: range.count)
      case .scalar(let scalar): buffer.append(codePoint: scalar)
      }
    }
  }

  /// Appends a string's content, without escapes, as WTF-8.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the string.
  package func decode(_ string: JSONString, into array: inout [UInt8]) {
    var buffer = ByteBuffer(capacity: string.range.count)
    decode(string, into: &buffer)
    buffer.withUnsafeBytes { array.append(contentsOf: $0) }
  }

  /// Compares bytes of a string without escapes with a name of the same length.
  @usableFromInline
  func isSame(_ string: JSONString, _ name: StaticString) -> Bool {
    Bytes.equal(
      base + string.range.lowerBound, UnsafeRawPointer(name.utf8Start), count: string.range.count)
  }

  @usableFromInline
  func escapedMatches(_ string: JSONString, _ name: StaticString) -> Bool {
    var buffer = ByteBuffer(capacity: string.range.count)
    decode(string, into: &buffer)
    return buffer.withUnsafeBytes {
      Bytes.equal(
        $0, UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
  }
}

extension ByteBuffer {
  /// Appends a code point, which may be a surrogate, in the manner of UTF-8.
  package mutating func append(codePoint: UInt32) {
    func continuation(_ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: codePoint >> shift & 0x3F | 0x80)
    }
    switch codePoint {
    case 0..<0x80:
      append(UInt8(codePoint))
    case 0x80..<0x800:
      append(UInt8(codePoint >> 6 | 0xC0))
      append(continuation(0))
    case 0x800..<0x10000:
      append(UInt8(codePoint >> 12 | 0xE0))
      append(continuation(6))
      append(continuation(0))
    default:
      append(UInt8(truncatingIfNeeded: codePoint >> 18 | 0xF0))
      append(continuation(12))
      append(continuation(6))
      append(continuation(0))
    }
  }
}

/// What the inside of a checked string stands for, piece by piece.
private struct DecodedPieces {
  enum Piece {
    case plain(Range<Int>)
    case scalar(UInt32)
  }

  let base: UnsafeRawPointer
  var place: Int
  let end: Int

  init(base: UnsafeRawPointer, range: Range<Int>) {
    self.base = base
    place = range.lowerBound
    end = range.upperBound
  }

  mutating func next() -> Piece? {
    guard place < end else { return nil }
    let start = place
    while place < end && byte(place) != 0x5C { place += 1 }
    if place > start { return .plain(start..<place) }
    let letter = byte(place + 1)
    place += 2
    switch letter {
    case 0x62: return .scalar(0x08)
    case 0x66: return .scalar(0x0C)
    case 0x6E: return .scalar(0x0A)
    case 0x72: return .scalar(0x0D)
    case 0x74: return .scalar(0x09)
    case 0x75: return .scalar(codePoint())
    default: return .scalar(UInt32(letter))
    }
  }

  /// The code point whose four digits come next, with the other half of a surrogate pair.
  private mutating func codePoint() -> UInt32 {
    let unit = codeUnit(at: place)
    place += 4
    guard unit & 0xFC00 == 0xD800, place + 6 <= end, byte(place) == 0x5C, byte(place + 1) == 0x75
    else { return unit }
    let low = codeUnit(at: place + 2)
    guard low & 0xFC00 == 0xDC00 else { return unit }
    place += 6
    return 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
  }

  private func codeUnit(at place: Int) -> UInt32 {
    (place..<place + 4).reduce(0) { $0 << 4 | (Hexadecimal.value(of: byte($1)) ?? 0) }
  }

  private func byte(_ place: Int) -> UInt8 {
    base.load(fromByteOffset: place, as: UInt8.self)
  }
}
