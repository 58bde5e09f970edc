import JSONBytes
import ListState

/// Lists in the making, from the effects that were written down, one behind the other.
///
/// Only places in the journal are kept; each list is read once, at the end.
package struct RestoredLists {
  private let journal: SharedBytes
  private var lists: [[UInt8]: Draft] = [:]
  private var made = 0
  private var removed: [[UInt8]: Int] = [:]
  /// By list those that hold for it only; under `nil` those of all lists.
  private var templates: [[UInt8]?: [[UInt8]: [UInt8]]] = [:]
  private var textRevision = 0

  private struct Draft {
    var revision = 0

    /// Says which of two lists was made first.
    var order = 0
    var sections: [(own: Range<Int>, count: Int)] = []
    var items = RestoredItems()
    var marks = Marks()

    /// Of a list that is made of others, those.
    var sources: [[UInt8]]?

    /// Of a view its definition, and the item that its window is anchored to.
    var view: Range<Int>?
    var windowItem: Int?

    /// Of an outline the items of its sources that somebody has expanded and collapsed.
    var expanded: [Range<Int>] = []
    var collapsed: [Range<Int>] = []

    /// The size of the text, in bytes.
    var size: Int {
      let sections = sections.reduce(0) { $0 + $1.own.count + 24 }
      return sections + items.size + items.count
    }
  }

  /// An effect that this version does not know, or that cannot follow those before.
  package struct Unreadable: Error {}

  private static let members = SoughtMembers(
    "list", "removed", "revision", "sections", "selection", "anchor", "cursor",
    "sources")
  private static let otherMembers = SoughtMembers(
    "templates", "textRevision", "extended", "view", "windowItem", "expanded", "collapsed",
    "for")

  /// Numbers above are not ones that a journal of listd holds.
  private static let numbers = 0...1 << 53
  private static let sectionMembers = SoughtMembers("own", "items")

  /// What comes of effects that are parts of a journal.
  package init(from journal: SharedBytes) { self.journal = journal }

  /// The size of what is restored, in bytes of text.
  package var size: Int { lists.values.reduce(0) { $0 + $1.size } }

  /// Takes in the effects of one request.
  ///
  /// - Complexity: O(*b* + *s* + *p* log *p*), where *b* is the number of bytes of the effects, *s*
  ///   that of sections of the lists and *p* that of pieces that effects have cut them into.
  package mutating func read(_ effects: Range<Int>) throws(Unreadable) {
    let bytes = UnsafeRawBufferPointer(rebasing: journal.bytes[..<effects.upperBound])
    // What a client nested as deeply as it may is deeper here.
    var reader = JSONReader(bytes, from: effects.lowerBound, depth: -64)
    do {
      try reader.openArray()
      while try reader.nextElement() {
        var found = FoundMembers()
        var other = reader
        _ = try reader.object(seeking: Self.members, into: &found)
        var others = FoundMembers()
        _ = try other.object(seeking: Self.otherMembers, into: &others)
        if found[0] != nil || found[1] != nil {
          try take(found, others, reader)
        } else if let templates = others[0] {
          let list = try others[7].map { try text($0, reader) }
          try readTemplates(templates, of: list, reader)
        } else {
          textRevision = max(textRevision, try number(others[1], reader))
        }
      }
      try reader.end()
    } catch { throw Unreadable() }
  }

  private mutating func take(
    _ found: FoundMembers, _ others: FoundMembers, _ reader: JSONReader
  ) throws {
    let revision = try number(found[2], reader)
    if let range = found[1] {
      let name = try text(range, reader)
      lists[name] = nil
      templates[name] = nil
      removed[name] = revision
      return
    }
    guard let range = found[0] else { throw Unreadable() }
    let name = try text(range, reader)
    made += 1
    var list = lists.removeValue(forKey: name) ?? Draft(order: made)
    list.revision = revision
    if let sections = found[3] { try read(sections, reader, into: &list) }
    list.sources = try found[7].map { try names(in: $0, reader) }
    list.marks = Marks()
    if let selection = found[4] { list.marks.selected = try runs(in: selection, reader) }
    list.view = others[3]
    list.windowItem = try others[4].map { try number($0, reader) }
    list.expanded = try others[5].map { try runs(in: $0, reader) } ?? []
    list.collapsed = try others[6].map { try runs(in: $0, reader) } ?? []
    if let extended = others[2] { list.marks.extended = try runs(in: extended, reader) }
    list.marks.anchor = try found[5].map { try number($0, reader) }
    list.marks.cursor = try found[6].map { try number($0, reader) }
    lists[name] = list
  }

  private func read(_ range: Range<Int>, _ reader: JSONReader, into list: inout Draft) throws {
    let old = list
    let starts = old.sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let places = old.items.places
    list.sections.removeAll(keepingCapacity: true)
    list.items.beginAnew()
    var reader = reader.moved(to: range.lowerBound, depth: -64)
    try reader.openArray()
    while try reader.nextElement() {
      if try reader.peek() == .array {
        guard let run = run(try reader.skip(), reader), run.upperBound <= old.sections.count else {
          throw Unreadable()
        }
        list.sections += old.sections[run]
        list.items.keep(starts[run.lowerBound]..<starts[run.upperBound], places)
        continue
      }
      var found = FoundMembers()
      _ = try reader.object(seeking: Self.sectionMembers, into: &found)
      guard var own = found[0], let items = found[1] else { throw Unreadable() }
      if let index = JSONNumber(reader.bytes(own)).integer {
        guard old.sections.indices.contains(index) else { throw Unreadable() }
        own = old.sections[index].own
      }
      let start = list.items.count
      var inside = reader.moved(to: items.lowerBound, depth: -64)
      try inside.openArray()
      while try inside.nextElement() {
        let item = try inside.skip()
        if let run = run(item, inside) {
          guard run.upperBound <= old.items.count else { throw Unreadable() }
          list.items.keep(run, places)
        } else {
          list.items.append(item)
        }
      }
      list.sections.append((own, list.items.count - start))
    }
    guard list.items.count <= Int(Int32.max) else { throw Unreadable() }
    list.items.finish()
  }

  private func number(_ range: Range<Int>?, _ reader: JSONReader) throws -> Int {
    guard let number = range.flatMap({ JSONNumber(reader.bytes($0)).integer }),
      Self.numbers.contains(number)
    else { throw Unreadable() }
    return number
  }

  private func runs(in range: Range<Int>, _ reader: JSONReader) throws -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openArray()
    while try reader.nextElement() {
      guard let run = run(try reader.skip(), reader) else { throw Unreadable() }
      runs.append(run)
    }
    return runs
  }

  /// A start and a count; `nil` for anything else, such as an item.
  private func run(_ range: Range<Int>, _ reader: JSONReader) -> Range<Int>? {
    let bytes = reader.bytes(range)
    guard bytes.count >= 5, bytes[0] == 0x5B,
      let comma = Bytes.firstIndex(of: 0x2C, in: bytes, from: 0),
      let start = Int(String(decoding: bytes[1..<comma], as: UTF8.self)),
      let count = Int(String(decoding: bytes[(comma + 1)...].dropLast(), as: UTF8.self)),
      Self.numbers.contains(start), Self.numbers.contains(count)
    else { return nil }
    return start..<start + count
  }

  private mutating func readTemplates(
    _ range: Range<Int>, of list: [UInt8]?, _ reader: JSONReader
  ) throws {
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openObject()
    while let member = try reader.nextMember() {
      var name: [UInt8] = []
      reader.decode(member, into: &name)
      templates[list, default: [:]][name] = try text(try reader.skip(), reader)
    }
  }

  /// The names of sources, which are distinct.
  private func names(in range: Range<Int>, _ reader: JSONReader) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openArray()
    while try reader.nextElement() {
      let name = try text(try reader.skip(), reader)
      guard !name.contains(0x2F), known.insert(name).inserted else { throw Unreadable() }
      names.append(name)
    }
    return names
  }

  private func text(_ range: Range<Int>, _ reader: JSONReader) throws -> [UInt8] {
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    var bytes: [UInt8] = []
    reader.decode(try reader.string(), into: &bytes)
    return bytes
  }

  /// Makes the lists of a service that has none.
  package func restore(to service: inout ListService) throws(Unreadable) {
    let bytes = journal.bytes
    defer { withExtendedLifetime(journal) {} }
    for (list, templates) in templates {
      for (name, source) in templates {
        do { try service.book.register(source, as: name, for: list) } catch { throw Unreadable() }
      }
    }
    for (name, revision) in removed where lists[name] == nil {
      service.store.restore(removed: name, revision: revision)
    }
    let names = lists.sorted { $0.value.order < $1.value.order }.map(\.key)
    for name in names {
      guard let list = lists[name], list.sources == nil else { continue }
      // Of a larger text places cannot be told.
      guard list.size < Int(UInt32.max) else { throw Unreadable() }
      let text = text(of: list, bytes)
      let sections = Value(message: text, range: 0..<text.count, pointer: "")
      let snapshot: Snapshot
      do {
        snapshot = try SnapshotReader(text).read(sections: sections, items: nil, &service.store)
      } catch { throw Unreadable() }
      service.store.restore(name, revision: list.revision, snapshot, list.marks)
    }
    var restored: [[UInt8]: Bool] = [:]
    for name in names { try restoreComposite(name, &restored, &service) }
    guard service.store.ids.overflow == nil else { throw Unreadable() }
    service.store.restore(order: names)
    service.book.numbers.restore(last: textRevision, lists: names.count)
  }

  /// Makes a list of others after those that it is made of; `restored` says of a list whether that is
  /// done or has only begun.
  private func restoreComposite(
    _ name: [UInt8], _ restored: inout [[UInt8]: Bool], _ service: inout ListService
  ) throws(Unreadable) {
    guard restored[name] == nil, let sources = lists[name]?.sources else { return }
    restored[name] = false
    var way = [(name: name, rest: sources[...])]
    while let last = way.indices.last {
      if let source = way[last].rest.popFirst() {
        guard let sources = lists[source]?.sources else { continue }
        if let isDone = restored[source] {
          // What was written down has no cycles.
          guard isDone else { throw Unreadable() }
          continue
        }
        restored[source] = false
        way.append((source, sources[...]))
      } else {
        let name = way.removeLast().name
        guard let list = lists[name], let sources = list.sources else { continue }
        var rules: (any ViewRules)?
        if let view = list.view {
          let text = SharedBytes(copying: UnsafeRawBufferPointer(rebasing: journal.bytes[view]))
          let value = Value(message: text, range: 0..<text.count, pointer: "")
          do { rules = try ViewReader.read(value).definition } catch { throw Unreadable() }
        }
        service.store.restore(
          name, revision: list.revision, madeOf: sources, by: rules, anchor: list.windowItem,
          expanded: list.expanded, collapsed: list.collapsed, list.marks)
        restored[name] = true
      }
    }
  }

  /// The sections of a list as JSON.
  private func text(of list: Draft, _ bytes: UnsafeRawBufferPointer) -> SharedBytes {
    var text = ByteBuffer(capacity: list.size + 2)
    text.append(0x5B)
    var items = list.items.all[...]
    for (place, section) in list.sections.enumerated() {
      if place > 0 { text.append(0x2C) }
      // An own member's object is never empty, for it has an identifier.
      text.append(.init(rebasing: bytes[section.own.dropLast()]))
      text.append(",\"items\":[")
      for (place, item) in items.prefix(section.count).enumerated() {
        if place > 0 { text.append(0x2C) }
        text.append(.init(rebasing: bytes[item]))
      }
      items = items.dropFirst(section.count)
      text.append("]}")
    }
    text.append(0x5D)
    return text.shared()
  }
}
