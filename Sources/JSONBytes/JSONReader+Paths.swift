import ByteBuffers

extension UnsafeRawBufferPointer {
  /// Returns the value of a member of an object in validated JSON, or nil if there is none. A name with
  /// dots is looked up whole first, and then as a path of names.
  ///
  /// `parts` is the range of the elements of an array in it, if known.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func member(_ name: [UInt8], parts: Range<Int>? = nil) -> UnsafeRawBufferPointer? {
    member(name, from: 0, parts: parts)
  }

  /// Returns the range of that value.
  package func rangeOfMember(_ name: [UInt8]) -> Range<Int>? { rangeOfMember(name, from: 0) }

  /// Returns the value at the path of names that begins at an offset of `name`. If that is 0, a member
  /// with the whole name comes first.
  ///
  /// The objects on the path are entered while the value is read, so that no byte is read twice.
  func member(
    _ name: [UInt8], from start: Int, parts: Range<Int>? = nil
  ) -> UnsafeRawBufferPointer? {
    rangeOfMember(name, from: start, parts: parts).map {
      UnsafeRawBufferPointer(rebasing: self[$0])
    }
  }

  private func rangeOfMember(
    _ name: [UInt8], from start: Int, parts: Range<Int>? = nil
  ) -> Range<Int>? {
    guard self[0] == 0x7B else { return nil }
    var reader = JSONReader(self)
    var whole: Range<Int>?
    var found: Range<Int>?
    // The name that is sought in the innermost object that is open.
    var step = name.pathStep(from: start)
    checked { () throws(JSONError) in
      try reader.openObject()
      while true {
        guard let member = try reader.nextMember() else {
          if step.lowerBound == start { return }
          step = name.pathStep(before: step.lowerBound - 1)
          continue
        }
        let isLast = step.upperBound == name.count
        guard reader.isSame(member, name[step]) else {
          let value = try reader.skip(knowing: parts)
          if step.lowerBound == 0, !isLast, reader.isSame(member, name[...]) { whole = value }
          continue
        }
        // Of duplicate names, the last one counts.
        found = nil
        if isLast {
          found = try reader.skip(knowing: parts)
        } else if try reader.peek() == .object {
          try reader.openObject()
          step = name.pathStep(from: step.upperBound + 1)
        } else {
          _ = try reader.skip(knowing: parts)
        }
      }
    }
    return whole ?? found
  }
}

extension [UInt8] {
  /// Returns the range of a name in a path of names that are separated by dots, which begins at an
  /// offset.
  func pathStep(from start: Int) -> Range<Int> {
    start..<(self[start...].firstIndex(of: 0x2E) ?? count)
  }

  /// The same for the name that ends before a dot at an offset.
  fileprivate func pathStep(before dot: Int) -> Range<Int> {
    (self[..<dot].lastIndex(of: 0x2E).map { $0 + 1 } ?? 0)..<dot
  }
}

extension JSONReader {
  /// Returns whether a name consists of the given bytes.
  func isSame(_ name: JSONString, _ bytes: ArraySlice<UInt8>) -> Bool {
    guard name.hasEscapes else {
      return name.range.count == bytes.count
        && bytes.withUnsafeBytes { Bytes.equal(self.bytes(name.range), $0) }
    }
    var decoded: [UInt8] = []
    decode(name, into: &decoded)
    return decoded[...] == bytes
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
@inlinable @inline(__always)
package func checked<Result>(_ read: () throws(JSONError) -> Result) -> Result {
  do { return try read() } catch { stop(error) }
}

@usableFromInline @inline(never)
func stop(_ error: JSONError) -> Never { preconditionFailure("not validated JSON: \(error)") }

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
