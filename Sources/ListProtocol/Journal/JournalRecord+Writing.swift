import ByteBuffers
import JSONBytes
import ListState

extension JournalRecord.ListRecord {
  /// Creates the record of a list, without sections.
  init(state list: NamedList) {
    self.init(name: list.name, revision: list.revision)
    marks = list.marks
    guard let sources = list.sources else { return }
    self.sources = sources
    guard let view = list.view else { return }
    self.view = view.rules.source
    windowItem = view.anchorItem
    expanded = list.items(inState: .expanded)
    collapsed = list.items(inState: .collapsed)
  }
}

extension ByteBuffer {
  /// Appends a record, after a comma unless it is the first one of an array.
  mutating func append(_ record: JournalRecord) {
    if withUnsafeBytes({ $0.last }) != 0x5B { append(0x2C) }
    switch record {
    case .list(let list): append(list)
    case .removed(let list, let revision):
      append("{\"removed\":")
      list.withUnsafeBytes { append(string: $0) }
      append(member: "revision", revision)
      append(0x7D)
    case .templates(let templates, let list):
      append("{\"templates\":{")
      let names = templates.keys.sorted { $0.lexicographicallyPrecedes($1) }
      for (index, name) in names.enumerated() {
        if index > 0 { append(0x2C) }
        name.withUnsafeBytes { append(string: $0) }
        append(0x3A)
        templates[name]!.withUnsafeBytes { append(string: $0) }
      }
      append(0x7D)
      if let list {
        append(member: "for")
        list.withUnsafeBytes { append(string: $0) }
      }
      append(0x7D)
    case .textRevision(let revision):
      append("{\"textRevision\":")
      append(decimal: revision)
      append(0x7D)
    }
  }

  /// Appends the sources of templates by list; under `nil`, those of all lists.
  mutating func append(templates: [[UInt8]?: [[UInt8]: [UInt8]]]) {
    if let shared = templates[nil] { append(.templates(shared, list: nil)) }
    for list in templates.keys.compactMap({ $0 }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      append(.templates(templates[list]!, list: list))
    }
  }

  private mutating func append(_ list: JournalRecord.ListRecord) {
    append(openingOf: list)
    if let sections = list.sections {
      append(member: "sections")
      append(0x5B)
      switch sections {
      case .edits(let edits): append(sectionsOf: edits, list.identities)
      case .json: preconditionFailure("a record that was read is not written again")
      }
      append(0x5D)
    }
    append(endOf: list)
  }

  /// Appends the record of a list up to its sections.
  mutating func append(openingOf list: JournalRecord.ListRecord) {
    append(openingFor: list.name, revision: list.revision)
    if let sources = list.sources {
      append(member: "sources")
      append(names: sources)
    }
    if let view = list.view {
      append(member: "view")
      view.withUnsafeBytes { append(json: $0, singleLine: true) }
    }
    if let item = list.windowItem { append(member: "windowItem", item) }
    if !list.expanded.isEmpty { append(member: "expanded", runs: list.expanded) }
    if !list.collapsed.isEmpty { append(member: "collapsed", runs: list.collapsed) }
  }

  /// Appends the record of a list after its sections.
  mutating func append(endOf list: JournalRecord.ListRecord) {
    append(member: "selection", runs: list.marks.selected)
    if let anchor = list.marks.anchor { append(member: "anchor", anchor) }
    if !list.marks.extended.isEmpty { append(member: "extended", runs: list.marks.extended) }
    if let cursor = list.marks.cursor { append(member: "cursor", cursor) }
    append(0x7D)
  }

  /// Appends the sections of a list as runs of the list before, and what is new.
  private mutating func append(sectionsOf edits: EditStep, _ identities: KeyedIdentities) {
    for (index, sections) in edits.sections.enumerated() {
      if index > 0 { append(0x2C) }
      switch sections {
      case .kept(let range): append(run: Int(range.lowerBound)..<Int(range.upperBound))
      case .changed(let section): append(section, of: edits, identities)
      }
    }
  }

  private mutating func append(
    _ section: EditStep.Section, of edits: EditStep, _ identities: KeyedIdentities
  ) {
    append("{\"own\":")
    if section.own < 0 {
      append(decimal: Int(section.other))
    } else {
      let own = edits.rest.sections[Int(section.own)].own
      append(json: edits.rest.bytes(of: own), singleLine: true)
    }
    append(member: "items")
    append(0x5B)
    let items = Int(section.items.lowerBound)..<Int(section.items.upperBound)
    for index in items {
      if index > items.lowerBound { append(0x2C) }
      let range = edits.items[index].range
      guard edits.items[index].areOwn else {
        append(run: range)
        continue
      }
      for item in range {
        if item > range.lowerBound { append(0x2C) }
        append(
          item: edits.rest.bytes(of: edits.rest.payloads[item]),
          isKeyed: edits.rest.traits[item].contains(.isKeyed),
          key: edits.rest.arrangement.rows[item], identities)
      }
    }
    append("]}")
  }

  private mutating func append(member name: StaticString, runs: [Range<Int>]) {
    append(list: name, runs.count) { $1.append(run: runs[$0]) }
  }

  /// Appends a range of items or sections.
  mutating func append(run: Range<Int>) {
    append(0x5B)
    append(decimal: run.lowerBound)
    append(0x2C)
    append(decimal: run.count)
    append(0x5D)
  }
}
