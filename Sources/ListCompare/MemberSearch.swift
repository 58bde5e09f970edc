import ByteBuffers
import JSONBytes

/// Finds members of objects by paths of member names separated by dots. A name may itself contain
/// dots.
struct MemberSearch {
  /// The paths one after another, and the end of each.
  private var paths: [UInt8] = []
  private var ends: [Int] = []

  init(_ paths: [String]) {
    for path in paths {
      self.paths += path.utf8
      ends.append(self.paths.count)
    }
  }

  /// Returns the value at a path in a row of valid JSON; nil if there is none.
  static func value(
    at path: String, of row: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    MemberSearch([path]).values(in: row, of: bytes)[0]
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
    let start = reader.offset
    try reader.openObject()
    while let name = try reader.nextMember() {
      let value = try reader.skip()
      if name.hasEscapes {
        var decoded = ByteBuffer()
        reader.decode(name, into: &decoded)
        decoded.withUnsafeBytes { add(value, named: $0, reader, to: &values) }
      } else {
        add(value, named: reader.bytes(name), reader, to: &values)
      }
    }
    return start..<reader.offset
  }

  /// Returns the value at each path in a row of valid JSON; nil if there is none.
  func values(in row: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [Range<Int>?] {
    values(JSONReader(bytes, from: row.lowerBound))
  }

  private func values(_ reader: JSONReader) -> [Range<Int>?] {
    // An answer is nested deeper than the files that it is about.
    var reader = reader.moved(to: reader.offset, depth: -64)
    var values: [Range<Int>?] = []
    do throws(JSONError) { _ = try read(&reader, into: &values) } catch {
      preconditionFailure("a value that is not valid: \(error)")
    }
    return values
  }

  /// Adds a member, or a member of it, to the values.
  private func add(
    _ value: Range<Int>, named name: UnsafeRawBufferPointer, _ reader: JSONReader,
    to values: inout [Range<Int>?]
  ) {
    paths.withUnsafeBytes { paths in
      var start = 0
      for (index, end) in ends.enumerated() {
        let path = UnsafeRawBufferPointer(rebasing: paths[start..<end])
        start = end
        guard path.count >= name.count,
          Bytes.equal(name, UnsafeRawBufferPointer(rebasing: path[..<name.count]))
        else { continue }
        if path.count == name.count {
          values[index] = value
        } else if path[name.count] == 0x2E {
          let search = MemberSearch(rest: path[(name.count + 1)...])
          let inside = search.values(reader.moved(to: value.lowerBound, depth: 0))[0]
          values[index] = inside ?? values[index]
        }
      }
    }
  }

  private init(rest path: Slice<UnsafeRawBufferPointer>) {
    paths = [UInt8](path)
    ends = [path.count]
  }
}
