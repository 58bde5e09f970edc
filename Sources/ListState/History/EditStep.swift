import ByteBuffers
import ListDiff

/// A list in terms of another one: common content as ranges of the other list, and the rest by
/// value.
///
/// A step describes a revision in terms of the next one, for history, or in terms of the previous
/// one, for the journal:
///
/// ```
///   other:  | a  b  c  d  e |            rest: x
///   list:   | a  x  d  e  b |            items: kept 0..<1, own 0..<1, kept 3..<5, kept 1..<2
/// ```
package struct EditStep: Sendable {
  /// Consecutive items of a section.
  package enum Items: Sendable {
    /// Items of the other list, by index.
    case kept(Range<Int32>)
    /// Items of ``rest``, by index.
    case own(Range<Int32>)
  }

  /// Consecutive sections.
  package enum Sections: Sendable {
    /// Sections that are equal in the other list, by their indices there.
    case kept(Range<Int32>)
    case changed(Section)
  }

  /// A section that differs from its counterpart in the other list.
  package struct Section: Sendable {
    /// The index of the counterpart in the other list, or -1 if there is none.
    package var other: Int32

    /// The index in ``rest`` of the section's own members, or -1 if they are those of the
    /// counterpart.
    package var own: Int32

    /// The range of the section's items in ``items``.
    package var items: Range<Int32>
  }

  package private(set) var sections: [Sections] = []
  package private(set) var items: [Items] = []

  /// The content that the other list does not have. Has repeats if the list may have any.
  package private(set) var rest = Snapshot()

  init(sections: [Sections] = [], items: [Items] = [], rest: Snapshot = Snapshot()) {
    self.sections = sections
    self.items = items
    self.rest = rest
  }
}

extension EditStep {
  /// Creates one side of a comparison in terms of the other side: the old one if `toOld`.
  ///
  /// `matching` pairs the entries.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entries and listed sections of the comparison,
  ///   and the size of the texts that are copied.
  init(
    _ comparison: TreeComparison, _ matching: Matching, toOld: Bool, _ tree: borrowing ListTree
  ) {
    self.init()
    rest.arrangement.hasRepeats = !tree.repeats.isEmpty
    describe(comparison, matching, toOld: toOld, tree)
  }

  private mutating func describe(
    _ comparison: TreeComparison, _ matching: Matching, toOld: Bool, _ tree: ListTree
  ) {
    let side = toOld ? comparison.old : comparison.new
    let other = toOld ? comparison.new : comparison.old
    let partners = toOld ? matching.rowsToNew : matching.rowsToOld
    let sectionPartners = toOld ? matching.sectionsToNew : matching.sectionsToOld
    func traits(_ section: Int, ofOld: Bool) -> SectionTraits {
      ofOld ? tree.traitsBefore(section) : tree.sections[section].traits
    }
    // Growing step by step would take up to three times the memory.
    items.reserveCapacity(side.entries.count)
    var texts: [UInt8] = []
    func copy(_ payload: Payload) -> Payload {
      defer { texts.append(contentsOf: tree.bytes(of: payload)) }
      return Payload(start: texts.count, length: Int(payload.length), buffer: 0)
    }
    for (index, section) in side.sections.enumerated() {
      let partner = Int(sectionPartners[index])
      if !comparison.listsAll { keepSections(upTo: section.index) }
      var own = traits(section.section, ofOld: toOld)
      var listed = Section(
        other: partner < 0 ? -1 : Int32(truncatingIfNeeded: other.sections[partner].index),
        own: -1, items: 0..<0)
      if partner < 0 || traits(other.sections[partner].section, ofOld: !toOld) != own {
        listed.own = Int32(truncatingIfNeeded: rest.sections.count)
        own.own = copy(own.own)
        rest.sections.append(own)
        rest.arrangement.sections.append(tree.sections[section.section].key)
      }
      let first = Int32(truncatingIfNeeded: items.count)
      for entry in side.entries(ofSection: index) {
        let partner = Int(partners[entry])
        let record = side.entries[entry].record
        if partner >= 0, record.map({ $0.isSame(as: other.entries[partner].record) }) ?? true {
          keep(other.items(ofEntry: partner), since: first)
        } else if let record {
          add(record, copy(record.payload), tree, since: first)
        } else {
          // Unmodified items of a deleted section.
          for record in comparison.records(ofBlock: entry, inOldSection: index, tree) {
            add(record, copy(record.payload), tree, since: first)
          }
        }
      }
      listed.items = first..<Int32(truncatingIfNeeded: items.count)
      if listed.own < 0, isWhole(listed.items, other, partner) {
        items.removeSubrange(Int(first)...)
        keepSection(other.sections[partner].index)
      } else {
        sections.append(.changed(listed))
      }
    }
    if !comparison.listsAll { keepSections(upTo: tree.sectionCount) }
    rest.finishParts()
    if !texts.isEmpty { rest.buffers = [SharedBytes(copying: texts)] }
  }

