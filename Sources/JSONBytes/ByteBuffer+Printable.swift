import ByteBuffers

extension ByteBuffer {
  /// Appends UTF-8 for people to read, with its control characters escaped as in JSON.
  ///
  /// U+0000 to U+001F except the tab, and U+007F to U+009F are escaped, so that a name or an item
  /// cannot send commands to the terminal that shows it. Other bytes are copied.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(printable bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    var plain = 0
    var offset = 0
    while true {
      offset = Self.nextSuspect(in: bytes, from: offset)
      guard offset < bytes.count else { break }
      var length = 1
      var control = bytes[offset]
      if control == 0xC2, offset + 1 < bytes.count, bytes[offset + 1] < 0xA0 {
        control = bytes[offset + 1]
        length = 2
      } else if control == 0x09 || control == 0xC2 {
        offset += 1
        continue
      }
      append(UnsafeRawBufferPointer(rebasing: bytes[plain..<offset]))
      append(escaped: control)
      offset += length
      plain = offset
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  /// Returns the offset of the next byte that is a control character or may begin one, or the end.
  private static func nextSuspect(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    // In bounds: each load ends at or before the end.
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let deletes = word ^ (ones &* 0x7F)
      let leads = word ^ (ones &* 0xC2)
      // Borrows make the bits above the lowest one unreliable; the lowest is exact.
      let controls = (word &- ones &* 0x20) & ~word
      let same = ((deletes &- ones) & ~deletes) | ((leads &- ones) & ~leads)
      let stops = (controls | same) & (ones &* 0x80)
      if stops != 0 { return offset &+ stops.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x20 || byte == 0x7F || byte == 0xC2 { return offset }
      offset &+= 1
    }
    return offset
  }
}

extension String {
  /// The string with its control characters escaped as in JSON, except the tab.
  package var printable: String {
    var buffer = ByteBuffer()
    var copy = self
    copy.withUTF8 { buffer.append(printable: UnsafeRawBufferPointer($0)) }
    return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
