import ByteBuffers

extension ByteBuffer {
  /// Appends WTF-8 as a JSON string with its quotation marks.
  ///
  /// Quotation marks, backslashes and control characters are escaped, and a surrogate is written as
  /// `\udXXX`. Other bytes are copied.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(string bytes: UnsafeRawBufferPointer) {
    append(0x22)
    append(jsonStringBody: bytes)
    append(0x22)
  }

  /// Appends a string as a JSON string with its quotation marks.
  package mutating func append(string: String) {
    var string = string
    string.withUTF8 { append(string: UnsafeRawBufferPointer($0)) }
  }

  /// Appends WTF-8 with the escapes of a JSON string, without quotation marks.
  package mutating func append(jsonStringBody bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var plain = 0
    var offset = 0
    while true {
      offset = Self.nextEscaped(in: bytes, from: offset)
      guard offset < bytes.count else { break }
      var length = 1
      if bytes[offset] == 0xED {
        // The same byte begins the code points just below the surrogates.
        guard offset + 2 < bytes.count && bytes[offset + 1] >= 0xA0 else {
          offset += 1
          continue
        }
        length = 3
      }
      append(UnsafeRawBufferPointer(rebasing: bytes[plain..<offset]))
      if length == 3 {
        append(
          codeUnit: 0xD000 | UInt16(bytes[offset + 1] & 0x3F) << 6
            | UInt16(bytes[offset + 2] & 0x3F))
      } else {
        append(escaped: bytes[offset])
      }
      offset += length
      plain = offset
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  /// Returns the offset of the next byte that may need an escape, or the end.
  private static func nextEscaped(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let surrogates = word ^ (ones &* 0xED)
      // Borrows make the bits above the lowest one unreliable; the lowest is exact.
      let controls = (word &- ones &* 0x20) & ~word
      let same =
        ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
        | ((surrogates &- ones) & ~surrogates)
      let stops = (controls | same) & (ones &* 0x80)
      if stops != 0 { return offset &+ stops.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xED { return offset }
      offset &+= 1
    }
    return offset
  }

  /// Appends the escape of a quotation mark, a backslash or a control character.
  mutating func append(escaped byte: UInt8) {
    switch byte {
    case 0x22: append("\\\"")
    case 0x5C: append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    default: append(codeUnit: UInt16(byte))
    }
  }

  /// Appends the escape of a code unit of UTF-16.
  mutating func append(codeUnit: UInt16) {
    append("\\u")
    for shift in stride(from: UInt16(12), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: codeUnit >> shift & 0xF)
      append(digit < 10 ? digit + 0x30 : digit + 0x57)
    }
  }

  /// Appends valid JSON. If `singleLine` is true, line ends in it are replaced by spaces.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(json bytes: UnsafeRawBufferPointer, singleLine: Bool) {
    let start = count
    append(bytes)
    guard singleLine else { return }
    // In valid JSON, raw line ends are white space: strings cannot contain them.
    replaceAll(0x0A, with: 0x20, from: start)
    replaceAll(0x0D, with: 0x20, from: start)
  }

  private mutating func replaceAll(_ byte: UInt8, with other: UInt8, from start: Int) {
    var offset = start
    while let found = withUnsafeBytes({ Bytes.firstIndex(of: byte, in: $0, from: offset) }) {
      self[found] = other
      offset = found + 1
    }
  }
}
