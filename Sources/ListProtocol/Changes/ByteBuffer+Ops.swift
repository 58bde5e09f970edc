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

  /// Appends a member that is a path.
  mutating func append(member name: StaticString, _ path: Path) {
    append(member: name)
    append(path)
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
    append("\"")
    append(member: "at", at)
    append(member: "count", count)
  }

  /// Appends the member `counts`, which is not the first one.
  mutating func append(countsOf rows: Counts, _ sections: Counts) {
    append(Self.rowCounts, rows.deletes, rows.inserts, rows.moves, fourth: rows.updates)
    append(
      Self.sectionCounts, sections.deletes, sections.inserts, sections.moves,
      fourth: sections.updates)
  }

  private static let rowCounts = NumberPattern(
    ",\"counts\":{\"rows\":{\"deletes\":", ",\"inserts\":", ",\"moves\":", ",\"updates\":",
    "},\"sections\":{\"deletes\":")
  private static let sectionCounts = NumberPattern(
    "", ",\"inserts\":", ",\"moves\":", ",\"updates\":", "}}")

  /// Appends the members `baseRevision` and `revision`.
  mutating func append(from baseRevision: Int, to revision: Int) {
    append(Self.revisions, baseRevision, revision)
  }

  private static let revisions = NumberPattern(",\"baseRevision\":", ",\"revision\":", "")

  /// Appends the member `id` if the item has an identifier.
  mutating func append(idOf key: UInt32, _ ids: borrowing IDTable) {
    let key = ids.original(key)
    guard [.string, .integer].contains(ids.kind(of: key)) else { return }
    append(member: "id")
    append(id: key, ids)
  }

  /// Appends the member `ops` of a change of the selection.
  mutating func append(opsOf change: SelectionChange) {
    append(member: "ops")
    append("[")
    for (name, ranges) in [
      ("deselectItems" as StaticString, change.deselected), ("selectItems", change.selected),
    ] {
      for (at, count) in ranges {
        appendSeparator()
        append(name, at, count)
        append(0x7D)
      }
    }
    append("]")
  }

  /// Appends the member `deselected` of a change: the items that it has deselected.
  mutating func append(
    deselected: [(key: UInt32, at: Path, isDeleted: Bool)], _ ids: borrowing IDTable
  ) {
    append(list: "deselected", deselected.count) { index, out in
      let item = deselected[index]
      out.append("{")
      out.append(idOf: item.key, ids)
      out.append(member: "at", item.at)
      out.append(member: "gone", item.isDeleted)
      out.append("}")
    }
  }

  /// Appends the opening brace of a result and its members `list` and `revision`.
  mutating func append(openingFor list: [UInt8], revision: Int) {
    append(openingFor: list)
    append(member: "revision", revision)
  }

  /// Appends the opening brace of a result and its member `list`.
  mutating func append(openingFor list: [UInt8]) {
    append("{")
    append(member: "list", string: list)
  }

  private static let selected = NumberPattern("{\"at\":[", ",", "],\"count\":", "}")

  /// Appends the members `selection` and `cursor`.
  mutating func append(selection: [(at: Path, count: Int)], cursor: Path?) {
    append(member: "selection")
    append(0x5B)
    for (at, count) in selection {
      appendSeparator()
      append(Self.selected, at.section, at.row, count)
    }
    append(0x5D)
    append(member: "cursor")
    if let cursor { append(cursor) } else { append("null") }
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
