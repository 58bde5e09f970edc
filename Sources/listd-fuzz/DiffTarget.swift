import ListDiff

/// A sequence of lists with sections that the input encodes. The change between two consecutive
/// lists must satisfy every invariant, and so must the steps that the library computes from it.
///
/// Promise: A change satisfies the laws and is the least; repeated rows take no more operations
///   than pairing the k-th with the k-th. Also `Tests/ListDiffTests`.
enum DiffTarget {
  /// The number of bytes that are used. The checks are slow.
  private static let limit = 1024

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    let repeats = first & 1 == 1
    var engine = DiffEngine()
    var old = ReferenceList()
    // The engine is reused for all lists, so that its tables are reused, too.
    for part in bytes.dropFirst().prefix(limit).split(
      separator: 0, omittingEmptySubsequences: false
    )
    .prefix(8) {
      let new = list(part, after: old, repeats: repeats)
      do {
        _ = try ChangeInvariants(old, new, using: &engine)
        try StepInvariants.check(old, new)
      } catch { preconditionFailure("\(error)\nfrom \(old)\nto   \(new)") }
      old = new
    }
  }

  /// Returns the next list. Each byte is a section, a row or an edit.
  private static func list(
    _ bytes: some Sequence<UInt8>, after old: ReferenceList, repeats: Bool
  ) -> ReferenceList {
    var list = old
    var ids = Set(old.rows.map(\.id))
    var current = list.sections.count - 1
    for byte in bytes {
      let low = Int(byte & 31)
      switch byte >> 5 {
      case 0:
        if low & 1 == 1 {
          list = ReferenceList()
          ids = []
        }
        current = list.sections.count - 1
      case 1:
        let id = low & 7
        if let index = list.sections.firstIndex(where: { $0.id == id }) {
          current = index
          if low & 8 > 0 { list.sections[index].header = low >> 4 }
        } else {
          current = low & 8 > 0 ? 0 : list.sections.count
          list.sections.insert(
            ReferenceList.Section(id: id, header: low >> 4, rows: []), at: current)
        }
      case _ where list.sections.isEmpty: break
      case 2:
        edit(&list, &current, low)
        ids = Set(list.rows.map(\.id))
      case 3, 4, 5:
        // Repeated rows have few ids, and no content besides.
        let id = repeats ? low & 7 : low + 32 * Int(byte >> 5)
        guard repeats || ids.insert(id).inserted else {
          list.move(id, to: current, atStart: byte >> 5 == 3)
          continue
        }
        let row = ReferenceList.Row(id: id, content: repeats ? 0 : low & 1)
        let rows = list.sections[current].rows
        list.sections[current].rows.insert(row, at: byte >> 5 == 3 ? rows.count / 2 : rows.count)
      case 6 where !repeats:
        for index in list.sections[current].rows.indices where index & 3 == low & 3 {
          list.sections[current].rows[index].content = low >> 2
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

  private static func edit(_ list: inout ReferenceList, _ current: inout Int, _ low: Int) {
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

extension ReferenceList {
  /// Moves a row to the start or the end of a section.
  fileprivate mutating func move(_ id: Int, to section: Int, atStart: Bool) {
    for index in sections.indices {
      guard let row = sections[index].rows.firstIndex(where: { $0.id == id }) else { continue }
      let moved = sections[index].rows.remove(at: row)
      let end = sections[section].rows.count
      return sections[section].rows.insert(moved, at: atStart ? 0 : end)
    }
  }
}
