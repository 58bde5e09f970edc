extension Bytes {
  /// Returns a checksum of 64 bits, the same on every machine.
  ///
  /// Multiplies and folds eight bytes at a time (Wang Yi, "wyhash", 2019).
  ///
  /// The result depends on `seed`, for example the checksum of the preceding bytes. The checksum
  /// detects accidental damage; it does not authenticate the bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func checksum(of bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var sum = seed ^ UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    // In bounds: each load ends at or before the end.
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      sum = folded(sum ^ word)
      offset += 8
    }
    var rest: UInt64 = 1
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return folded(sum ^ rest)
  }

  private static func folded(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
