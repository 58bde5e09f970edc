extension IDHash {
  @_alwaysEmitIntoClient @inline(__always)
  mutating func hash(text: String) -> UInt64 {
    if let (hash, bits) = text.utf8.withContiguousStorageIfAvailable({ self.hash($0) }) {
      if bits & 0x8080_8080_8080_8080 != 0, isPlain { check(text) }
      return hash
    }
    return hash(bridged: text)
  }

  /// Returns the hash of a string that is not stored as UTF-8, such as a bridged one.
  @_alwaysEmitIntoClient @inline(never)
  mutating func hash(bridged text: String) -> UInt64 {
    var text = text
    text.makeContiguousUTF8()
    return hash(text: text)
  }

  /// Returns the hash of bytes and the bitwise OR of words that cover them all.
  @_alwaysEmitIntoClient @inline(__always)
  func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, bits: UInt64) {
    let bytes = UnsafeRawBufferPointer(bytes)
    let count = bytes.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    var all: UInt64 = 0
    var state = seed
    if count > 16 {
      var offset = 0
      while offset &+ 16 < count {
        first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        last = bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
        all |= first | last
        state = Self.fold(first ^ secret, last ^ state)
        offset &+= 16
      }
      first = bytes.loadUnaligned(fromByteOffset: count &- 16, as: UInt64.self)
      last = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 8 {
      // A small string was just stored as two words: a load across both would wait for the stores.
      first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      if count >= 12 {
        last =
          UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
          | UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) << 32
      } else if count > 8 {
        last =
          UInt64(bytes[8]) | UInt64(bytes[8 &+ (count &- 8) &>> 1]) << 8
          | UInt64(bytes[count &- 1]) << 16
      }
    } else if count >= 4 {
      first = UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      last = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    } else if count > 0 {
      first = UInt64(bytes[0])
      last = UInt64(bytes[count &>> 1]) << 8 | UInt64(bytes[count &- 1])
    }
    all |= first | last
    state = Self.fold(first ^ secret, last ^ state)
    return (Self.fold(state ^ UInt64(truncatingIfNeeded: count), 0x8EBC_6AF0_9C88_C6E3), all)
  }

  /// Clears `isPlain` if a scalar of the string may be changed by normalization.
  @usableFromInline @inline(never)
  mutating func check(_ text: String) {
    for scalar in text.unicodeScalars where !NormalForm.isKnownStable(scalar) {
      isPlain = false
      return
    }
  }
}
