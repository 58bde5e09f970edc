import ByteBuffers
import JSONBytes

/// The range of a snapshot's sections or items in a file.
package struct SnapshotFile {
  package let file: ComparedFile

  /// The value of `sections` or `items`.
  package let value: Range<Int>
  package let hasSections: Bool

  /// Finds the sections or items; nil if the file is text.
  ///
  /// An object with other members is not a snapshot, and neither are several values.
  ///
  /// - Throws: If the file has both, or begins like a snapshot and is not JSON.
  init?(_ file: ComparedFile) throws(ComparisonFailure) {
    let file = file.withoutMark()
    self.file = file
    let content = file.content
    defer { withExtendedLifetime(content) {} }
    let first = content.bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == 0x7B, Bytes.firstInvalidUTF8(in: content.bytes) == nil else { return nil }
    var reader = JSONReader(content.bytes)
    var sections: Range<Int>?
    var items: Range<Int>?
    var hasOthers = false
    do throws(JSONError) {
      try reader.openObject()
      while let name = try reader.nextMember() {
        let range = try reader.skip()
        if reader.matches(name, "sections") {
          sections = range
        } else if reader.matches(name, "items") {
          items = range
        } else {
          hasOthers = true
        }
      }
      let hasAnother = Self.hasAnother(reader)
      if hasOthers || hasAnother { return nil }
      try reader.end()
    } catch {
      if Self.beginsAsSnapshot(content.bytes) {
        throw ComparisonFailure("\(file.name): a snapshot that is not JSON: \(error)")
      }
      return nil
    }
    guard sections == nil || items == nil else {
      throw ComparisonFailure("\(file.name): a snapshot has either sections or items")
    }
    guard let value = sections ?? items else { return nil }
    self.value = value
    hasSections = sections != nil
  }

  /// Whether another object or array follows, as in NDJSON.
  private static func hasAnother(_ reader: JSONReader) -> Bool {
    var rest = reader
    do throws(JSONError) { try rest.end() } catch {
      let kind = try? rest.peek()
      return kind == .object || kind == .array
    }
    return false
  }

  /// Whether a member of a snapshot precedes the error.
  private static func beginsAsSnapshot(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try reader.openObject()
      while let name = try reader.nextMember() {
        let isMember = reader.matches(name, "sections") || reader.matches(name, "items")
        if isMember, try reader.peek() == .array { return true }
        _ = try reader.skip()
      }
    } catch {}
    return false
  }

  /// Converts the lines of a text to a snapshot's items, with or without their carriage returns.
  init(linesOf text: ComparedFile, keepsReturns: Bool = true) {
    var buffer = ByteBuffer(capacity: text.content.count * 5 / 4)
    buffer.append("{\"items\":")
    let start = buffer.count
    text.withoutMark().content.withBytes { bytes in
      var offset = 0
      buffer.append("[")
      while offset < bytes.count {
        let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: offset) ?? bytes.count
        if offset > 0 { buffer.append(",") }
        let hasReturn = !keepsReturns && end > offset && bytes[end - 1] == 0x0D
        let line = bytes[offset..<(hasReturn ? end - 1 : end)]
        buffer.append(string: UnsafeRawBufferPointer(rebasing: line))
        offset = end + 1
      }
      buffer.append("]")
    }
    value = start..<buffer.count
    hasSections = false
    buffer.append("}")
    file = ComparedFile(name: text.name, content: buffer.shared())
  }
}

/// Compares two snapshots by the rules of lists.
///
/// The program compares them as the daemon does. This module does not import the daemon's lists, so that it is compiled at
/// the same time as they.
package typealias SnapshotComparing =
  @Sendable (SnapshotFile, SnapshotFile) throws(ComparisonFailure) -> SnapshotComparison

