import ByteBuffers
import JSONBytes
import ListState

/// The members that identify items without `id`.
struct ItemKey: Equatable {
  /// The names of the members, at least one.
  let names: [[UInt8]]

  /// Reads a name, or an array of names.
  init(_ value: Value) throws(Failure) {
    switch value.kind {
    case .array: names = try value.requireMembers(words: [])
    case .string: names = [try value.requireMember(words: [])]
    default: throw value.failure(expected: "the name of a member, or an array of names")
    }
    guard !names.isEmpty else { throw value.failure(expected: "the name of a member") }
  }
}

extension SnapshotReader {
  /// Returns the key of an item, an object, that has no identifier. If several members identify it, or one
  /// that is neither a string nor an integer, these are written as JSON, with commas between.
  ///
  /// - Throws: -32602 if a member is missing.
  mutating func key(ofItem range: Range<Int>, _ ids: inout IDTable) throws(Failure) -> UInt32 {
    let item = reader.bytes(range)
    var values: [Range<Int>] = []
    for name in itemKey?.names ?? [] {
      guard let value = item.rangeOfMember(name), item[value.lowerBound] != 0x6E else {
        throw .missing(
          position.pointer.appending(member: String(decoding: name, as: UTF8.self)),
          expected: "a value, because \"key\" names the member")
      }
      let start = range.lowerBound + value.lowerBound
      values.append(start..<start + value.count)
    }
    if values.count == 1, let key = ids.intern(reader, values[0], &scratch) { return key }
    var text = ByteBuffer()
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(0x2C) }
      if let key = ids.intern(reader, value, &scratch) {
        text.append(id: key, ids)
      } else {
        var compact: [UInt8] = []
        compact.append(compact: reader.bytes(value))
        text.append(contentsOf: compact)
      }
    }
    return text.withUnsafeBytes { ids.intern(.string, $0) }
  }

  /// Reads an item of a journal whose identity is not in it, as `[ID, ITEM]`, from an offset on.
  mutating func readKeyedItem(
    from start: Int, _ store: inout ListStore
  ) throws(Failure) {
    let unexpected = Failure.invalidParams(
      position.pointer, expected: "an item with its identity")
    let depth = reader.depth
    reader = reader.moved(to: start, depth: depth)
    var parts: [Range<Int>] = []
    do throws(JSONError) {
      try reader.openArray()
      while try reader.nextElement() { parts.append(try reader.skip()) }
    } catch { throw unexpected }
    let end = reader.offset
    guard parts.count == 2, reader.bytes(parts[1])[0] == 0x7B,
      let key = store.ids.intern(reader, parts[0], &scratch)
    else {
      throw unexpected
    }
    reader = reader.moved(to: parts[1].lowerBound, depth: depth)
    givenKey = key
    try readItem(&store)
    givenKey = nil
    reader = reader.moved(to: end, depth: depth)
  }
}
