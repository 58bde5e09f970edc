extension ByteBuffer {
  /// Appends bytes as Base64 (RFC 4648, section 4).
  package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    let letters = Base64.letters
    var start = 0
    while start < bytes.count {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
      }
      for digit in 0..<4 {
        append(digit <= count ? letters[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : 0x3D)
      }
      start += 3
    }
  }
}

/// Decodes Base64 (RFC 4648, section 4).
package enum Base64 {
  fileprivate static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the bytes that a text encodes, or `nil` if it is not valid Base64.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
    var result: [UInt8] = []
    var group: UInt32 = 0
    for (index, letter) in text.dropLast(padding).enumerated() {
      guard values[Int(letter)] < 64 else { return nil }
      group = group << 6 | UInt32(values[Int(letter)])
      guard index % 4 == 3 else { continue }
      result += [16, 8, 0].map { UInt8(truncatingIfNeeded: group >> $0) }
      group = 0
    }
    if padding > 0 {
      group <<= 6 * UInt32(padding)
      result += [16, 8, 0].prefix(3 - padding).map { UInt8(truncatingIfNeeded: group >> $0) }
    }
    return result
  }
}
