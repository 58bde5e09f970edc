import JSONBytes
import ListProtocol

/// Where a snapshot in a file has its sections or its items.
struct SnapshotFile {
  let file: ComparedFile

  /// The value of `sections` or `items`.
  let value: Range<Int>
  let hasSections: Bool

  /// Finds them; nil if the file is not a snapshot but text.
  ///
  /// An object with other members is not a snapshot, nor are several values in a file.
  ///
  /// - Throws: if both are there, and if the file begins as a snapshot and is not JSON.
  init?(_ file: ComparedFile) throws(ComparisonFailure) {
    let file = file.withoutMark()
    self.file = file
    let content = file.content
    defer { withExtendedLifetime(content) {} }
    let first = content.bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == 0x7B else { return nil }
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

  /// Whether an object or array follows, as in NDJSON.
  private static func hasAnother(_ reader: JSONReader) -> Bool {
    var rest = reader
    do throws(JSONError) { try rest.end() } catch {
      let kind = try? rest.peek()
      return kind == .object || kind == .array
    }
    return false
  }

  /// Whether there is a member of a snapshot before whatever is wrong.
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

  /// The lines of a text as a snapshot's items, with or without carriage returns at their ends.
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

/// Two snapshots in a daemon's lists, which know their rules and formats.
struct SnapshotPair: ~Copyable {
  private var service = ListService(historyBytes: 0)

  /// Reads both.
  ///
  /// - Throws: if one breaks a rule of snapshots.
  init(_ old: SnapshotFile, _ new: SnapshotFile) throws(ComparisonFailure) {
    service.takesOutlineRows = true
    try load(old, "old")
    try load(new, "new")
  }

  private mutating func load(
    _ snapshot: SnapshotFile, _ list: StaticString
  ) throws(ComparisonFailure) {
    var message = ByteBuffer(capacity: snapshot.value.count + 64)
    message.append("{\"list\":\"")
    message.append(list)
    message.append(
      snapshot.hasSections
        ? "\",\"format\":\"none\",\"sections\":" : "\",\"format\":\"none\",\"items\":")
    snapshot.file.content.withBytes {
      message.append(UnsafeRawBufferPointer(rebasing: $0[snapshot.value]))
    }
    message.append("}")
    do throws(Failure) { _ = try perform(.applySnapshot, message) } catch {
      throw ComparisonFailure("\(snapshot.file.name): \(error.message.removing("/params"))")
    }
  }

  private mutating func perform(
    _ method: Method, _ message: consuming ByteBuffer
  ) throws(Failure) -> SharedBytes {
    let message = message.shared()
    var result = ByteBuffer()
    try service.perform(method, message, 0..<message.count, to: &result)
    return result.shared()
  }

  /// The array that a format has of the change.
  ///
  /// - Throws: if there are too many rows or identifiers.
  mutating func change(_ format: Format) throws(ComparisonFailure) -> SharedBytes {
    var message = ByteBuffer()
    message.append("{\"from\":{\"list\":\"old\"},\"to\":{\"list\":\"new\"},\"format\":\"")
    message.append(contentsOf: format.rawValue.utf8)
    message.append("\",\"content\":true}")
    let result: SharedBytes
    do throws(Failure) { result = try perform(.diff, message) } catch {
      throw ComparisonFailure(error.message)
    }
    let range = result.withBytes { bytes in
      JSONKey.value(at: format.rawValue, of: 0..<bytes.count, in: bytes)
    }
    guard let range else { preconditionFailure("a change without its format") }
    return result.withBytes { SharedBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

extension RecordTable {
  /// The items of a snapshot, by their identity.
  ///
  /// The daemon has read the snapshot without finding a fault.
  static func snapshot(_ snapshot: SnapshotFile) -> RecordTable {
    var table = RecordTable(snapshot.file, .json)
    table.keyFields = ["id"]
    var gathering = Gathering()
    var reader = JSONReader(
      table.content.bytes, from: snapshot.value.lowerBound, depth: 1)
    do throws(JSONError) {
      if snapshot.hasSections {
        try reader.openArray()
        while try reader.nextElement() {
          table.addSection(try reader.skip(), to: &gathering)
        }
      } else {
        table.addSection(nil, to: &gathering)
        table.addItems(of: snapshot.value, to: &gathering)
      }
    } catch {
      preconditionFailure("a snapshot that was not read: \(error)")
    }
    table.sectionStarts.append(Int32(truncatingIfNeeded: gathering.rows.count))
    table.set(gathering)
    return table
  }

  /// Adds a section; nil is that of a snapshot without sections.
  private mutating func addSection(_ section: Range<Int>?, to gathering: inout Gathering) {
    sectionStarts.append(Int32(truncatingIfNeeded: gathering.rows.count))
    let members = section.map { self.members(of: $0) } ?? []
    let start = gathering.extra.count
    gathering.extra.append("{")
    var key: [UInt8] = []
    func add(_ name: String, _ value: UnsafeRawBufferPointer) {
      if gathering.extra.count > start + 1 { gathering.extra.append(",") }
      gathering.extra.append(string: name)
      gathering.extra.append(":")
      gathering.extra.append(value)
      guard name == "id" else { return }
      var buffer = ByteBuffer()
      JSONKey.append(value, to: &buffer)
      key = buffer.withUnsafeBytes { Array($0) }
    }
    for member in members where member.name != "items" {
      let value = bytes(member.value)
      if value.first != 0x6E { add(member.name, value) }
    }
    if section == nil { Array("\"main\"".utf8).withUnsafeBytes { add("id", $0) } }
    gathering.extra.append("}")
    sections.append(content.count + start..<content.count + gathering.extra.count)
    sectionKeys.append(key)
    if let items = members.first(where: { $0.name == "items" }) {
      addItems(of: items.value, to: &gathering)
    }
  }

  private func addItems(of array: Range<Int>, to gathering: inout Gathering) {
    var reader = JSONReader(content.bytes, from: array.lowerBound, depth: 1)
    do throws(JSONError) {
      try reader.openArray()
      while try reader.nextElement() {
        let row = try reader.skip()
        let start = gathering.keys.count
        let id = JSONKey.value(at: "id", of: row, in: content.bytes)
        let key = id.map { content.bytes[$0.lowerBound] == 0x6E ? row : $0 } ?? row
        JSONKey.append(bytes(key), to: &gathering.keys)
        gathering.add(row, keyFrom: start)
      }
    } catch {
      preconditionFailure("items that were not read: \(error)")
    }
  }
}

extension String {
  /// The text without the occurrences of a word.
  ///
  /// What the standard library has for it is in the module of regular expressions, which would add a
  /// tenth to a static program.
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
