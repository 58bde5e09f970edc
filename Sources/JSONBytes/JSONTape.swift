/// The values of a JSON text in document order, each with the index of the entry after it.
struct JSONTape {
  /// A value, or a member's name immediately before the member's value.
  struct Entry {
    var kind: JSONKind

    /// The range of the bytes; for a string or a name, of those inside the quotation marks.
    var range: Range<Int>

    /// Whether a string or name has escapes.
    var hasEscapes = false

    /// The index of the entry after this value and everything in it.
    var next: Int
  }

  private(set) var entries: [Entry] = []
  private var open: [Int] = []

  /// Reads validated JSON.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    entries.removeAll(keepingCapacity: true)
    do {
      try readChecked(bytes)
    } catch {
      preconditionFailure("not validated JSON")
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

  /// Reads a whole scalar, or opens a container.
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
