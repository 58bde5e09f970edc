extension ByteBuffer {
  /// Appends one byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length &+= 1
  }

  /// Appends one byte several times.
  package mutating func append(repeating byte: UInt8, count: Int) {
    reserve(count)
    (base + length).initializeMemory(as: UInt8.self, repeating: byte, count: count)
    length &+= count
  }

  /// Appends a copy of the given bytes.
  @inlinable
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    append(source, count: bytes.count)
  }

  /// Appends `count` bytes from `source` on.
  @inlinable @inline(__always)
  package mutating func append(_ source: UnsafeRawPointer, count: Int) {
    reserve(count)
    (base + length).copyMemory(from: source, byteCount: count)
    length &+= count
  }

  /// Appends the UTF-8 bytes of a literal.
  @inlinable @inline(__always)
  package mutating func append(_ literal: StaticString) {
    precondition(literal.hasPointerRepresentation)
    append(UnsafeRawPointer(literal.utf8Start), count: literal.utf8CodeUnitCount)
  }

  /// Appends all bytes of another buffer.
  @inlinable
  package mutating func append(contentsOf other: borrowing ByteBuffer) {
    append(UnsafeRawPointer(other.base), count: other.length)
  }

  /// Appends the elements of a collection.
  @inlinable
  package mutating func append(contentsOf bytes: some Collection<UInt8>) {
    let copied: Void? = bytes.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    guard copied == nil else { return }
    for byte in bytes { append(byte) }
  }

  /// Appends an integer in decimal notation.
  @inlinable
  package mutating func append(decimal value: Int) {
    if value >= 0 && value < 10 {
      append(UInt8(truncatingIfNeeded: value) &+ 0x30)
    } else {
      append(longDecimal: value)
    }
  }

  @usableFromInline
  mutating func append(longDecimal value: Int) {
    // `Int.min` has 20 characters.
    reserve(20)
    length = DecimalDigits.write(value, to: base + length) - base
  }
}