  /// Reports whether items are exactly those of a section of the other list, in order.
  private func isWhole(
    _ listed: Range<Int32>, _ other: TreeComparison.Side, _ section: Int
  ) -> Bool {
    let entries = other.entries(ofSection: section)
    guard let first = entries.first, let last = entries.last else { return listed.isEmpty }
    guard listed.count == 1, case .kept(let range) = items[Int(listed.lowerBound)] else {
      return false
    }
    return Int(range.lowerBound) == other.items(ofEntry: first).lowerBound
      && Int(range.upperBound) == other.items(ofEntry: last).upperBound
  }

  private mutating func keepSection(_ index: Int) {
    let range = Int32(truncatingIfNeeded: index)..<Int32(truncatingIfNeeded: index + 1)
    if case .kept(let last) = sections.last, last.upperBound == range.lowerBound {
      sections[sections.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      sections.append(.kept(range))
    }
  }

  /// Keeps the sections after the last one, up to an index. Both lists have the same sections.
  private mutating func keepSections(upTo end: Int) {
    let next: Int32 =
      switch sections.last {
      case .kept(let range): range.upperBound
      case .changed(let section): section.other + 1
      case nil: 0
      }
    guard Int(next) < end else { return }
    let range = next..<Int32(truncatingIfNeeded: end)
    if case .kept(let last) = sections.last {
      sections[sections.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      sections.append(.kept(range))
    }
  }

  private mutating func keep(_ kept: Range<Int>, since first: Int32) {
    let range = Range<Int32>(kept)
    if items.count > first, case .kept(let last) = items[items.count - 1],
      last.upperBound == range.lowerBound
    {
      items[items.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      items.append(.kept(range))
    }
  }

  private mutating func add(
    _ record: ItemRecord, _ payload: Payload, _ tree: borrowing ListTree, since first: Int32
  ) {
    let item = Int32(truncatingIfNeeded: rest.payloads.count)
    var record = record
    record.key = tree.identity(of: record.key)
    record.payload = payload
    rest.append(record)
    if record.parts > 0 { rest.addParts(tree.parts[record.parts], ofItem: Int(item)) }
    if items.count > first, case .own(let last) = items[items.count - 1] {
      items[items.count - 1] = .own(last.lowerBound..<item + 1)
    } else {
      items.append(.own(item..<item + 1))
    }
  }
}

extension ItemRecord {
  /// Reports whether an item has the same text, template and traits, apart from the selection.
  func isSame(as other: ItemRecord?) -> Bool {
    guard let other else { return false }
    return payload == other.payload && template == other.template
      && traits.subtracting(.selected) == other.traits.subtracting(.selected)
  }
}

extension Snapshot {
  /// Appends an item, not selected and without parts. Its text is in a buffer of the snapshot.
  mutating func append(_ record: ItemRecord) {
    let hasTemplates = record.template != 0 || !templates.isEmpty
    if hasTemplates, templates.isEmpty {
      templates = Array(repeating: 0, count: payloads.count)
    }
    arrangement.rows.append(record.key)
    payloads.append(record.payload)
    traits.append(record.traits.subtracting(.selected))
    if hasTemplates { templates.append(record.template) }
  }
}

extension EditStep {
  /// Stops the program if an invariant is violated: the sections divide ``items`` in order, and each
  /// item and section of ``rest`` is used once, in order.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  func checkInvariants() {
    rest.checkRanges()
    var nextItems: Int32 = 0
    var nextOwn: Int32 = 0
    for case .changed(let section) in sections {
      precondition(section.items.lowerBound == nextItems, "the sections divide the items")
      nextItems = section.items.upperBound
      precondition(section.other >= 0 || section.own >= 0, "a section has own members")
      guard section.own >= 0 else { continue }
      precondition(section.own == nextOwn, "own members are in order")
      nextOwn += 1
    }
    precondition(Int(nextItems) == items.count, "each item is in a section")
    precondition(Int(nextOwn) == rest.sections.count, "all own members are used")
    var nextItem: Int32 = 0
    for case .own(let range) in items {
      precondition(range.lowerBound == nextItem && !range.isEmpty, "own items are in order")
      nextItem = range.upperBound
    }
    precondition(Int(nextItem) == rest.itemCount, "all own items are used")
  }
}

extension Snapshot {
  /// Stops the program if the content of a step has columns of different lengths, or texts outside
  /// of their buffers. Its sections do not contain its items.
  fileprivate func checkRanges() {
    precondition(arrangement.rows.count == itemCount, "each item has a key")
    precondition(traits.count == itemCount, "each item has traits")
    precondition(templates.isEmpty || templates.count == itemCount, "each item has a template")
    precondition(arrangement.sections.count == sections.count, "each section has a key")
    for payload in sections.map(\.own) + payloads {
      precondition(
        Int(payload.start) + Int(payload.length) <= buffers[Int(payload.buffer)].count,
        "a text is in its buffer")
    }
  }
}
