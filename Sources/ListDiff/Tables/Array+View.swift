// `Array.span` requires macOS 26 and the corresponding systems. An array of trivial elements is never
// bridged from Objective-C, so its buffer is its own memory. No other file of the module handles
// addresses.

/// The elements of an array of trivial elements. Other than those of a `Span`, they are read without a
/// call in a debug build.
@frozen @usableFromInline
package struct ArrayView<Element: BitwiseCopyable>: ~Escapable, BitwiseCopyable {
  @usableFromInline package let start: UnsafePointer<Element>
  @usableFromInline package let count: Int

  @_alwaysEmitIntoClient @_transparent
  @_lifetime(immortal)
  init(start: UnsafePointer<Element>, count: Int) {
    self.start = start
    self.count = count
  }

  @_alwaysEmitIntoClient package var isEmpty: Bool { @_transparent get { count == 0 } }

  @_alwaysEmitIntoClient package var indices: Range<Int> { @_transparent get { 0..<count } }

  /// Accesses an element.
  @_alwaysEmitIntoClient package subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return start + index
    }
  }

  /// Accesses an element whose index the caller has checked.
  @_alwaysEmitIntoClient package subscript(unchecked index: Int) -> Element {
    @_transparent unsafeAddress { start + index }
  }

  /// Returns the elements of a range.
  @_alwaysEmitIntoClient @inline(__always)
  @_lifetime(copy self)
  package func extracting(_ range: Range<Int>) -> ArrayView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return _overrideLifetime(
      ArrayView(start: start + range.lowerBound, count: range.count), copying: self)
  }

  /// Returns the elements from an index on.
  @_lifetime(copy self)
  func extracting(_ range: PartialRangeFrom<Int>) -> ArrayView {
    extracting(range.lowerBound..<count)
  }
}

/// The elements of an array of trivial elements, for changes in place.
@frozen @usableFromInline
package struct MutableArrayView<Element: BitwiseCopyable>: ~Escapable, BitwiseCopyable {
  @usableFromInline package let start: UnsafeMutablePointer<Element>
  @usableFromInline package let count: Int

  @_alwaysEmitIntoClient @_transparent
  @_lifetime(immortal)
  init(start: UnsafeMutablePointer<Element>, count: Int) {
    self.start = start
    self.count = count
  }

  /// Accesses an element.
  @_alwaysEmitIntoClient package subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return UnsafePointer(start + index)
    }
    @_transparent unsafeMutableAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return start + index
    }
  }

  /// Accesses an element whose index the caller has checked.
  @_alwaysEmitIntoClient package subscript(unchecked index: Int) -> Element {
    @_transparent unsafeAddress { UnsafePointer(start + index) }
    @_transparent unsafeMutableAddress { start + index }
  }

  /// Returns the elements of a range.
  @_alwaysEmitIntoClient @inline(__always)
  @_lifetime(copy self)
  package func extracting(_ range: Range<Int>) -> MutableArrayView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return _overrideLifetime(
      MutableArrayView(start: start + range.lowerBound, count: range.count), copying: self)
  }
}

extension ArrayView<UInt64> {
  /// The same memory as twice as many numbers of half the size, which must have been written as such.
  var halves: ArrayView<Int32> {
    @_lifetime(copy self)
    @inline(__always)
    get {
      let start = UnsafeRawPointer(start).assumingMemoryBound(to: Int32.self)
      return _overrideLifetime(ArrayView<Int32>(start: start, count: 2 * count), copying: self)
    }
  }
}

