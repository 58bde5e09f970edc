import JSONBytes
import ListDiff
import ListState

/// Reads sections and items from a message into a snapshot that keeps the message's bytes.
///
/// Identifiers become keys as they are passed, items stay where they are, and each section's own
/// members are gathered in a buffer beside the message.
struct SnapshotReader: ~Copyable {
  private var reader: JSONReader
  private var builder: SnapshotBuilder
  private var own = ByteBuffer()
  private var scratch = ByteBuffer()
  private var canonical = JSONCanonical()
  private var found = FoundMembers()
  private let message: SharedBytes
  private var place = ItemPlace()

  /// Where the reader is, for the pointers of failures.
  private struct ItemPlace {
    var list: String?
    var section: Int?
    var item = 0

    var sectionPointer: String { section.map { "\(list ?? "")/\($0)" } ?? "" }
    var itemsPointer: String { section == nil ? list ?? "" : sectionPointer + "/items" }
    var pointer: String { "\(itemsPointer)/\(item)" }
  }

  /// The buffers of a snapshot: the message, and the sections' own members.
  private static let messageBuffer = 0
  private static let ownBuffer = 1
  private static let itemMembers = SoughtMembers("id", "template", "selectable", "parts")

  /// Whether sections come with items.
  enum ItemsRule {
    case haveItems
    case mayHaveItems
    case haveNoItems
  }

  private let itemsRule: ItemsRule

  init(_ message: SharedBytes, itemsRule: ItemsRule = .haveItems) {
    self.message = message
    self.itemsRule = itemsRule
    reader = JSONReader(message.bytes)
    builder = SnapshotBuilder(buffers: [message])
  }

  /// Reads `{sections}` or the value of `items`, which is one section with the id `main`.
  ///
  /// - Throws: -32602 for what is no snapshot, -31004 for identifiers that are given twice.
  consuming func read(
    sections: Value?, items: Value?, _ store: inout ListStore
  ) throws(Failure) -> Snapshot {
    if let sections {
      place.list = sections.pointer
      try readSections(sections, &store.ids)
    } else if let items {
      place.list = items.pointer
      place.section = nil
      let main = Array("main".utf8)
      let key = main.withUnsafeBytes { store.ids.intern(.string, $0) }
      own.append("{\"id\":\"main\"}")
      builder.beginSection(
        key,
        SectionTraits(own: Payload(start: 0, length: own.count, buffer: Self.ownBuffer)))
      reader = JSONReader(message.bytes, from: items.range.lowerBound)
      try readItems(&store.ids)
    }
    builder.finish(using: &store.tally)
    builder.addBuffer(own.shared())
    let snapshot = builder.snapshot
    if builder.hasDuplicates {
      throw snapshot.duplicates(
        ids: store.ids, sections: sections?.pointer, items: items?.pointer)
    }
    return snapshot
  }

  private mutating func readSections(_ sections: Value, _ ids: inout IDTable) throws(Failure) {
    reader = JSONReader(message.bytes, from: sections.range.lowerBound)
    guard try enterArray(sections.pointer) else { return }
    var index = 0
    while nextElement() {
      place.section = index
      try readSection(&ids)
      index += 1
    }
  }

  private mutating func readSection(_ ids: inout IDTable) throws(Failure) {
    let pointer = place.sectionPointer
    guard peek() == .object else { throw .invalidParams(pointer, expected: "a section") }
    let start = own.count
    var header = SectionHeader()
    var hasItems = false
    own.append(0x7B)
    builder.beginSection(0, SectionTraits(own: Payload(start: 0, length: 0, buffer: 0)))
    checked { () throws(JSONError) in try reader.openObject() }
    while let name = nextMember() {
      if reader.matches(name, "items") {
        if itemsRule == .haveNoItems {
          throw .invalidParams(pointer + "/items", expected: "a section without items")
        }
        if hasItems { builder.removeItemsOfSection() }
        hasItems = true
        try readItems(&ids)
        continue
      }
      let range = skip()
      if own.count > start + 1 { own.append(0x2C) }
      own.append(0x22)
      own.append(reader.bytes(name.range))
      own.append("\":")
      own.append(reader.bytes(range))
      let value = Value(
        message: message, range: range, pointer: pointer.appending(member: reader.text(name)))
      try header.note(name, value, reader, &ids)
    }
    own.append(0x7D)
    guard let id = header.id else {
      throw .invalidParams(pointer + "/id", expected: "a string or an integer")
    }
    guard hasItems || itemsRule != .haveItems else {
      throw .invalidParams(pointer + "/items", expected: "an array")
    }
    builder.describeSection(
      id,
      header.traits(
        own: Payload(start: start, length: own.count - start, buffer: Self.ownBuffer)))
  }

