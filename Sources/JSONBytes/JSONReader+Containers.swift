extension JSONReader {
  /// Opens the object that comes next.
  package mutating func openObject() throws(JSONError) {
    try open(0x7B, expected: .object)
  }

  /// Opens the array that comes next.
  package mutating func openArray() throws(JSONError) {
    try open(0x5B, expected: .array)
  }

  /// The name of the next member, with the reader at its value; nil where the object is closed.
  package mutating func nextMember() throws(JSONError) -> JSONString? {
    var p = offset
    var found = significant(&p)
    if found == 0x7D {
      close(at: p)
      return nil
    }
    if isFresh {
      guard found == 0x22 else { throw unexpected(at: p, expected: .memberNameOrEnd) }
    } else {
      guard found == 0x2C else { throw unexpected(at: p, expected: .commaOrObjectEnd) }
      p &+= 1
      found = significant(&p)
    }
    isFresh = false
    let name = try memberName(&p, found)
    offset = p
    return name
  }

  /// Whether there is another element, with the reader at it; false where the array is closed.
  package mutating func nextElement() throws(JSONError) -> Bool {
    var p = offset
    let found = significant(&p)
    if found == 0x5D {
      close(at: p)
      return false
    }
    if isFresh {
      isFresh = false
      guard p < limit else { throw unexpected(at: p, expected: .value) }
    } else {
      guard found == 0x2C else { throw unexpected(at: p, expected: .commaOrArrayEnd) }
      p &+= 1
    }
    offset = p
    return true
  }

  private mutating func open(_ bracket: UInt8, expected: JSONError.Expected) throws(JSONError) {
    var p = offset
    guard significant(&p) == bracket else { throw unexpected(at: p, expected: expected) }
    guard depth < Self.maximumDepth else { throw failure(.tooDeep, at: p) }
    depth &+= 1
    offset = p &+ 1
    isFresh = true
  }

  private mutating func close(at p: Int) {
    // A container that was open before this reader began is not counted below zero.
    depth = max(0, depth &- 1)
    offset = p &+ 1
    isFresh = false
  }

  /// Reads a name and the colon after it.
  @inline(__always)
  func memberName(_ p: inout Int, _ found: UInt8) throws(JSONError) -> JSONString {
    guard found == 0x22 else { throw unexpected(at: p, expected: .memberName) }
    let start = p &+ 1
    var hasEscapes = false
    p = try stringEnd(from: start, hasEscapes: &hasEscapes)
    let name = JSONString(range: unsafeRange(start, p), hasEscapes: hasEscapes)
    p &+= 1
    guard significant(&p) == 0x3A else { throw unexpected(at: p, expected: .colon) }
    p &+= 1
    return name
  }

  /// A range whose bounds are in order by construction: the end was found going forward.
  @inline(__always)
  func unsafeRange(_ start: Int, _ end: Int) -> Range<Int> {
    Range(uncheckedBounds: (start, end))
  }
}
