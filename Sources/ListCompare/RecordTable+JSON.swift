import JSONBytes

extension RecordTable {
  /// Reads the rows of a JSON document: the elements of an array or of the member `items`, the
  /// members of another object, or the values of NDJSON.
  ///
  /// With a key, the rows of an object without `items` are the elements of its only array of
  /// objects, if there is one. The rest of the document is a row of its own, the first.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func json(
    _ file: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RecordTable {
    let file = file.withoutMark()
    var table = RecordTable(file, .json)
    table.keyFields = options.key
    defer { withExtendedLifetime(file) {} }
    let reader = JSONReader(file.content.bytes)
    if options.input == .ndjson {
      try table.readValues(reader)
    } else {
      var first = reader
      let (kind, range) = try table.reading { () throws(JSONError) in
        (try first.peek(), try first.skip())
      }
      if options.input == .auto, table.hasMore(first) {
        try table.readValues(reader)
      } else {
        try table.reading { () throws(JSONError) in try first.end() }
        try table.readDocument(reader.moved(to: range.lowerBound, depth: 0), kind, range)
      }
    }
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
    var builder = Builder()
    var reader = reader
    while hasMore(reader) {
      let range = try reading { () throws(JSONError) in try reader.skip() }
      try add(range, to: &builder)
    }
    set(builder)
  }

  private mutating func readDocument(
    _ reader: JSONReader, _ kind: JSONKind, _ range: Range<Int>
  ) throws(ComparisonFailure) {
    var builder = Builder()
    switch kind {
    case .array: try add(elementsOf: reader, to: &builder)
    case .object:
      let members = members(of: range)
      if let list = listMember(of: members) {
        addPreface(members, but: list, to: &builder)
        let start = members[list].value.lowerBound
        try add(elementsOf: reader.moved(to: start, depth: 1), to: &builder)
        set(builder, hasPreface: true)
        return
      }
      if !keyFields.isEmpty,
        keyFields.allSatisfy({ JSONKey.value(at: $0, of: range, in: content.bytes) != nil })
      {
        // NDJSON with one line.
        try add(range, to: &builder)
        set(builder)
        return
      }
      for member in members {
        guard keyFields.isEmpty else {
          try add(member.value, to: &builder)
          continue
        }
        let start = builder.keys.count
        builder.keys.append(string: member.name)
        builder.endKeyPart()
        builder.add(member.value, keyFrom: start)
        names.append(member.name)
      }
    default: try add(range, to: &builder)
    }
    set(builder)
  }

  private func add(
    elementsOf reader: JSONReader, to builder: inout Builder
  ) throws(ComparisonFailure) {
    var reader = reader
    try reading { () throws(JSONError) in try reader.openArray() }
    while try reading({ () throws(JSONError) in try reader.nextElement() }) {
      try add(reading { () throws(JSONError) in try reader.skip() }, to: &builder)
    }
  }

  /// The index of the member whose elements are the rows of an object.
  private func listMember(of members: [JSONMember]) -> Int? {
    let arrays = members.indices.filter { content.bytes[members[$0].value.lowerBound] == 0x5B }
    if let items = arrays.last(where: { members[$0].name == "items" }) { return items }
    guard !keyFields.isEmpty else { return nil }
    let lists = arrays.filter { index in
      var reader = JSONReader(content.bytes, from: members[index].value.lowerBound, depth: 1)
      do throws(JSONError) {
        try reader.openArray()
        return try reader.nextElement() ? reader.peek() == .object : false
      } catch { return false }
    }
    return lists.count == 1 ? lists[0] : nil
  }

  /// Adds the members that are not rows as an object, which is the first row.
  private func addPreface(
    _ members: [JSONMember], but list: Int, to builder: inout Builder
  ) {
    let start = builder.extra.count
    builder.extra.append("{")
    for (index, member) in members.enumerated() where index != list {
      if builder.extra.count > start + 1 { builder.extra.append(",") }
      builder.extra.append(string: member.name)
      builder.extra.append(":")
      builder.extra.append(bytes(member.value))
    }
    builder.extra.append("}")
    let range = content.count + start..<content.count + builder.extra.count
    let keyStart = builder.keys.count
    builder.endKeyPart()
    builder.add(range, keyFrom: keyStart)
  }

  /// Adds a row with the key that its members form.
  private func add(
    _ row: Range<Int>, to builder: inout Builder
  ) throws(ComparisonFailure) {
    let start = builder.keys.count
    if keyFields.isEmpty {
      JSONKey.append(bytes(row), to: &builder.keys)
    }
    for field in keyFields {
      guard let value = JSONKey.value(at: field, of: row, in: content.bytes),
        content.bytes[value.lowerBound] != 0x6E
      else {
        let line = content.withBytes { Bytes.count(of: 0x0A, in: $0, before: row.lowerBound) + 1 }
        throw failure(
          "item \(builder.rows.count + 1), in line \(line), has no member \"\(field)\"")
      }
      JSONKey.append(bytes(value), to: &builder.keys)
      builder.endKeyPart()
    }
    builder.add(row, keyFrom: start)
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

/// Uses JSON values as keys.
enum JSONKey {
  /// Appends a value such that equal values have equal bytes.
  static func append(_ value: UnsafeRawBufferPointer, to keys: inout ByteBuffer) {
    if value.first == 0x22, Bytes.firstIndex(of: 0x5C, in: value, from: 0) == nil {
      keys.append(value)
    } else {
      var canonical = JSONCanonical()
      canonical.append(value, to: &keys)
    }
  }

  /// Returns the value at a path of member names separated by dots; nil if there is none.
  ///
  /// A name may itself contain dots.
  static func value(
    at path: String, of row: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    var path = path
    return path.withUTF8 { value(at: UnsafeRawBufferPointer($0), of: row, in: bytes) }
  }

  private static func value(
    at path: UnsafeRawBufferPointer, of row: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    guard bytes[row.lowerBound] == 0x7B else { return nil }
    var found: Range<Int>?
    // The bytes were checked, and an answer is nested deeper than the files that it is about.
    var reader = JSONReader(bytes, from: row.lowerBound, depth: -64)
    do throws(JSONError) {
      try reader.openObject()
      while let name = try reader.nextMember() {
        let value = try reader.skip()
        if name.hasEscapes {
          var decoded = ByteBuffer()
          reader.decode(name, into: &decoded)
          let inside = decoded.withUnsafeBytes { self.value(at: path, named: $0, value, in: bytes) }
          found = inside ?? found
        } else {
          found = self.value(at: path, named: reader.bytes(name), value, in: bytes) ?? found
        }
      }
    } catch {
      preconditionFailure("an object that is not valid: \(error)")
    }
    return found
  }

  private static func value(
    at path: UnsafeRawBufferPointer, named name: UnsafeRawBufferPointer, _ value: Range<Int>,
    in bytes: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    guard path.count >= name.count,
      Bytes.equal(name, UnsafeRawBufferPointer(rebasing: path[..<name.count]))
    else { return nil }
    if path.count == name.count { return value }
    guard path[name.count] == 0x2E else { return nil }
    return self.value(
      at: UnsafeRawBufferPointer(rebasing: path[(name.count + 1)...]), of: value, in: bytes)
  }
}
