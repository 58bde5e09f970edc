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
    while true {
      place = Self.nextNotable(in: bytes, from: place)
      guard place < bytes.count else { break }
      var length = 1
      if bytes[place] == 0xED {
        // The same byte begins the code points right below the surrogates.
        guard place + 2 < bytes.count && bytes[place + 1] >= 0xA0 else {
          place += 1
          continue
        }
        length = 3
      }
      append(UnsafeRawBufferPointer(rebasing: bytes[plain..<place]))
      if length == 3 {
        append(
          codeUnit: 0xD000 | UInt16(bytes[place + 1] & 0x3F) << 6 | UInt16(bytes[place + 2] & 0x3F))
      } else {
        append(escaped: bytes[place])
      }
      place += length
      plain = place
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  /// The place of the next byte that may not stand in a string as it is, or the end.
  private static func nextNotable(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = start
    while place &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let surrogates = word ^ (ones &* 0xED)
      // Borrows make bits above the lowest one unreliable; the lowest is exact.
      let controls = (word &- ones &* 0x20) & ~word
      let same =
        ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
        | ((surrogates &- ones) & ~surrogates)
      let stops = (controls | same) & (ones &* 0x80)
      if stops != 0 { return place &+ stops.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < bytes.count {
      let byte = bytes[place]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0xED { return place }
      place &+= 1
    }
    return place
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
