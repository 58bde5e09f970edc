import ByteBuffers
import ListState

/// The lists and templates at one time, as records that restore them, a piece at a time. The lists may
/// change meanwhile.
package struct JournalContent {
  private let templates: [[UInt8]?: [[UInt8]: [UInt8]]]
  private let removed: [(name: [UInt8], revision: Int)]
  private let textRevision: Int

  /// Whether the records of these have been appended.
  private var isBegun = false

  /// The lists that are not appended yet, the next one last. The first pieces of it may be.
  private var lists: [NamedList]

  /// The identities of items of each list. The table of identifiers may not have them any more when they
  /// are appended.
  private var identities: [[UInt8]: KeyedIdentities] = [:]
  private var next = Position()

  /// Where the next piece of a list begins.
  private struct Position {
    var section = 0

    /// The index of the next item in the list.
    var item = 0

    /// Whether the section is in an earlier piece, without all of its items.
    var isInSection = false
  }

  fileprivate init(_ service: borrowing ListService) {
    templates = service.book.templates.all
    removed = service.store.removedRevisions
    textRevision = service.book.revisions.last
    lists = service.store.names.reversed().compactMap { service.store.peek($0) }
      .filter { service.temporary[$0.name] == nil }
    for list in lists where list.sources == nil && list.itemKey != [] {
      identities[list.name] = KeyedIdentities(of: list.shownItems, service.store.ids)
    }
  }

  /// Appends a JSON array of records, of not much more than `limit` bytes if no item is longer. Returns
  /// false if all were appended before.
  ///
  /// - Complexity: O(*b* + *k* log *n*), where *b* is the number of bytes, *k* that of items in them and
  ///   *n* that of items of the list.
  package mutating func append(atMost limit: Int, to out: inout ByteBuffer) -> Bool {
    let start = out.count
    out.append(0x5B)
    if !isBegun {
      isBegun = true
      if textRevision > 0 { out.append(.textRevision(textRevision)) }
      for (name, revision) in removed { out.append(.removed(list: name, revision: revision)) }
      // Removing a list removes its templates; these were registered later.
      out.append(templates: templates)
    }
    if out.count == start + 1 {
      guard let list = lists.last else {
        out.truncate(to: start)
        return false
      }
      if append(list, atMost: max(limit, 1 << 7), to: &out) {
        lists.removeLast()
        next = Position()
      }
    }
    out.append(0x5D)
    return true
  }

  /// Appends the next piece of a list. Returns whether that is the last one.
  private mutating func append(
    _ list: NamedList, atMost limit: Int, to out: inout ByteBuffer
  ) -> Bool {
    var record = JournalRecord.ListRecord(state: list)
    guard list.sources == nil else {
      out.append(.list(record))
      return true
    }
    out.append(openingOf: record)
    let isLast = append(sectionsOf: list.rows, list, atMost: limit, to: &out)
    if !isLast { record.marks = Marks() }
    out.append(endOf: record)
    return isLast
  }

  /// Appends what the list has after the preceding pieces, and these as runs. Returns whether that is
  /// all.
  private mutating func append(
    sectionsOf rows: ListRows, _ list: NamedList, atMost limit: Int, to out: inout ByteBuffer
  ) -> Bool {
    let (end, count) = (out.count + limit, rows.sectionCount)
    let identities = identities[list.name] ?? KeyedIdentities()
    out.append(member: "sections")
    out.append(0x5B)
    if next.section > 0 { out.append(run: 0..<next.section) }
    while next.section < count, out.count < end || next.isInSection {
      let start = rows.itemStart(ofSection: next.section)
      let itemEnd = rows.itemStart(ofSection: next.section + 1)
      if next.section > 0 { out.append(0x2C) }
      out.append("{\"own\":")
      if next.isInSection {
        out.append(decimal: next.section)
      } else {
        out.append(json: rows.bytes(ofSection: next.section), singleLine: true)
      }
      out.append(member: "items")
      out.append(0x5B)
      if next.item > start { out.append(run: start..<next.item) }
      while next.item < itemEnd, out.count < end {
        if next.item > start { out.append(0x2C) }
        out.append(
          item: rows.bytes(ofItem: next.item), isKeyed: rows.isKeyed(item: next.item),
          key: rows.key(ofItem: next.item), identities)
        next.item += 1
      }
      out.append("]}")
      next.isInSection = next.item < itemEnd
      if next.isInSection { break }
      next.section += 1
    }
    out.append(0x5D)
    return next.section == count
  }
}

extension ListService {
  /// Returns the present lists and templates, for a journal.
  ///
  /// - Complexity: O(*l* log *l* + *t*), where *l* is the number of lists and *t* that of templates. The
  ///   next change of each list copies its nodes.
  package func journalContent() -> JournalContent { JournalContent(self) }
}