  private mutating func readItems(_ ids: inout IDTable) throws(Failure) {
    guard try enterArray(place.itemsPointer) else { return }
    place.item = 0
    while nextElement() {
      try readItem(&ids)
      place.item += 1
    }
  }

  private mutating func readItem(_ ids: inout IDTable) throws(Failure) {
    switch peek() {
    case .object: try readObject(&ids)
    case .string, .number:
      let range = skip()
      guard let key = key(of: range, &ids) else { throw unexpectedItem }
      builder.addItem(key, payload(range), [], template: 0)
    case .array:
      // Some languages cannot tell an object without members from an empty array.
      let range = skip()
      let value = Value(message: message, range: range, pointer: place.pointer)
      guard value.members?.isEmpty == true else { throw unexpectedItem }
      builder.addItem(identity(of: range, &ids), payload(range), [], template: 0)
    default: throw unexpectedItem
    }
  }

  private var unexpectedItem: Failure {
    .invalidParams(place.pointer, expected: "a string, an integer or an object")
  }

  private mutating func readObject(_ ids: inout IDTable) throws(Failure) {
    let range = skipItem()
    var traits: ItemTraits = []
    var template: UInt32 = 0
    let key: UInt32
    if let id = member(0) {
      guard let explicit = self.key(of: id, &ids) else {
        throw .invalidParams(place.pointer + "/id", expected: "a string or an integer")
      }
      key = explicit
      traits.insert(.promised)
    } else {
      key = identity(of: range, &ids)
    }
    if let name = member(1) {
      let value = Value(message: message, range: name, pointer: place.pointer + "/template")
      template = try ids.template(value, default: "Cell")
    }
    if let selectable = member(2) {
      let value = Value(
        message: message, range: selectable, pointer: place.pointer + "/selectable")
      if try !value.requireBoolean() { traits.insert(.notSelectable) }
    }
    builder.addItem(key, payload(range), traits, template: template)
    if let parts = member(3) {
      let value = Value(message: message, range: parts, pointer: place.pointer + "/parts")
      builder.addParts(try PartsReader.read(value, buffer: Self.messageBuffer, &ids))
    }
  }

  /// The key of an item that has no identifier: that of its value.
  private mutating func identity(of range: Range<Int>, _ ids: inout IDTable) -> UInt32 {
    scratch.removeAll()
    canonical.append(reader.bytes(range), to: &scratch)
    return scratch.withUnsafeBytes { ids.intern(.value, $0) }
  }

  /// A sought member of the object passed last, if it is not `null`.
  private func member(_ place: Int) -> Range<Int>? {
    guard let range = found[place], reader.bytes(range)[0] != 0x6E else { return nil }
    return range
  }

  private func payload(_ range: Range<Int>) -> Payload {
    Payload(start: range.lowerBound, length: range.count, buffer: Self.messageBuffer)
  }

  /// The key of a string or an integer; `nil` for any other value.
  private mutating func key(of range: Range<Int>, _ ids: inout IDTable) -> UInt32? {
    ids.intern(reader, range, &scratch)
  }
}

extension SnapshotReader {
  fileprivate mutating func enterArray(_ pointer: String) throws(Failure) -> Bool {
    switch peek() {
    case .array:
      checked { () throws(JSONError) in try reader.openArray() }
      return true
    case .object:
      let range = skip()
      let value = Value(message: message, range: range, pointer: pointer)
      guard value.elements != nil else { fallthrough }
      return false
    default: throw .invalidParams(pointer, expected: "an array")
    }
  }

  fileprivate mutating func peek() -> JSONKind {
    checked { () throws(JSONError) in try reader.peek() }
  }

  fileprivate mutating func skip() -> Range<Int> {
    checked { () throws(JSONError) in try reader.skip() }
  }

  fileprivate mutating func skipItem() -> Range<Int> {
    checked { () throws(JSONError) in try reader.object(seeking: Self.itemMembers, into: &found) }
  }

  fileprivate mutating func nextElement() -> Bool {
    checked { () throws(JSONError) in try reader.nextElement() }
  }

  fileprivate mutating func nextMember() -> JSONString? {
    checked { () throws(JSONError) in try reader.nextMember() }
  }
}
