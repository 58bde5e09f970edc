/// Immutable bytes with several owners, followed by `padding` readable zero bytes.
@usableFromInline
package final class SharedBytes: @unchecked Sendable {
  /// The number of readable zero bytes after the last byte.
  package static let padding = 64

  /// The address of the first byte. Valid as long as this object exists.
  @usableFromInline package let base: UnsafeRawPointer

  /// The number of bytes, without padding.
  @usableFromInline package let count: Int

  /// The approximate memory in bytes. It depends only on `count`.
  package var footprint: Int { count + Self.padding + 80 }

  private let allocation: (address: UnsafeMutableRawPointer, size: Int)

  /// The bytes, without padding. Valid as long as this object exists.
  ///
  /// A local variable may release its object after its last use; if nothing else keeps the object
  /// alive, use `withBytes`.
  @inlinable package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Creates a copy of the given bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(copying bytes: UnsafeRawBufferPointer) {
    allocation = BufferMemory.allocate(bytes.count + Self.padding, grows: false)
    if let source = bytes.baseAddress {
      allocation.address.copyMemory(from: source, byteCount: bytes.count)
    }
    base = UnsafeRawPointer(allocation.address)
    count = bytes.count
    (allocation.address + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  /// Creates a copy of the elements of a collection.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  package convenience init(copying bytes: some Collection<UInt8>) {
    var copy = ByteBuffer(capacity: bytes.count)
    copy.append(contentsOf: bytes)
    let count = copy.count
    self.init(adopting: copy, range: 0..<count)
  }

  /// Takes over the memory of a buffer and uses a range of its bytes. Bytes after the range are
  /// lost.
  ///
  /// - Complexity: O(1).
  package convenience init(adopting buffer: consuming ByteBuffer, range: Range<Int>) {
    precondition(range.upperBound <= buffer.count)
    self.init(receivingInto: buffer, range: range)
  }

  /// Takes over the memory of a buffer and uses a range of it, the last bytes of which are written
  /// by `receive` later.
  ///
  /// - Complexity: O(1).
  package init(receivingInto buffer: consuming ByteBuffer, range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.capacity)
    allocation = buffer.release()
    base = UnsafeRawPointer(allocation.address + range.lowerBound)
    count = range.count
    // A buffer's allocation has room for the padding after its capacity.
    (allocation.address + range.upperBound)
      .initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  /// Calls `body` with the bytes, without padding, and keeps this object alive during the call.
  @inlinable
  package func withBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// Calls `body` with the bytes from `offset` on, which must not be read yet. `body` returns the
  /// number of bytes that it wrote.
  package func receive<E: Error>(
    from offset: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    precondition(offset >= 0 && offset <= count)
    let start = allocation.address + (base - UnsafeRawPointer(allocation.address)) + offset
    let written = try body(UnsafeMutableRawBufferPointer(start: start, count: count - offset))
    precondition(written >= 0 && written <= count - offset)
    return written
  }

  deinit {
    BufferMemory.deallocate(allocation.address, size: allocation.size)
  }
}
