extension JSONReader {
  /// Opens the next value, which must be an object.
  package mutating func openObject() throws(JSONError) {
    try open(0x7B, expected: .object)
  }

  /// Opens the next value, which must be an array.
  package mutating func openArray() throws(JSONError) {
    try open(0x5B, expected: .array)
  }

  /// Returns the name of the next member and moves to its value, or closes the object and returns
  /// nil.
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

  /// Moves to the next element and returns true, or closes the array and returns false.
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
    // Containers that were opened before this reader was created are not counted below zero.
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

  /// Creates a range without a check: its bounds are in order, because the end was found after the
  /// start.
  @inline(__always)
  func unsafeRange(_ start: Int, _ end: Int) -> Range<Int> {
    Range(uncheckedBounds: (start, end))
  }
}
