/// The values of one JSON text in the order of their beginnings, each with the place after it.
struct JSONTape {
  /// A value, or a member's name right before the member's value.
  struct Entry {
    var kind: JSONKind

    /// The bytes; of a string and a name those inside the quotation marks.
    var range: Range<Int>

    /// Of a string or name, whether it has escapes.
    var hasEscapes = false

    /// The place of the entry after this value and all inside it.
    var next: Int
  }

  private(set) var entries: [Entry] = []
  private var open: [Int] = []

  /// Reads a text that has been checked.
  ///
  /// - Complexity: O(*n*), where *n* is its number of bytes.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    entries.removeAll(keepingCapacity: true)
    do {
      try readChecked(bytes)
    } catch {
      preconditionFailure("bytes that no reader has passed")
    }
  }

  private mutating func readChecked(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(bytes)
    try readValue(&reader)
    while let container = open.last {
      if entries[container].kind == .object {
        if let name = try reader.nextMember() {
          add(.string, name)
          try readValue(&reader)
          continue
        }
      } else if try reader.nextElement() {
        try readValue(&reader)
        continue
      }
      open.removeLast()
      entries[container].next = entries.count
    }
  }

  /// Reads a whole value, or the opening of one.
  private mutating func readValue(_ reader: inout JSONReader) throws(JSONError) {
    let kind = try reader.peek()
    switch kind {
    case .object, .array:
      open.append(entries.count)
      entries.append(Entry(kind: kind, range: 0..<0, next: 0))
      if kind == .object { try reader.openObject() } else { try reader.openArray() }
    case .string:
      add(.string, try reader.string())
    default:
      entries.append(Entry(kind: kind, range: try reader.skip(), next: entries.count + 1))
    }
  }

  private mutating func add(_ kind: JSONKind, _ string: JSONString) {
    entries.append(
      Entry(
        kind: kind, range: string.range, hasEscapes: string.hasEscapes, next: entries.count + 1))
  }
}
