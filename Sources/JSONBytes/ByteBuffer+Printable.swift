import ByteBuffers

extension Unicode.Scalar {
  /// The escape of a character that would not be shown as itself, as in JSON; `nil` for others.
  ///
  /// Control characters except the tab send commands to a terminal. U+00AD, U+061C, U+180E, U+200B to
  /// U+200F, U+2028 to U+202E, U+2060 to U+206F and U+FEFF are invisible, break a line, or change the
  /// direction of writing, so that text seems to be other text.
  package var printableEscape: String? {
    switch value {
    case 0x09: return nil
    case 0x00..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF:
      var buffer = ByteBuffer()
      if let byte = UInt8(exactly: value) {
        buffer.append(escaped: byte)
      } else {
        buffer.append(codeUnit: UInt16(value))
      }
      return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    default: return nil
    }
  }
}

extension ByteBuffer {
  /// Appends UTF-8 for people to read, with the characters escaped that have a `printableEscape`,
  /// so that a name or an item can neither send commands to the terminal that shows it nor hide
  /// what it is. Other bytes are copied.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(printable bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var plain = 0
    var offset = 0
    while true {
      offset = Self.nextSuspect(in: bytes, from: offset)
      guard offset < bytes.count else { break }
      guard let (scalar, length) = Self.scalar(in: bytes, at: offset),
        let escape = scalar.printableEscape
      else {
        offset += 1
        continue
      }
      append(UnsafeRawBufferPointer(rebasing: bytes[plain..<offset]))
      append(contentsOf: escape.utf8)
      offset += length
      plain = offset
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  /// Returns the character at an offset and its number of bytes; `nil` if no character of the basic
  /// plane begins there.
  private static func scalar(
    in bytes: UnsafeRawBufferPointer, at offset: Int
  ) -> (Unicode.Scalar, length: Int)? {
    let length =
      switch bytes[offset] {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      default: 0
      }
    guard length > 0, offset + length <= bytes.count else { return nil }
    var value = UInt32(bytes[offset]) & (length == 1 ? 0x7F : 0x3F >> UInt32(length - 1))
    for byte in bytes[offset + 1..<offset + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  /// Returns the offset of the next byte that is a control character or not ASCII, or the end.
  private static func nextSuspect(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    // In bounds: each load ends at or before the end.
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let deletes = word ^ (ones &* 0x7F)
      // Borrows make the bits above the lowest one unreliable; the lowest is exact.
      let stops = ((word &- ones &* 0x20) | (deletes &- ones) | word) & (ones &* 0x80)
      if stops != 0 { return offset &+ stops.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x20 || byte >= 0x7F { return offset }
      offset &+= 1
    }
    return offset
  }
}

extension String {
  /// The string with its control characters, except the tab, and its invisible characters escaped
  /// as in JSON.
  package var printable: String {
    var buffer = ByteBuffer()
    var copy = self
    copy.withUTF8 { buffer.append(printable: UnsafeRawBufferPointer($0)) }
    return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
