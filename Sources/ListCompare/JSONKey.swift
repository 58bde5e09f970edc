import JSONBytes

/// Reads members of JSON values.
enum JSONKey {
  /// Returns the value at a path of member names separated by dots; nil if there is none.
  ///
  /// A name may itself contain dots.
  static func value(
    at path: String, of row: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    MemberSearch([path]).values(in: row, of: bytes)[0]
  }
}

/// Finds members of objects by paths of member names separated by dots. A name may itself contain
/// dots.
struct MemberSearch {
  /// The paths one after another, and the end of each.
  private var paths: [UInt8] = []
  private var ends: [Int] = []

  @inline(never)
  init(_ paths: [String]) {
    for path in paths {
      self.paths += path.utf8
      ends.append(self.paths.count)
    }
  }

  /// Reads a value and returns its range. `values` becomes the value at each path; nil if there is
  /// none.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the value.
  func read(
    _ reader: inout JSONReader, into values: inout [Range<Int>?]
  ) throws(JSONError) -> Range<Int> {
    while values.count < ends.count { values.append(nil) }
    for index in ends.indices { values[index] = nil }
    guard case .object = try reader.peek(), !ends.isEmpty else { return try reader.skip() }
    let outside = reader
    try Self.readMembers(of: &reader) { name, value in
      paths.withUnsafeBytes { paths in
        var start = 0
        for index in ends.indices {
          let path = UnsafeRawBufferPointer(rebasing: paths[start..<ends[index]])
          if let found = Self.value(at: path, named: name, value, outside) {
            values[index] = found
          }
          start = ends[index]
        }
      }
    }
    return outside.offset..<reader.offset
  }

  /// Returns the value at each path in a row of valid JSON; nil if there is none.
  func values(in row: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [Range<Int>?] {
    var values: [Range<Int>?] = []
    // An answer is nested deeper than the files that it is about.
    var reader = JSONReader(bytes, from: row.lowerBound, depth: -64)
    do throws(JSONError) { _ = try read(&reader, into: &values) } catch {
      preconditionFailure("a value that is not valid: \(error)")
    }
    return values
  }

  /// Reads an object. Calls `body` with the decoded name and the range of the value of each member.
  @inline(never)
  private static func readMembers(
    of reader: inout JSONReader, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(JSONError) {
    try reader.openObject()
    while let name = try reader.nextMember() {
      let value = try reader.skip()
      guard name.hasEscapes else {
        body(reader.bytes(name), value)
        continue
      }
      var decoded = ByteBuffer()
      reader.decode(name, into: &decoded)
      decoded.withUnsafeBytes { body($0, value) }
    }
  }

  private static func value(
    at path: UnsafeRawBufferPointer, named name: UnsafeRawBufferPointer, _ value: Range<Int>,
    _ reader: JSONReader
  ) -> Range<Int>? {
    guard path.count >= name.count,
      Bytes.equal(name, UnsafeRawBufferPointer(rebasing: path[..<name.count]))
    else { return nil }
    if path.count == name.count { return value }
    guard path[name.count] == 0x2E else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: path[(name.count + 1)...])
    var inside = reader.moved(to: value.lowerBound, depth: -64)
    var found: Range<Int>?
    do throws(JSONError) {
      guard case .object = try inside.peek() else { return nil }
      try readMembers(of: &inside) { found = self.value(at: rest, named: $0, $1, reader) ?? found }
    } catch {
      preconditionFailure("an object that is not valid: \(error)")
    }
    return found
  }
}
