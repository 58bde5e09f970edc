/// Immutable bytes that several owners keep, always followed by `padding` readable zero bytes.
package final class SharedBytes: @unchecked Sendable {
  /// How many zero bytes can be read after the last byte.
  package static let padding = 64

  /// The address of the first byte, valid as long as this object lives.
  package let base: UnsafeRawPointer

  /// The number of bytes, without padding.
  package let count: Int

  /// About the memory that the bytes take, in bytes, the same wherever they are the same.
  package var footprint: Int { count + Self.padding + 80 }

  private let allocation: (address: UnsafeMutableRawPointer, size: Int)

  /// The bytes, without padding, valid as long as this object lives.
  ///
  /// A local variable may end its object after its last use: where nothing else keeps the object,
  /// use `withBytes`.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Bytes equal to the given ones.
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

  /// Bytes equal to the elements of a collection.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  package convenience init(copying bytes: some Collection<UInt8>) {
    var copy = ByteBuffer(capacity: bytes.count)
    copy.append(contentsOf: bytes)
    let count = copy.count
    self.init(adopting: copy, range: 0..<count)
  }

  /// A range of a buffer's bytes, in the buffer's own memory; what follows the range is lost.
  ///
  /// - Complexity: O(1).
  package convenience init(adopting buffer: consuming ByteBuffer, range: Range<Int>) {
    precondition(range.upperBound <= buffer.count)
    self.init(arrivingIn: buffer, range: range)
  }

  /// A range of a buffer's memory, the last bytes of which come by `receive`.
  ///
  /// - Complexity: O(1).
  package init(arrivingIn buffer: consuming ByteBuffer, range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.capacity)
    allocation = buffer.release()
    base = UnsafeRawPointer(allocation.address + range.lowerBound)
    count = range.count
    // A buffer's allocation has room for the padding behind its capacity.
    (allocation.address + range.upperBound)
      .initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  /// Lends the bytes, without padding, and keeps this object alive meanwhile.
  package func withBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// Lends the bytes from a place on, which nobody reads yet; `body` returns how many it wrote.
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
