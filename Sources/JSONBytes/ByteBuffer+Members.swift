import ByteBuffers

/// Objects and arrays, written member by member and element by element.
///
/// Members and elements after the first one are preceded by a comma.
extension ByteBuffer {
  /// Appends a comma, unless the buffer is empty or its last byte opens an object or an array.
  @inlinable @inline(__always)
  package mutating func appendSeparator() {
    if let last, last != 0x7B, last != 0x5B { append(0x2C) }
  }

  /// Appends the name of a member and a colon.
  @inlinable @inline(__always)
  package mutating func append(member name: StaticString) {
    reserve(name.utf8CodeUnitCount + 4)
    appendSeparator()
    append(0x22)
    append(name)
    append("\":")
  }

  /// Appends a member that is an integer.
  package mutating func append(member name: StaticString, _ value: Int) {
    append(member: name)
    append(decimal: value)
  }

  /// Appends a member that is a Boolean.
  package mutating func append(member name: StaticString, _ value: Bool) {
    append(member: name)
    append(value ? "true" : "false")
  }

  /// Appends a member that is a string.
  package mutating func append(member name: StaticString, string: String) {
    append(member: name)
    append(string: string)
  }

  /// Appends a member that is a string of UTF-8 bytes.
  package mutating func append(member name: StaticString, string bytes: [UInt8]) {
    append(member: name)
    bytes.withUnsafeBytes { append(string: $0) }
  }

  /// Appends a member that is an array with `count` elements, each of which `element` appends.
  package mutating func append(
    list name: StaticString, _ count: Int, _ element: (Int, inout ByteBuffer) -> Void
  ) {
    append(member: name)
    append(array: count, element)
  }

  /// Appends an array with `count` elements, each of which `element` appends.
  package mutating func append(
    array count: Int, _ element: (Int, inout ByteBuffer) -> Void
  ) {
    append(0x5B)
    for index in 0..<count {
      if index > 0 { append(0x2C) }
      element(index, &self)
    }
    append(0x5D)
  }
}
