import JSONBytes

extension JSONReader {
  /// Calls `body` with each member of the object at which the reader is, which was checked: with a reader
  /// after its value, its name, and the range of the value. `parts` is a range of array elements that is
  /// known and is not scanned again.
  @inline(__always)
  func forEachMember(
    knowing parts: Range<Int>? = nil, _ body: (JSONReader, JSONString, Range<Int>) -> Void
  ) {
    var reader = self
    checked { () throws(JSONError) in
      try reader.openObject()
      while let name = try reader.nextMember() {
        let value = try reader.skip(knowing: parts)
        body(reader, name, value)
      }
    }
  }

  /// Calls `body` with the range of each element of the array at which the reader is, which was checked.
  @inline(__always)
  func forEachElement<Failure: Error>(
    _ body: (Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = self
    checked { () throws(JSONError) in try reader.openArray() }
    while let element = reader.nextCheckedElement() { try body(element) }
  }

  /// Returns the range of the next element of the array in which the reader is, which was checked; `nil` after
  /// the last one.
  @inline(__always)
  mutating func nextCheckedElement() -> Range<Int>? {
    checked { () throws(JSONError) in try nextElement() ? try skip() : nil }
  }

  /// Returns the name of a member, or another string, as WTF-8.
  func name(_ string: JSONString) -> [UInt8] {
    var name: [UInt8] = []
    decode(string, into: &name)
    return name
  }
}
