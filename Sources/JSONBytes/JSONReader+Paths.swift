import ByteBuffers

extension UnsafeRawBufferPointer {
  /// Returns the value at a path of member names in validated JSON, or nil if there is none.
  ///
  /// `parts` is the range of the elements of an array in it, if known.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func member(
    path: ArraySlice<[UInt8]>, parts: Range<Int>? = nil
  ) -> UnsafeRawBufferPointer? {
    guard let name = path.first else { return self }
    guard self[0] == 0x7B else { return nil }
    var reader = JSONReader(self)
    var found: Range<Int>?
    checked { () throws(JSONError) in
      try reader.openObject()
      while let member = try reader.nextMember() {
        let value = try reader.skip(knowing: parts)
        if reader.isSame(member, name) { found = value }
      }
    }
    return found.flatMap {
      UnsafeRawBufferPointer(rebasing: self[$0]).member(path: path.dropFirst())
    }
  }
}

extension JSONReader {
  /// Returns whether a name consists of the given bytes.
  func isSame(_ name: JSONString, _ bytes: [UInt8]) -> Bool {
    guard name.hasEscapes else {
      return name.range.count == bytes.count
        && bytes.withUnsafeBytes { Bytes.equal(self.bytes(name.range), $0) }
    }
    var decoded: [UInt8] = []
    decode(name, into: &decoded)
    return decoded == bytes
  }

  /// Skips a value. If it is the array whose elements are known to be at a range, skips it in O(1).
  package mutating func skip(knowing elements: Range<Int>?) throws(JSONError) -> Range<Int> {
    guard let elements, try peek() == .array else { return try skip() }
    let start = offset
    guard (1...64).contains(elements.lowerBound - start),
      bytes(start + 1..<elements.lowerBound).allSatisfy({ $0 <= 0x20 })
    else { return try skip() }
    self = moved(to: elements.upperBound, depth: depth + 1)
    _ = try nextElement()
    return start..<offset
  }
}

/// Reads validated JSON. An error is a bug.
package func checked<Result>(_ read: () throws(JSONError) -> Result) -> Result {
  do { return try read() } catch { preconditionFailure("not validated JSON: \(error)") }
}

extension [UInt8] {
  /// Appends JSON without the white space between its tokens.
  package mutating func append(compact json: UnsafeRawBufferPointer) {
    var isInString = false
    var isEscaped = false
    for byte in json {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
      } else if byte == 0x22 {
        isInString = true
      } else if byte <= 0x20 {
        continue
      }
      append(byte)
    }
  }
}
