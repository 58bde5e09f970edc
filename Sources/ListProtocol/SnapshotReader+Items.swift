import JSONBytes
import ListDiff
import ListState

extension SnapshotReader {
  mutating func readItem(_ ids: inout IDTable) throws(Failure) {
    switch try peek() {
    case .object: try readObject(&ids)
    case .string, .number:
      let range = try skip()
      guard let key = key(of: range, &ids) else { throw unexpectedItem }
      builder.addItem(key, payload(range), ItemTraits(rawValue: 0), template: 0)
    case .array:
      // Some languages cannot tell an object without members from an empty array.
      let start = reader.offset
      guard try skipEmptyArray() else { throw unexpectedItem }
      let key = Self.emptyObject.withUnsafeBytes { ids.intern(.value, $0) }
      builder.addItem(
        key, payload(start..<reader.offset), ItemTraits(rawValue: 0), template: 0)
    default: throw unexpectedItem
    }
  }

  private var unexpectedItem: Failure {
    .invalidParams(place.pointer, expected: "a string, an integer or an object")
  }

  private mutating func readObject(_ ids: inout IDTable) throws(Failure) {
    let range = try skipItem()
    if found.hasDollar { try checkNames(of: range) }
    var traits = ItemTraits(rawValue: 0)
    var template: UInt32 = 0
    var key: UInt32 = 0
    var text = payload(range)
    var parts: PartsReader.Parts?
    if found.mask & ~1 != 0 {
      if let name = member(1) {
        let value = Value(message: message, range: name, pointer: place.pointer + "/template")
        template = try ids.template(value, default: "Cell")
      }
      if let selectable = member(2) {
        let value = Value(
          message: message, range: selectable, pointer: place.pointer + "/selectable")
        if try !value.requireBoolean() { traits.add(.notSelectable) }
      }
      if let range = member(3) {
        let value = Value(message: message, range: range, pointer: place.pointer + "/parts")
        parts = try PartsReader.read(value, &rewritten, &ids, &duplicateParts)
      }
    }
    // Most items have an identifier that is a string, and nothing else that means something.
    if found.mask != 1 || found.plainString(0) == nil, hasNull || parts?.hasNulls == true {
      text = rewrite(range)
    }
    let plain = defersKeys ? found.plainString(0) : nil
    if plain != nil {
      traits.add(.promised)
    } else if let id = member(0) {
      guard let explicit = self.key(of: id, &ids) else {
        throw .invalidParams(place.pointer + "/id", expected: "a string or an integer")
      }
      key = explicit
      traits.add(.promised)
    } else {
      key = identity(of: text, &ids)
    }
    let item = builder.addItem(key, text, traits, template: template)
    if let plain, batch.append(plain, item: item) { internBatch(&ids) }
    if let parts { builder.addParts(parts.parts) }
  }

  /// Whether a member that means something to the protocol is `null`, which is as if it were missing.
  private var hasNull: Bool {
    for place in 0..<4 {
      if let range = found[place], reader.bytes(range)[0] == 0x6E { return true }
    }
    return false
  }

  /// Copies an item without the members that are as if they were missing.
  private mutating func rewrite(_ range: Range<Int>) -> Payload {
    let start = rewritten.count
    rewritten.append(withoutNulls: reader.bytes(range))
    return Payload(start: start, length: rewritten.count - start, buffer: Self.rewrittenBuffer)
  }

  /// - Throws: -32602 for a member whose name is the protocol's.
  private func checkNames(of range: Range<Int>) throws(Failure) {
    try Value(message: message, range: range, pointer: place.pointer)
      .checkNames(takesOutlineRows: takesOutlineRows)
  }

  /// The key of an item that has no identifier: that of its value.
  private mutating func identity(of text: Payload, _ ids: inout IDTable) -> UInt32 {
    scratch.removeAll()
    let range = Int(text.start)..<Int(text.start) + Int(text.length)
    if text.buffer == Self.messageBuffer {
      canonical.append(reader.bytes(range), to: &scratch)
    } else {
      let bytes = rewritten.withUnsafeBytes { Array($0[range]) }
      bytes.withUnsafeBytes { canonical.append($0, to: &scratch) }
    }
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
