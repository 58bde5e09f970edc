// `Array.span` needs macOS 26 and its kin; a span of a buffer of trivial elements does not. Such an
// array is never bridged from Objective-C, so that its buffer is its own memory. This is the only file
// of the module that handles addresses.

extension Array where Element: BitwiseCopyable {
  /// The elements, as long as the array is not changed.
  var view: Span<Element> {
    @_lifetime(borrow self)
    @inline(__always)
    borrowing get {
      let buffer = withUnsafeBufferPointer { $0 }
      return _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
  }

  /// The elements, to be changed in place.
  var mutableView: MutableSpan<Element> {
    @_lifetime(&self)
    @inline(__always)
    mutating get {
      let buffer = withUnsafeMutableBufferPointer { $0 }
      return _overrideLifetime(MutableSpan(_unsafeElements: buffer), mutating: &self)
    }
  }
}

/// The value of a stored property, by its offset in the memory of a value.
@inlinable @inline(__always)
func storedProperty<Value, Property>(of value: Value, at offset: Int) -> Property {
  withUnsafeBytes(of: value) { $0.load(fromByteOffset: offset, as: Property.self) }
}
