import ByteBuffers
import JSONBytes

extension RecordTable {
  /// Reads the rows of a JSON document: the elements of an array or of the member `items`, the
  /// members of another object, or the values of NDJSON.
  ///
  /// With a key, the rows of an object without `items` are the elements of its only array of
  /// objects, if there is one. The options may name another member of an object: its elements or
  /// members are the rows. The rest of the document is a row of its own, the first.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func json(
    _ file: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RecordTable {
    let file = file.withoutMark()
    var table = RecordTable(file, .json)
    table.keyFields = options.key
    table.rowsMember = options.rows
    defer { withExtendedLifetime(file) {} }
    let reader = JSONReader(file.content.bytes)
    // Values on separate lines may be NDJSON, too.
    let isDocument = try options.input != .ndjson ? table.readDocument(reader) : false
    if !isDocument { try table.readValues(reader) }
    return table
  }

  /// Calls a body that reads JSON. An error names the line.
  private func reading<R>(
    _ body: () throws(JSONError) -> R
  ) throws(ComparisonFailure) -> R {
    do throws(JSONError) { return try body() } catch {
      let line = content.withBytes { Bytes.count(of: 0x0A, in: $0, before: error.offset) + 1 }
      throw failure("not JSON: \(error), in line \(line)")
    }
  }

  private func hasMore(_ reader: JSONReader) -> Bool {
    var rest = reader
    do throws(JSONError) { try rest.end() } catch { return true }
    return false
  }

  private mutating func readValues(_ reader: JSONReader) throws(ComparisonFailure) {
    var builder = Builder(keyFields)
    var reader = reader
    while hasMore(reader) {
      try add(from: &reader, to: &builder)
      try checkKeys(of: builder)
    }
    set(builder)
  }

  /// Reads a document. Returns false if another value follows it.
  private mutating func readDocument(_ reader: JSONReader) throws(ComparisonFailure) -> Bool {
    var builder = Builder(keyFields)
    var reader = reader
    var hasPreface = false
    let kind = try reading { () throws(JSONError) in try reader.peek() }
    if kind == .array {
      try add(elementsFrom: &reader, to: &builder)
      if hasMore(reader) { return false }
    } else {
      let range = try reading { () throws(JSONError) in try reader.skip() }
      if hasMore(reader) { return false }
      hasPreface = try add(
        from: reader.moved(to: range.lowerBound, depth: 0), kind, range, to: &builder)
    }
    try checkKeys(of: builder)
    set(builder, hasPreface: hasPreface)
    return true
  }

  /// Adds the rows of a document that is not an array. Returns whether the first row stands for the
  /// text around the other rows.
  private mutating func add(
    from reader: JSONReader, _ kind: JSONKind, _ range: Range<Int>, to builder: inout Builder
  ) throws(ComparisonFailure) -> Bool {
    var reader = reader
    if kind == .object, let list = list(of: range, rowsMember, isKeyed: !keyFields.isEmpty) {
      addPreface(range, but: list, to: &builder)
      reader = reader.moved(to: list.lowerBound, depth: 1)
      if content.bytes[list.lowerBound] == 0x7B {
        names.append("")
        try add(membersOf: list, reader, to: &builder)
      } else {
        try add(elementsFrom: &reader, to: &builder)
      }
      return true
    }
    if let rowsMember { throw failure("there are no rows at \"\(rowsMember)\"") }
    // An object with a key is NDJSON with one line.
    let isRow =
      kind != .object
      || !keyFields.isEmpty
        && keyFields.allSatisfy { MemberSearch.value(at: $0, of: range, in: content.bytes) != nil }
    if isRow {
      try add(from: &reader, to: &builder)
    } else {
      try add(membersOf: range, reader, to: &builder)
    }
    return false
  }

  /// Adds the members of an object, which are identified by their names or have a key.
  private mutating func add(
    membersOf object: Range<Int>, _ reader: JSONReader, to builder: inout Builder
  ) throws(ComparisonFailure) {
    for member in members(of: object) {
      if !keyFields.isEmpty {
        var reader = reader.moved(to: member.value.lowerBound, depth: 1)
        try add(from: &reader, to: &builder)
        continue
      }
      builder.keys.append(string: member.name)
      builder.endKeyPart()
      builder.add(member.value)
      names.append(member.name)
    }
    if !keyFields.isEmpty { names = [] }
  }

  private func add(
    elementsFrom reader: inout JSONReader, to builder: inout Builder
  ) throws(ComparisonFailure) {
    try reading { () throws(JSONError) in try reader.openArray() }
    while try reading({ () throws(JSONError) in try reader.nextElement() }) {
      try add(from: &reader, to: &builder)
    }
  }

