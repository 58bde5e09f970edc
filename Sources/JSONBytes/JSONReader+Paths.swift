extension UnsafeRawBufferPointer {
  /// The value that names lead to through objects that were checked; nil if there is none.
  ///
  /// `parts` is where the elements of an array in it are known to be.
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
  /// Whether a name is spelled by the given bytes.
  func isSame(_ name: JSONString, _ bytes: [UInt8]) -> Bool {
    guard name.hasEscapes else {
      return name.range.count == bytes.count
        && bytes.withUnsafeBytes { Bytes.equal(self.bytes(name.range), $0) }
    }
    var decoded: [UInt8] = []
    decode(name, into: &decoded)
    return decoded == bytes
  }

  /// Passes a value, at once if it is the array whose elements are known to be at a range.
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

/// Reads what has been checked already, where an error would be a bug.
package func checked<Result>(_ read: () throws(JSONError) -> Result) -> Result {
  do { return try read() } catch { preconditionFailure("bytes that were not checked: \(error)") }
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
