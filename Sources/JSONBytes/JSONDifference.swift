/// The first difference between two JSON texts.
///
/// White space between tokens is ignored. Everything else counts: the order of members, the digits
/// of numbers, the escapes of strings.
package struct JSONDifference: Equatable, Sendable {
  /// The location in both texts, as a JSON pointer (RFC 6901).
  package var pointer: String

  /// The differing values; `nil` if there is none on that side.
  package var first: Range<Int>?
  package var second: Range<Int>?

  /// Returns the first difference of two validated texts, or nil. 64 bytes after each text must be
  /// readable.
  ///
  /// Differences at a pointer for which `isIgnored` returns true are ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of both.
  package static func between(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer,
    isIgnored: (String) -> Bool = { _ in false }
  ) -> JSONDifference? {
    if a.elementsEqual(b) { return nil }
    var walk = Walk(a: JSONReader(a), b: JSONReader(b))
    do throws(JSONError) { return try walk.difference("", isIgnored) } catch {
      preconditionFailure("not validated JSON: \(error)")
    }
  }

  private struct Walk {
    var a: JSONReader
    var b: JSONReader

    mutating func difference(
      _ pointer: String, _ isIgnored: (String) -> Bool
    ) throws(JSONError) -> JSONDifference? {
      let kinds = (try a.peek(), try b.peek())
      switch kinds {
      case (.object, .object) where !isIgnored(pointer): return try members(pointer, isIgnored)
      case (.array, .array) where !isIgnored(pointer): return try elements(pointer, isIgnored)
      default:
        let first = try a.skip()
        let second = try b.skip()
        if a.bytes(first).elementsEqual(b.bytes(second)) || isIgnored(pointer) { return nil }
        return JSONDifference(pointer: pointer, first: first, second: second)
      }
    }

    private mutating func members(
      _ pointer: String, _ isIgnored: (String) -> Bool
    ) throws(JSONError) -> JSONDifference? {
      try a.openObject()
      try b.openObject()
      while true {
        let names = (try a.nextMember(), try b.nextMember())
        guard let left = names.0, let right = names.1 else {
          if let name = names.0 {
            let inside = pointer + "/" + String(decoding: a.bytes(name.range), as: UTF8.self)
            return JSONDifference(pointer: inside, first: try a.skip(), second: nil)
          }
          guard let name = names.1 else { return nil }
          let inside = pointer + "/" + String(decoding: b.bytes(name.range), as: UTF8.self)
          return JSONDifference(pointer: inside, first: nil, second: try b.skip())
        }
        guard a.bytes(left.range).elementsEqual(b.bytes(right.range)) else {
          return JSONDifference(
            pointer: pointer, first: left.range.lowerBound - 1..<left.range.upperBound + 1,
            second: right.range.lowerBound - 1..<right.range.upperBound + 1)
        }
        let inside = pointer + "/" + String(decoding: a.bytes(left.range), as: UTF8.self)
        if let found = try difference(inside, isIgnored) { return found }
      }
    }

    private mutating func elements(
      _ pointer: String, _ isIgnored: (String) -> Bool
    ) throws(JSONError) -> JSONDifference? {
      try a.openArray()
      try b.openArray()
      var index = 0
      while true {
        let more = (try a.nextElement(), try b.nextElement())
        let inside = "\(pointer)/\(index)"
        switch more {
        case (false, false): return nil
        case (true, false):
          return JSONDifference(pointer: inside, first: try a.skip(), second: nil)
        case (false, true):
          return JSONDifference(pointer: inside, first: nil, second: try b.skip())
        case (true, true): if let found = try difference(inside, isIgnored) { return found }
        }
        index += 1
      }
    }
  }
}
