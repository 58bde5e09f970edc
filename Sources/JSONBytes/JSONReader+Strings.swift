import ByteBuffers

extension JSONReader {
  /// Returns whether the content of a string is `name`, with or without escapes.
  @inlinable
  package func matches(_ string: JSONString, _ name: StaticString) -> Bool {
    if string.hasEscapes { return escapedMatches(string, name) }
    return string.range.count == name.utf8CodeUnitCount && isSame(string, name)
  }

  /// Returns the bytes inside the quotation marks as written.
  @inlinable package func bytes(_ string: JSONString) -> UnsafeRawBufferPointer {
    bytes(string.range)
  }

  /// Appends the decoded content of a string as WTF-8.
  ///
  /// An escaped surrogate without its other half becomes the three bytes of its code point.
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

  /// Appends the decoded content of a string as WTF-8.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the string.
  package func decode(_ string: JSONString, into array: inout [UInt8]) {
    guard string.hasEscapes else { return array.append(contentsOf: bytes(string.range)) }
    var buffer = ByteBuffer(capacity: string.range.count)
    decode(string, into: &buffer)
    buffer.withUnsafeBytes { array.append(contentsOf: $0) }
  }

  /// Compares a string without escapes with a name of the same length.
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
  /// Appends a code point, which may be a surrogate, encoded as in UTF-8.
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

/// The decoded content of a validated string, piece by piece.
private struct DecodedPieces {
  enum Piece {
    case plain(Range<Int>)
    case scalar(UInt32)
  }

  let base: UnsafeRawPointer
  var offset: Int
  let end: Int

  init(base: UnsafeRawPointer, range: Range<Int>) {
    self.base = base
    offset = range.lowerBound
    end = range.upperBound
  }

  mutating func next() -> Piece? {
    guard offset < end else { return nil }
    let start = offset
    while offset < end && byte(offset) != 0x5C { offset += 1 }
    if offset > start { return .plain(start..<offset) }
    let letter = byte(offset + 1)
    offset += 2
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

  /// Reads the code point of the next four digits, including the other half of a surrogate pair.
  private mutating func codePoint() -> UInt32 {
    let unit = codeUnit(at: offset)
    offset += 4
    guard unit & 0xFC00 == 0xD800, offset + 6 <= end, byte(offset) == 0x5C, byte(offset + 1) == 0x75
    else { return unit }
    let low = codeUnit(at: offset + 2)
    guard low & 0xFC00 == 0xDC00 else { return unit }
    offset += 6
    return 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
  }

  private func codeUnit(at offset: Int) -> UInt32 {
    (offset..<offset + 4).reduce(0) { $0 << 4 | (Hexadecimal.value(of: byte($1)) ?? 0) }
  }

  private func byte(_ offset: Int) -> UInt8 {
    base.load(fromByteOffset: offset, as: UInt8.self)
  }
}
