import ByteBuffers
import JSONBytes
import ListDiff
import ListState

extension SnapshotReader {
  mutating func readItem(_ store: inout ListStore) throws(Failure) {
    switch try peek() {
    case .object: try readObject(&store)
    case .string, .number:
      let range = try skip()
      guard let key = key(of: range, &store.ids) else { throw unexpectedItem }
      builder.addItem(key, payload(range), ItemTraits(rawValue: 0), template: 0)
    case .array:
      // Some languages cannot distinguish an object without members from an empty array.
      let start = reader.offset
      guard try skipEmptyArray() else {
        guard takesKeyedItems, givenKey == nil else { throw unexpectedItem }
        return try readKeyedItem(from: start, &store)
      }
      let key = Self.emptyObject.withUnsafeBytes { store.ids.intern(.value, $0) }
      builder.addItem(
        key, payload(start..<reader.offset), ItemTraits(rawValue: 0), template: 0)
    default: throw unexpectedItem
    }
  }

  private var unexpectedItem: Failure {
    .invalidParams(position.pointer, expected: "a string, an integer or an object")
  }

  private mutating func readObject(_ store: inout ListStore) throws(Failure) {
    let range = try skipItem()
    if found.hasDollar { try checkNames(of: range) }
    var traits = ItemTraits(rawValue: 0)
    var template: UInt32 = 0
    var key: UInt32 = 0
    var text = payload(range)
    var parts: PartsReader.Parts?
    if found.hasOthers(than: ItemMember.id) {
      if let name = member(.template) {
        template = try store.ids.template(value(name), default: "Cell")
      }
      if let selectable = member(.selectable) {
        if try !value(selectable).requireBoolean() { traits.add(.notSelectable) }
      }
      if let range = member(.parts) {
        parts = try PartsReader.read(value(range), of: position, &store.ids, &duplicateParts)
      }
    }
    let id = found.plainString(ItemMember.id.rawValue)
    // Most items have a string as identifier and no other member with a meaning in the protocol.
    // Those that are `null` are the same as absent.
    if !found.hasOnly(ItemMember.id) || id == nil,
      found.contains(where: { reader.bytes($0)[0] == 0x6E }) || parts?.hasNulls == true
    {
      text = rewrite(range)
      rewritten.withUnsafeBytes {
        parts?.move(to: text, UnsafeRawBufferPointer(rebasing: $0[Int(text.start)...]))
      }
    }
    // Few identifiers are looked up faster one by one.
    let plain = position.item < Self.fewItems || !defersKeys ? nil : id
    if plain != nil {
      traits.add(.hasExplicitID)
    } else if id == lookedUp.id {
      key = lookedUp.key
      traits.add(.hasExplicitID)
    } else if let id = member(.id) {
      guard let explicit = self.key(of: id, &store.ids) else {
        throw .invalidParams(position.pointer + "/id", expected: "a string or an integer")
      }
      key = explicit
      traits.add(.hasExplicitID)
    } else if givenKey != nil || itemKey != nil {
      if let givenKey { key = givenKey } else { key = try self.key(ofItem: range, &store.ids) }
      traits.add(.hasExplicitID)
      traits.add(.isKeyed)
    } else {
      key = identity(of: text, &store.ids)
    }
    let item = builder.addItem(key, text, traits, template: template)
    if let plain, store.idBatch.append(plain, item: item) { internBatch(&store) }
    if let parts { builder.addParts(parts.parts) }
  }

  /// Copies an item without the members that are `null`.
  private mutating func rewrite(_ range: Range<Int>) -> Payload {
    let start = rewritten.count
    rewritten.append(withoutNulls: reader.bytes(range))
    return Payload(start: start, length: rewritten.count - start, buffer: Self.rewrittenBuffer)
  }

  /// - Throws: -32602 for a member with a reserved name.
  private func checkNames(of range: Range<Int>) throws(Failure) {
    try value(range).checkNames(takesOutlineRows: takesOutlineRows)
  }

  /// Returns the key of an item without identifier, which is that of its value.
  private mutating func identity(of text: Payload, _ ids: inout IDTable) -> UInt32 {
    scratch.removeAll()
    if canonical == nil { canonical = JSONCanonical() }
    let range = Int(text.start)..<Int(text.start) + Int(text.length)
    if text.buffer == Self.messageBuffer {
      canonical!.append(reader.bytes(range), to: &scratch)
    } else {
      let bytes = rewritten.withUnsafeBytes { SharedBytes(copying: $0[range]) }
      bytes.withBytes { canonical!.append($0, to: &scratch) }
    }
    return scratch.withUnsafeBytes { ids.intern(.value, $0) }
  }

  /// Returns the range of a member of the last object; `nil` if it is absent or `null`.
  private func member(_ member: ItemMember) -> Range<Int>? {
    guard let range = found[member], reader.bytes(range)[0] != 0x6E else { return nil }
    return range
  }

  private func payload(_ range: Range<Int>) -> Payload {
    Payload(start: range.lowerBound, length: range.count, buffer: Self.messageBuffer)
  }

  /// Returns the key of a string or an integer, else `nil`.
  private mutating func key(of range: Range<Int>, _ ids: inout IDTable) -> UInt32? {
    ids.intern(reader, range, &scratch)
  }
}