  /// The value whose elements or members are the rows of an object: that of the member that is
  /// named, or `items`, or with a key the only array of objects.
  func list(of object: Range<Int>, _ named: String?, isKeyed: Bool) -> Range<Int>? {
    if let named {
      return MemberSearch.value(at: named, of: object, in: content.bytes).flatMap {
        content.bytes[$0.lowerBound] == 0x5B || content.bytes[$0.lowerBound] == 0x7B ? $0 : nil
      }
    }
    let arrays = members(of: object).filter { content.bytes[$0.value.lowerBound] == 0x5B }
    if let items = arrays.last(where: { $0.name == "items" }) { return items.value }
    guard isKeyed else { return nil }
    let lists = arrays.filter { member in
      var reader = JSONReader(content.bytes, from: member.value.lowerBound, depth: 1)
      do throws(JSONError) {
        try reader.openArray()
        return try reader.nextElement() ? reader.peek() == .object : false
      } catch { return false }
    }
    return lists.count == 1 ? lists[0].value : nil
  }

  /// Adds a document with null instead of its rows, as the first row.
  private func addPreface(
    _ document: Range<Int>, but list: Range<Int>, to builder: inout Builder
  ) {
    let start = builder.extra.count
    builder.extra.append(bytes(document.lowerBound..<list.lowerBound))
    builder.extra.append("null")
    builder.extra.append(bytes(list.upperBound..<document.upperBound))
    let range = content.count + start..<content.count + builder.extra.count
    builder.endKeyPart()
    builder.add(range)
  }

  /// Reads a row and adds it with the key that its members form, if it has all of them.
  private func add(
    from reader: inout JSONReader, to builder: inout Builder
  ) throws(ComparisonFailure) {
    let row = try reading { () throws(JSONError) in
      try builder.keySearch.read(&reader, into: &builder.keyValues)
    }
    let start = builder.keys.count
    if keyFields.isEmpty { builder.append(jsonKey: bytes(row)) }
    for index in keyFields.indices {
      guard let value = builder.keyValues[index], content.bytes[value.lowerBound] != 0x6E else {
        builder.keys.truncate(to: start)
        builder.missing = builder.missing ?? (builder.rows.count, row.lowerBound, index)
        return
      }
      builder.append(jsonKey: bytes(value))
      builder.endKeyPart()
    }
    builder.add(row)
  }

  /// Throws if a row was left out. JSON that is not valid takes precedence, so that this is checked
  /// later.
  private func checkKeys(of builder: borrowing Builder) throws(ComparisonFailure) {
    guard let (row, offset, field) = builder.missing else { return }
    let line = content.withBytes { Bytes.count(of: 0x0A, in: $0, before: offset) + 1 }
    throw failure("item \(row + 1), in line \(line), has no member \"\(keyFields[field])\"")
  }

  /// The members of a valid object. Each name occurs once.
  func members(of object: Range<Int>) -> [JSONMember] {
    JSONMember.all(of: object, in: content.bytes)
  }

  /// The elements of a valid array.
  func elements(of array: Range<Int>) -> [Range<Int>] {
    JSONMember.elements(of: array, in: content.bytes)
  }
}

/// A member of an object.
struct JSONMember {
  let name: String
  let value: Range<Int>

  /// The members of a valid object. If a name repeats, the last member counts.
  static func all(of object: Range<Int>, in bytes: UnsafeRawBufferPointer) -> [JSONMember] {
    var members: [JSONMember] = []
    var indices: [String: Int] = [:]
    var reader = JSONReader(bytes, from: object.lowerBound)
    do throws(JSONError) {
      try reader.openObject()
      while let name = try reader.nextMember() {
        var decoded: [UInt8] = []
        reader.decode(name, into: &decoded)
        let text = String(decoding: decoded, as: UTF8.self)
        let member = JSONMember(name: text, value: try reader.skip())
        if let index = indices.updateValue(members.count, forKey: text) {
          indices[text] = index
          members[index] = member
        } else {
          members.append(member)
        }
      }
    } catch {
      preconditionFailure("an object that is not valid: \(error)")
    }
    return members
  }
}

extension JSONMember {
  /// The elements of a valid array.
  static func elements(of array: Range<Int>, in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var reader = JSONReader(bytes, from: array.lowerBound)
    var elements: [Range<Int>] = []
    do throws(JSONError) {
      try reader.openArray()
      while try reader.nextElement() { elements.append(try reader.skip()) }
    } catch {
      preconditionFailure("an array that is not valid: \(error)")
    }
    return elements
  }
}