extension MutableArrayView<UInt64> {
  /// The same memory as twice as many numbers of half the size. What is written as such is not read as a word.
  var halves: MutableArrayView<Int32> {
    @_lifetime(copy self)
    @inline(__always)
    get {
      let start = UnsafeMutableRawPointer(start).assumingMemoryBound(to: Int32.self)
      return _overrideLifetime(
        MutableArrayView<Int32>(start: start, count: 2 * count), copying: self)
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// The elements. The view is valid until the array is changed.
  @_alwaysEmitIntoClient package var view: ArrayView<Element> {
    @_lifetime(borrow self)
    @inline(__always)
    borrowing get {
      _overrideLifetime(ArrayView(start: Self.same(self), count: count), borrowing: self)
    }
  }

  /// The elements, for changes in place.
  @_alwaysEmitIntoClient package var mutableView: MutableArrayView<Element> {
    @_lifetime(&self)
    @inline(__always)
    mutating get {
      let start = Self.sameMutable(&self)
      return _overrideLifetime(MutableArrayView(start: start, count: count), mutating: &self)
    }
  }

  // To pass an array as a pointer takes less in a debug build than `withUnsafeBufferPointer`.
  @_alwaysEmitIntoClient @inline(__always)
  static func same(_ start: UnsafePointer<Element>) -> UnsafePointer<Element> { start }

  @_alwaysEmitIntoClient @inline(__always)
  static func sameMutable(_ start: UnsafeMutablePointer<Element>) -> UnsafeMutablePointer<
    Element
  > {
    start
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends elements that `body` writes into memory for `limit` of them. It returns how many it
  /// wrote, from the first one on, and reads none that it has not written.
  @inline(__always)
  mutating func append(atMost limit: Int, _ body: (inout MutableArrayView<Element>) -> Int) {
    append(addingCapacity: limit) { output in
      output.withUnsafeMutableBufferPointer { buffer, count in
        let free = UnsafeMutableBufferPointer(rebasing: buffer[count..<count + limit])
        guard let start = free.baseAddress else { return }
        var view = MutableArrayView(start: start, count: limit)
        let written = body(&view)
        precondition(written >= 0 && written <= limit)
        count += written
      }
    }
  }
}

/// 32 adjacent elements of an array.
struct Block<Element: BitwiseCopyable>: ~Escapable {
  fileprivate let start: UnsafePointer<Element>

  @_lifetime(copy view)
  @inline(__always)
  fileprivate init(_ view: ArrayView<Element>, at index: Int) { start = view.start + index }
}

extension ArrayView<Int32> {
  /// Returns the 32 elements from an index on.
  @inline(__always)
  @_lifetime(copy self)
  func block(at index: Int) -> Block<Int32> {
    precondition(index >= 0 && index &+ 32 <= count)
    return Block(self, at: index)
  }
}

extension Block<Int32> {
  /// Returns four elements from an offset on, which must be at most 28.
  @inline(__always)
  func four(at offset: Int) -> SIMD4<Int32> {
    UnsafeRawPointer(start).loadUnaligned(
      fromByteOffset: 4 &* offset, as: SIMD4<Int32>.self)
  }
}

/// An item by its index, and where its identity is in memory.
@frozen @usableFromInline
struct KeyedItem<ID> {
  @usableFromInline let address: UnsafePointer<ID>
  @usableFromInline let index: Int

  @_alwaysEmitIntoClient @inline(__always)
  init(address: UnsafePointer<ID>, index: Int) {
    self.address = address
    self.index = index
  }

  @_alwaysEmitIntoClient var id: ID {
    @inline(__always) get { address.pointee }
  }
}

extension ContiguousArray {
  /// Calls `body` with the identities of all elements at a key path. A stored property is read in place, by
  /// its offset; others are computed once, because a key path is slow.
  @_alwaysEmitIntoClient
  func withKeys<ID, Result>(
    _ path: KeyPath<Element, ID>, _ body: (ContiguousArray<KeyedItem<ID>>) -> Result
  ) -> Result {
    guard let offset = MemoryLayout<Element>.offset(of: path) else {
      return ContiguousArray<ID>(map { $0[keyPath: path] }).withKeys(at: 0, body)
    }
    return withKeys(at: offset, body)
  }

  @_alwaysEmitIntoClient
  func withKeys<ID, Result>(
    at offset: Int, _ body: (ContiguousArray<KeyedItem<ID>>) -> Result
  ) -> Result {
    withUnsafeBytes { memory in
      var items: ContiguousArray<KeyedItem<ID>> = []
      items.reserveCapacity(count)
      if var address = memory.baseAddress {
        address += offset
        for index in indices {
          items.append(KeyedItem(address: address.assumingMemoryBound(to: ID.self), index: index))
          address += MemoryLayout<Element>.stride
        }
      }
      return body(items)
    }
  }
}

/// Returns the first two words in the memory of a value of at least 16 bytes.
@_alwaysEmitIntoClient @inline(__always)
func twoWords<Value>(of value: Value) -> (UInt64, UInt64) {
  withUnsafeBytes(of: value) {
    (
      $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
      $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    )
  }
}
