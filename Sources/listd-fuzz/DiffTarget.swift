import ListDiff

/// Lists with sections, drawn by the bytes, one after the other: the change between each two keeps
/// every law, and so does what the library makes of it.
enum DiffTarget {
  /// How many bytes are looked at: the laws are checked by means that take their time.
  private static let limit = 1024

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    let repeats = first & 1 == 1
    var engine = DiffEngine()
    var old = ObviousList()
    // With every list its predecessor's predecessor, the tables that the engine keeps are put to use.
    for part in bytes.dropFirst().prefix(limit).split(
      separator: 0, omittingEmptySubsequences: false
    )
    .prefix(8) {
      let new = list(part, after: old, repeats: repeats)
      do {
        _ = try LawfulChange(old, new, using: &engine)
        try LawfulSteps.check(old, new)
      } catch { preconditionFailure("\(error)\nfrom \(old)\nto   \(new)") }
      old = new
    }
  }

  /// A list, a byte a section, a row or an edit of what is there.
  private static func list(
    _ bytes: some Sequence<UInt8>, after old: ObviousList, repeats: Bool
  ) -> ObviousList {
    var list = old
    var ids = Set(old.rows.map(\.id))
    var current = list.sections.count - 1
    for byte in bytes {
      let low = Int(byte & 31)
      switch byte >> 5 {
      case 0:
        if low & 1 == 1 {
          list = ObviousList()
          ids = []
        }
        current = list.sections.count - 1
      case 1:
        let id = low & 7
        if let place = list.sections.firstIndex(where: { $0.id == id }) {
          current = place
          if low & 8 > 0 { list.sections[place].header = low >> 4 }
        } else {
          current = low & 8 > 0 ? 0 : list.sections.count
          list.sections.insert(ObviousList.Section(id: id, header: low >> 4, rows: []), at: current)
        }
      case _ where list.sections.isEmpty: break
      case 2:
        edit(&list, &current, low)
        ids = Set(list.rows.map(\.id))
      case 3, 4, 5:
        // Of rows that repeat there are few, and their content is their identity.
        let id = repeats ? low & 7 : low + 32 * Int(byte >> 5)
        guard repeats || ids.insert(id).inserted else {
          list.move(id, to: current, atStart: byte >> 5 == 3)
          continue
        }
        let row = ObviousList.Row(id: id, content: repeats ? 0 : low & 1)
        let rows = list.sections[current].rows
        list.sections[current].rows.insert(row, at: byte >> 5 == 3 ? rows.count / 2 : rows.count)
      case 6 where !repeats:
        for place in list.sections[current].rows.indices where place & 3 == low & 3 {
          list.sections[current].rows[place].content = low >> 2
        }
      default:
        let rows = list.sections[current].rows
        if !rows.isEmpty {
          list.sections[current].rows.remove(at: low % rows.count)
          ids = Set(list.rows.map(\.id))
        }
      }
    }
    return list
  }

  private static func edit(_ list: inout ObviousList, _ current: inout Int, _ low: Int) {
    let other = (low >> 3) % list.sections.count
    var rows = list.sections[current].rows
    switch low & 7 {
    case 0: list.sections.swapAt(current, other)
    case 1:
      list.sections.remove(at: current)
      current = list.sections.count - 1
    case 2:
      guard other != current else { return }
      list.sections[other].rows += rows
      list.sections[current].rows = []
    case 3: list.sections[current].rows = []
    case 4: list.sections[current].rows.reverse()
    case 5 where !rows.isEmpty: list.sections[current].rows = Array(rows[1...] + rows[..<1])
    case 6 where !rows.isEmpty:
      list.sections[other].rows.insert(list.sections[current].rows.removeFirst(), at: 0)
    case 7 where rows.count > 1:
      rows.swapAt(0, rows.count - 1)
      list.sections[current].rows = rows
    default: break
    }
  }
}

extension ObviousList {
  /// Moves a row to a section, its start or its end.
  fileprivate mutating func move(_ id: Int, to section: Int, atStart: Bool) {
    for place in sections.indices {
      guard let row = sections[place].rows.firstIndex(where: { $0.id == id }) else { continue }
      let moved = sections[place].rows.remove(at: row)
      let end = sections[section].rows.count
      return sections[section].rows.insert(moved, at: atStart ? 0 : end)
    }
  }
}
