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

/// Reads a stored property by its offset in the memory of a value.
@inlinable @inline(__always)
func storedProperty<Value, Property>(of value: Value, at offset: Int) -> Property {
  withUnsafeBytes(of: value) { $0.load(fromByteOffset: offset, as: Property.self) }
}