/// Two snapshots, of which neither violates a rule of lists.
package struct SnapshotComparison {
  private let answer: (_ format: String) throws(ComparisonFailure) -> SharedBytes

  /// Creates a comparison from a function that returns an object with the change in a format: the array that is its
  /// member with the format's name. It throws if there are too many rows or identifiers.
  package init(
    answering answer: @escaping (_ format: String) throws(ComparisonFailure) -> SharedBytes
  ) {
    self.answer = answer
  }

  /// Returns whether nothing differs. Operations are about rows, and an item may have none.
  ///
  /// - Throws: As of ``change(_:)``.
  func isSame() throws(ComparisonFailure) -> Bool {
    for format in ["ops", "jsonPatch"] {
      let isEmpty = try change(format).withBytes { $0.elementsEqual("[]".utf8) }
      if !isEmpty { return false }
    }
    return true
  }

  /// Returns the change: the array of a format.
  ///
  /// - Throws: As of the function that answers.
  func change(_ format: String) throws(ComparisonFailure) -> SharedBytes {
    try answer(format).withBytes { bytes in
      guard let range = MemberSearch.value(at: format, of: 0..<bytes.count, in: bytes) else {
        preconditionFailure("a change without its format")
      }
      return SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }
}

extension RecordTable {
  /// The items of a snapshot, by their identity.
  ///
  /// The snapshot must be valid.
  static func snapshot(_ snapshot: SnapshotFile) -> RecordTable {
    var table = RecordTable(snapshot.file, .json)
    table.keyFields = ["id"]
    var builder = Builder(table.keyFields)
    var reader = JSONReader(
      table.content.bytes, from: snapshot.value.lowerBound, depth: 1)
    do throws(JSONError) {
      if snapshot.hasSections {
        // An empty object counts as an empty array.
        if try reader.peek() == .array {
          try reader.openArray()
          while try reader.nextElement() {
            table.addSection(try reader.skip(), to: &builder)
          }
        }
      } else {
        table.addSection(nil, to: &builder)
        table.addItems(of: snapshot.value, to: &builder)
      }
    } catch {
      preconditionFailure("a snapshot that is not valid: \(error)")
    }
    table.sectionStarts.append(Int32(truncatingIfNeeded: builder.rows.count))
    table.set(builder)
    return table
  }

  /// Adds a section; nil for the only section of a snapshot without sections.
  private mutating func addSection(_ section: Range<Int>?, to builder: inout Builder) {
    sectionStarts.append(Int32(truncatingIfNeeded: builder.rows.count))
    let members = section.map { self.members(of: $0) } ?? []
    let start = builder.extra.count
    builder.extra.append("{")
    var key: [UInt8] = []
    func add(_ name: String, _ value: UnsafeRawBufferPointer) {
      if builder.extra.count > start + 1 { builder.extra.append(",") }
      builder.extra.append(string: name)
      builder.extra.append(":")
      builder.extra.append(value)
      guard name == "id" else { return }
      let start = builder.keys.count
      builder.append(jsonKey: value)
      key = builder.keys.withUnsafeBytes { Array($0[start...]) }
      builder.keys.truncate(to: start)
    }
    for member in members where member.name != "items" {
      let value = bytes(member.value)
      if value.first != 0x6E { add(member.name, value) }
    }
    if section == nil { Array("\"main\"".utf8).withUnsafeBytes { add("id", $0) } }
    builder.extra.append("}")
    sections.append(content.count + start..<content.count + builder.extra.count)
    sectionKeys.append(key)
    if let items = members.first(where: { $0.name == "items" }) {
      addItems(of: items.value, to: &builder)
    }
  }

  /// Adds items. An empty object counts as an empty array.
  private func addItems(of array: Range<Int>, to builder: inout Builder) {
    guard content.bytes[array.lowerBound] == 0x5B else { return }
    var reader = JSONReader(content.bytes, from: array.lowerBound, depth: 1)
    do throws(JSONError) {
      try reader.openArray()
      while try reader.nextElement() {
        let row = try builder.keySearch.read(&reader, into: &builder.keyValues)
        let id = builder.keyValues[0].flatMap { content.bytes[$0.lowerBound] == 0x6E ? nil : $0 }
        builder.append(jsonKey: bytes(id ?? row))
        builder.add(row)
      }
    } catch {
      preconditionFailure("items that are not valid: \(error)")
    }
  }
}

extension String {
  /// Returns the text without the occurrences of a word.
  ///
  /// The standard library's function for this is in the module of regular expressions, which would
  /// make a static program a tenth larger.
  package func removing(_ word: String) -> String {
    var result = ""
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix(word) {
        rest = rest.dropFirst(word.count)
      } else {
        result.append(first)
        rest.removeFirst()
      }
    }
    return result
  }
}
