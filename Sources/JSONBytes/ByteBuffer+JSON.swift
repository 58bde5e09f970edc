extension ByteBuffer {
  /// Appends WTF-8 as a JSON string with its quotation marks.
  ///
  /// Quotation marks, backslashes and controls are escaped, and a surrogate is written as `\udXXX`;
  /// all else is written as it is.
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

  /// Appends WTF-8 with the escapes that a JSON string needs, without quotation marks.
  package mutating func append(jsonStringBody bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var plain = 0
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      var length = 1
      if byte == 0xED && place + 2 < bytes.count && bytes[place + 1] >= 0xA0 {
        length = 3
      } else if byte >= 0x20 && byte != 0x22 && byte != 0x5C {
        place += 1
        continue
      }
      append(UnsafeRawBufferPointer(rebasing: bytes[plain..<place]))
      if length == 3 {
        append(
          codeUnit: 0xD000 | UInt16(bytes[place + 1] & 0x3F) << 6 | UInt16(bytes[place + 2] & 0x3F))
      } else {
        append(escaped: byte)
      }
      place += length
      plain = place
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  private mutating func append(escaped byte: UInt8) {
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

  private mutating func append(codeUnit: UInt16) {
    append("\\u")
    for shift in stride(from: UInt16(12), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: codeUnit >> shift & 0xF)
      append(digit < 10 ? digit + 0x30 : digit + 0x57)
    }
  }

  /// Appends JSON that a reader has passed; on a single line, line ends in it become spaces.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(json bytes: UnsafeRawBufferPointer, singleLine: Bool) {
    let start = count
    append(bytes)
    guard singleLine else { return }
    // In valid JSON raw line ends are white space: strings cannot hold them.
    replaceAll(0x0A, with: 0x20, from: start)
    replaceAll(0x0D, with: 0x20, from: start)
  }

  private mutating func replaceAll(_ byte: UInt8, with other: UInt8, from start: Int) {
    var place = start
    while let found = withUnsafeBytes({ Bytes.firstIndex(of: byte, in: $0, from: place) }) {
      base.storeBytes(of: other, toByteOffset: found, as: UInt8.self)
      place = found + 1
    }
  }
}
