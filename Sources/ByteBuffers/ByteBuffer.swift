/// A growable buffer of raw bytes.
///
/// The allocation is `SharedBytes.padding` bytes longer than the capacity, so that the memory can
/// be passed to a `SharedBytes` without a copy. A buffer without capacity has no allocation.
@usableFromInline
package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer

  /// The number of bytes in the buffer.
  @inlinable package var count: Int { length }

  @usableFromInline var length = 0

  /// The number of bytes that fit before the buffer must grow.
  @usableFromInline package var capacity: Int

  /// Creates an empty buffer with room for `capacity` bytes.
  package init(capacity: Int = 0) {
    precondition(capacity >= 0)
    guard capacity > 0 else {
      base = BufferMemory.empty
      self.capacity = 0
      return
    }
    let memory = BufferMemory.allocate(capacity + SharedBytes.padding, grows: false)
    base = memory.address
    self.capacity = memory.size - SharedBytes.padding
  }

  /// Creates a buffer with a copy of the given bytes.
  package init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    append(bytes)
  }

  deinit {
    if capacity > 0 { BufferMemory.deallocate(base, size: capacity + SharedBytes.padding) }
  }

  /// Whether the buffer is empty.
  @inlinable package var isEmpty: Bool { length == 0 }

  /// The last byte; `nil` if the buffer is empty.
  @inlinable package var last: UInt8? {
    length == 0 ? nil : base.load(fromByteOffset: length &- 1, as: UInt8.self)
  }

  /// Makes room for `additional` more bytes.
  ///
  /// - Complexity: O(*n*) if the buffer grows, where *n* is `count`; amortized O(1) over appends.
  @inlinable @inline(__always)
  package mutating func reserve(_ additional: Int) {
    if capacity &- length < additional { grow(by: additional) }
  }

  @inline(never) @usableFromInline
  mutating func grow(by additional: Int) {
    move(toCapacity: max(length + additional, capacity * 2, 64), grows: true)
  }

  /// Makes room for exactly `capacity` bytes if there is less.
  package mutating func reserve(exactly capacity: Int) {
    if self.capacity < capacity { move(toCapacity: capacity) }
  }

  private mutating func move(toCapacity wanted: Int, grows: Bool = false) {
    let new = BufferMemory.allocate(wanted + SharedBytes.padding, grows: grows)
    new.address.copyMemory(from: base, byteCount: length)
    // A buffer that was too small is not kept for reuse.
    if capacity > 0 { base.deallocate() }
    base = new.address
    capacity = new.size - SharedBytes.padding
  }

  /// Removes all bytes.
  package mutating func removeAll(keepingCapacity: Bool = true) {
    length = 0
    if !keepingCapacity { self = ByteBuffer() }
  }

  /// Removes the last `n` bytes.
  @inlinable package mutating func removeLast(_ n: Int = 1) {
    precondition(n >= 0 && n <= length)
    length &-= n
  }

  /// Removes all but the first `newCount` bytes.
  @inlinable package mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= length)
    length = newCount
  }

  /// Removes a range of bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes after the range.
  package mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= length)
    (base + range.lowerBound)
      .copyMemory(from: base + range.upperBound, byteCount: length - range.upperBound)
    length -= range.count
  }

  /// Overwrites existing bytes from `offset` on.
  package mutating func replace(at offset: Int, with bytes: UnsafeRawBufferPointer) {
    precondition(offset >= 0 && offset + bytes.count <= length)
    guard let source = bytes.baseAddress else { return }
    (base + offset).copyMemory(from: source, byteCount: bytes.count)
  }

  /// The byte at an offset.
  @inlinable
  package subscript(offset: Int) -> UInt8 {
    get {
      precondition(offset >= 0 && offset < length)
      return base.load(fromByteOffset: offset, as: UInt8.self)
    }
    set {
      precondition(offset >= 0 && offset < length)
      base.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Calls `body` with the bytes.
  @inlinable
  package func withUnsafeBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: base, count: length))
  }

  /// Calls `body` with at least `minimum` bytes of free space after the last byte. `body` returns
  /// the number of bytes that it wrote.
  @inlinable
  package mutating func withTail<E: Error>(
    minimum: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    reserve(minimum)
    let room = capacity - length
    let written = try body(UnsafeMutableRawBufferPointer(start: base + length, count: room))
    precondition(written >= 0 && written <= room)
    length += written
    return written
  }

  /// Returns the bytes as `SharedBytes` that take over this buffer's memory.
  ///
  /// - Complexity: O(1).
  package consuming func shared() -> SharedBytes {
    let count = length
    return SharedBytes(adopting: self, range: 0..<count)
  }

  /// Transfers the allocation to the caller, who returns it to `BufferMemory`. Returns its address
  /// and size.
  consuming func release() -> (address: UnsafeMutableRawPointer, size: Int) {
    // The padding is written.
    if capacity == 0 { move(toCapacity: 0) }
    let allocation = (base, capacity + SharedBytes.padding)
    discard self
    return allocation
  }
}
