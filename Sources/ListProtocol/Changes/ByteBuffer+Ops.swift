import ByteBuffers
import JSONBytes
import ListDiff
import ListState

extension ByteBuffer {
  mutating func append(_ path: Path) {
    append(0x5B)
    append(decimal: path.section)
    append(0x2C)
    append(decimal: path.row)
    append(0x5D)
  }

  /// Appends an operation without its closing brace, so that content can follow.
  mutating func append(opening op: Op) {
    append(0x7B)
    switch op {
    case .deleteSections(let at, let count): append(OpPatterns.deleteSections, at, count)
    case .insertSections(let at, let count): append(OpPatterns.insertSections, at, count)
    case .reloadSections(let at, let count): append(OpPatterns.reloadSections, at, count)
    case .reconfigureSections(let at, let count): append(OpPatterns.reconfigureSections, at, count)
    case .deleteItems(let at, let count): append(OpPatterns.deleteItems, at.section, at.row, count)
    case .insertItems(let at, let count): append(OpPatterns.insertItems, at.section, at.row, count)
    case .reloadItems(let at, let count): append(OpPatterns.reloadItems, at.section, at.row, count)
    case .reconfigureItems(let at, let count):
      append(OpPatterns.reconfigureItems, at.section, at.row, count)
    case .moveSections(let from, let to, let count):
      append(OpPatterns.moveSections, from, to, count)
    case .moveItems: preconditionFailure("moves of items are appended as a whole")
    }
  }

  /// Appends a move of items with a comma after it.
  mutating func append(move from: Path, to: Path, _ count: Int) {
    append(
      OpPatterns.moveItems, from: (from.section, from.row), to: (to.section, to.row), count: count)
  }

  mutating func append(_ name: StaticString, _ at: Path, _ count: Int) {
    append("{\"op\":\"")
    append(name)
    append("\",\"at\":")
    append(at)
    append(",\"count\":")
    append(decimal: count)
  }

  mutating func append(_ name: StaticString, _ counts: Counts) {
    append("\"")
    append(name)
    append("\":{\"deletes\":")
    append(decimal: counts.deletes)
    append(",\"inserts\":")
    append(decimal: counts.inserts)
    append(",\"moves\":")
    append(decimal: counts.moves)
    append(",\"updates\":")
    append(decimal: counts.updates)
    append(0x7D)
  }

  /// Appends a member after a comma.
  mutating func append(member name: StaticString, _ value: Int) {
    append(",\"")
    append(name)
    append("\":")
    append(decimal: value)
  }

  /// Appends the member `id` and a comma if the item has an identifier.
  mutating func append(idOf key: UInt32, _ ids: borrowing IDTable) {
    let key = ids.original(key)
    guard [.string, .integer].contains(ids.kind(of: key)) else { return }
    append("\"id\":")
    append(id: key, ids)
    append(",")
  }

  /// Appends the member `ops` of a change of the selection, after a comma.
  mutating func append(opsOf change: SelectionChange) {
    append(",\"ops\":[")
    var isFirst = true
    for (name, ranges) in [
      ("deselectItems" as StaticString, change.deselected), ("selectItems", change.selected),
    ] {
      for (at, count) in ranges {
        if !isFirst { append(0x2C) }
        isFirst = false
        append(name, at, count)
        append(0x7D)
      }
    }
    append("]")
  }

  /// Appends the opening brace of a result and its member `list`.
  mutating func append(openingFor list: [UInt8]) {
    append("{\"list\":")
    list.withUnsafeBytes { append(string: $0) }
  }

  /// Appends the members `selection` and `cursor`, each after a comma.
  mutating func append(selection: BitSet, cursor: Int?, in snapshot: Snapshot) {
    append(
      selection: snapshot.ranges(of: selection.members),
      cursor: cursor.map { snapshot.path(ofRow: $0) })
  }

  /// Appends the members `selection` and `cursor`, each after a comma.
  mutating func append(selection: [(at: Path, count: Int)], cursor: Path?) {
    append(list: "selection", selection.count) { index, out in
      out.append("{\"at\":")
      out.append(selection[index].at)
      out.append(member: "count", selection[index].count)
      out.append(0x7D)
    }
    append(",\"cursor\":")
    if let cursor { append(cursor) } else { append("null") }
  }

  /// Appends a member that is an array, after a comma.
  mutating func append(
    list name: StaticString, _ count: Int, _ element: (Int, inout ByteBuffer) -> Void
  ) {
    append(",\"")
    append(name)
    append("\":[")
    for index in 0..<count {
      if index > 0 { append(0x2C) }
      element(index, &self)
    }
    append("]")
  }
}

/// The fixed text of each operation, with gaps for its numbers.
private enum OpPatterns {
  static let deleteSections = sections("\"op\":\"deleteSections\",\"at\":")
  static let insertSections = sections("\"op\":\"insertSections\",\"at\":")
  static let reloadSections = sections("\"op\":\"reloadSections\",\"at\":")
  static let reconfigureSections = sections("\"op\":\"reconfigureSections\",\"at\":")
  static let deleteItems = items("\"op\":\"deleteItems\",\"at\":[")
  static let insertItems = items("\"op\":\"insertItems\",\"at\":[")
  static let reloadItems = items("\"op\":\"reloadItems\",\"at\":[")
  static let reconfigureItems = items("\"op\":\"reconfigureItems\",\"at\":[")
  static let moveSections = NumberPattern(
    "\"op\":\"moveSections\",\"from\":", ",\"to\":", ",\"count\":", "")
  static let moveItems = NumberPattern(
    "{\"op\":\"moveItems\",\"from\":[", ",", "],\"to\":[", ",", "],\"count\":", "},")

  private static func sections(_ opening: StaticString) -> NumberPattern {
    NumberPattern(opening, ",\"count\":", "")
  }

  private static func items(_ opening: StaticString) -> NumberPattern {
    NumberPattern(opening, ",", "],\"count\":", "")
  }
}
