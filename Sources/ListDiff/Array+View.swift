// `Array.span` requires macOS 26 and the corresponding systems; a span of a buffer of trivial
// elements does not. An array of trivial elements is never bridged from Objective-C, so its buffer
// is its own memory. No other file of the module handles addresses.

extension Array where Element: BitwiseCopyable {
  /// The elements. The span is valid until the array is changed.
  var view: Span<Element> {
    @_lifetime(borrow self)
    @inline(__always)
    borrowing get {
      let buffer = withUnsafeBufferPointer { $0 }
      return _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
  }

  /// The elements, for changes in place.
  var mutableView: MutableSpan<Element> {
    @_lifetime(&self)
    @inline(__always)
    mutating get {
      let buffer = withUnsafeMutableBufferPointer { $0 }
      return _overrideLifetime(MutableSpan(_unsafeElements: buffer), mutating: &self)
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends elements that `body` writes into memory for `limit` of them. It returns how many it
  /// wrote, from the first one on, and reads none that it has not written.
  @inline(__always)
  mutating func append(atMost limit: Int, _ body: (inout MutableSpan<Element>) -> Int) {
    append(addingCapacity: limit) { output in
      output.withUnsafeMutableBufferPointer { buffer, count in
        let free = UnsafeMutableBufferPointer(rebasing: buffer[count..<count + limit])
        var span = MutableSpan(_unsafeElements: free)
        let written = body(&span)
        precondition(written >= 0 && written <= limit)
        count += written
      }
    }
  }
}

/// 32 adjacent elements of a span.
struct Block<Element: BitwiseCopyable>: ~Escapable {
  fileprivate let bytes: RawSpan

  @_lifetime(copy span)
  @inline(__always)
  fileprivate init(_ span: Span<Element>) { bytes = span.bytes }
}

extension Span<Int32> {
  /// Returns the 32 elements from an index on.
  @inline(__always)
  @_lifetime(copy self)
  func block(at index: Int) -> Block<Int32> {
    precondition(index >= 0 && index &+ 32 <= count)
    return Block(extracting(unchecked: index..<index &+ 32))
  }
}

extension Block<Int32> {
  /// Returns four elements from an offset on, which must be at most 28.
  @inline(__always)
  func four(at offset: Int) -> SIMD4<Int32> {
    bytes.unsafeLoadUnaligned(fromByteOffset: 4 &* offset, as: SIMD4<Int32>.self)
  }
}

/// Reads a stored property by its offset in the memory of a value.
@_alwaysEmitIntoClient @inline(__always)
func storedProperty<Value, Property>(of value: Value, at offset: Int) -> Property {
  withUnsafeBytes(of: value) { $0.load(fromByteOffset: offset, as: Property.self) }
}
