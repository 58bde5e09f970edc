import ByteBuffers
import FuzzyMatch

/// Natural order: strings without regard to case, and numbers in them by value.
enum NaturalOrder {
  /// Appends bytes that compare as strings do in this order. The bytes of a string are never a
  /// proper prefix of those of another one.
  ///
  /// A run of digits is encoded as a digit, the number of its significant digits, and these digits.
  /// It compares with any other character as its first digit does.
  static func append(_ string: UnsafeRawBufferPointer, to key: inout ByteBuffer) {
    var index = 0
    while index < string.count {
      let byte = string[index]
      if isDigit(byte) {
        var end = index + 1
        while end < string.count, isDigit(string[end]) { end += 1 }
        while index < end, string[index] == 0x30 { index += 1 }
        key.append(0x30)
        if end - index < 0xFF {
          key.append(UInt8(end - index))
        } else {
          key.append(0xFF)
          key.append(bigEndian: UInt64(end - index))
        }
        key.append(UnsafeRawBufferPointer(rebasing: string[index..<end]))
        index = end
      } else if byte < 0x80 {
        key.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        if byte == 0 { key.append(0xFF) }
        index += 1
      } else {
        let (point, length) = codePoint(string, at: index)
        key.append(codePoint: CaseFolding.fold(point))
        index += length
      }
    }
    key.append(0)
    key.append(0)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Returns the code point that begins at an index of UTF-8, and its length in bytes.
  private static func codePoint(
    _ string: UnsafeRawBufferPointer, at index: Int
  ) -> (point: UInt32, length: Int) {
    let first = UInt32(string[index])
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var point = first & (0x7F >> UInt32(length))
    for offset in 1..<length { point = point << 6 | UInt32(string[index + offset] & 0x3F) }
    return (point, length)
  }
}
