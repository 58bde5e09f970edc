import ByteBuffers
import JSONBytes
import ListState

/// Restores lists from a journal: applies its records one after the other.
///
/// Until the end, items and sections are only ranges of the journal; then each list is read once.
package struct JournalRestorer {
  private let journal: SharedBytes
  private var lists: [[UInt8]: RestoredList] = [:]
  private var createdCount = 0
  private var removed: [[UInt8]: Int] = [:]

  /// The templates of single lists; under `nil`, those of all lists.
  private var templates: [[UInt8]?: [[UInt8]: [UInt8]]] = [:]
  private var textRevision = 0

  private struct RestoredList {
    /// The order of creation.
    let order: Int
    var record: JournalRecord.ListRecord
    var sections: [(own: Range<Int>, count: Int)] = []
    var items = RestoredItems()

    /// The size of the sections as JSON, in bytes.
    var size: Int {
      let sections = sections.reduce(0) { $0 + $1.own.count + 24 }
      return sections + items.size + items.count
    }
  }

  /// A record that this version does not know, or that does not fit the ones before it.
  package struct Unreadable: Error {}

  private static let sectionMembers = MemberKeys("own", "items")
  private enum SectionMember: Int { case own, items }

  /// Begins with no lists; the records are in ranges of `journal`.
  package init(_ journal: SharedBytes) { self.journal = journal }

  /// The size of the restored content, in bytes.
  package var size: Int { lists.values.reduce(0) { $0 + $1.size } }

  /// Applies the records of one request.
  ///
  /// - Complexity: O(*b* + *s* + *p* log *p*), where *b* is the number of bytes of the records, *s*
  ///   the number of sections of the lists and *p* the number of pieces that records have split
  ///   them into.
  package mutating func apply(_ records: Range<Int>) throws(Unreadable) {
    let bytes = UnsafeRawBufferPointer(rebasing: journal.bytes[..<records.upperBound])
    // Values that a client nested as deeply as allowed are nested more deeply here.
    var reader = JSONReader(bytes, from: records.lowerBound, depth: -64)
    do {
      try reader.openArray()
      while try reader.nextElement() { try apply(JournalRecord(&reader), reader) }
      try reader.end()
    } catch { throw Unreadable() }
  }

  private mutating func apply(_ record: JournalRecord, _ reader: JSONReader) throws {
    switch record {
    case .removed(let name, let revision):
      lists[name] = nil
      templates[name] = nil
      removed[name] = revision
    case .list(let record):
      createdCount += 1
      var list =
        lists.removeValue(forKey: record.name)
        ?? RestoredList(order: createdCount, record: record)
      list.record = record
      if case .json(let range)? = record.sections { try read(range, reader, into: &list) }
      lists[record.name] = list
    case .templates(let registered, let list):
      templates[list, default: [:]].merge(registered) { $1 }
    case .textRevision(let revision): textRevision = max(textRevision, revision)
    }
  }

  private func read(_ range: Range<Int>, _ reader: JSONReader, into list: inout RestoredList) throws
  {
    let old = list
    let starts = old.sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let index = old.items.index
    list.sections.removeAll(keepingCapacity: true)
    list.items.beginChange()
    let values = JournalValues(reader)
    var reader = reader.moved(to: range.lowerBound, depth: -64)
    try reader.openArray()
    while try reader.nextElement() {
      if try reader.peek() == .array {
        guard let run = values.run(try reader.skip()), run.upperBound <= old.sections.count else {
          throw Unreadable()
        }
        list.sections += old.sections[run]
        list.items.keep(starts[run.lowerBound]..<starts[run.upperBound], index)
        continue
      }
      var found = MemberRanges()
      _ = try reader.object(seeking: Self.sectionMembers, into: &found)
      guard var own = found[SectionMember.own], let items = found[SectionMember.items] else {
        throw Unreadable()
      }
      if let index = JSONNumber(reader.bytes(own)).integer {
        guard old.sections.indices.contains(index) else { throw Unreadable() }
        own = old.sections[index].own
      }
      let start = list.items.count
      var inside = reader.moved(to: items.lowerBound, depth: -64)
      try inside.openArray()
      while try inside.nextElement() {
        let item = try inside.skip()
        if let run = values.run(item) {
          guard run.upperBound <= old.items.count else { throw Unreadable() }
          list.items.keep(run, index)
        } else {
          list.items.append(item)
        }
      }
      list.sections.append((own, list.items.count - start))
    }
    guard list.items.count <= Int(Int32.max) else { throw Unreadable() }
    list.items.finish()
  }

  /// Creates the lists in a service that has none.
  package func restore(to service: inout ListService) throws(Unreadable) {
    let bytes = journal.bytes
    defer { withExtendedLifetime(journal) {} }
    for (list, templates) in templates {
      for (name, source) in templates {
        do {
          service.book.templates.register(try Templates.Entry(source), as: name, for: list)
        } catch { throw Unreadable() }
      }
    }
    for (name, revision) in removed where lists[name] == nil {
      service.store.restore(removed: name, revision: revision)
    }
    let names = lists.sorted { $0.value.order < $1.value.order }.map(\.key)
    for name in names {
      guard let list = lists[name], list.record.sources == nil else { continue }
      // Offsets in larger texts do not fit.
      guard list.size < Int(UInt32.max) else { throw Unreadable() }
      let text = text(of: list, bytes)
      let sections = Value(text)
      let snapshot: Snapshot
      do {
        var reader = SnapshotReader(text)
        reader.takesKeyedItems = true
        snapshot = try reader.read(sections: sections, items: nil, &service.store)
      } catch { throw Unreadable() }
      service.store.restore(name, revision: list.record.revision, snapshot, list.record.marks)
    }
    var restored: [[UInt8]: Bool] = [:]
    for name in names { try restoreComposite(name, &restored, &service) }
    guard service.store.ids.overflow == nil else { throw Unreadable() }
    service.store.restore(order: names)
    service.book.revisions.restore(last: textRevision, lists: names.count)
  }

  /// Restores a composite after its sources. `restored` maps a list to whether that is done or has
  /// only begun.
  private func restoreComposite(
    _ name: [UInt8], _ restored: inout [[UInt8]: Bool], _ service: inout ListService
  ) throws(Unreadable) {
    guard restored[name] == nil, let sources = lists[name]?.record.sources else { return }
    restored[name] = false
    var path = [(name: name, rest: sources[...])]
    while let last = path.indices.last {
      if let source = path[last].rest.popFirst() {
        guard let sources = lists[source]?.record.sources else { continue }
        if let isDone = restored[source] {
          // The compositions in a journal have no cycles.
          guard isDone else { throw Unreadable() }
          continue
        }
        restored[source] = false
        path.append((source, sources[...]))
      } else {
        let name = path.removeLast().name
        guard let list = lists[name]?.record, let sources = list.sources else { continue }
        var rules: (any ViewRules)?
        if let view = list.view {
          do {
            let value = Value(SharedBytes(copying: view))
            rules = try ViewReader.read(value, isRestored: true).definition
          } catch { throw Unreadable() }
        }
        service.store.restore(
          name, revision: list.revision, madeOf: sources, by: rules, anchor: list.windowItem,
          expanded: list.expanded, collapsed: list.collapsed, list.marks)
        restored[name] = true
      }
    }
  }

  /// Returns the sections of a list as JSON.
  private func text(of list: RestoredList, _ bytes: UnsafeRawBufferPointer) -> SharedBytes {
    var text = ByteBuffer(capacity: list.size + 2)
    text.append(0x5B)
    var items = list.items.all[...]
    for (index, section) in list.sections.enumerated() {
      if index > 0 { text.append(0x2C) }
      // The object of own members is never empty because it has an identifier.
      text.append(.init(rebasing: bytes[section.own.dropLast()]))
      text.append(member: "items")
      text.append(0x5B)
      for (index, item) in items.prefix(section.count).enumerated() {
        if index > 0 { text.append(0x2C) }
        text.append(.init(rebasing: bytes[item]))
      }
      items = items.dropFirst(section.count)
      text.append("]}")
    }
    text.append(0x5D)
    return text.shared()
  }
}
