import ListDiff

import class JSONBytes.SharedBytes

/// A list in terms of another one: what both have as ranges of the other, and the rest by value.
///
/// It leads from a revision to the one before, or from the revision before to what an edit has made.
package struct EditStep: Sendable {
  /// Items that follow each other in a section.
  package enum Items: Sendable {
    /// Items of the other list, by their indices.
    case kept(Range<Int32>)
    /// Items of ``rest``, by their indices.
    case own(Range<Int32>)
  }

  /// Sections that follow each other.
  package enum Sections: Sendable {
    /// Sections of the other list as they are there, by their indices.
    case kept(Range<Int32>)
    case changed(Section)
  }

  /// A section that is not as it is in the other list.
  package struct Section: Sendable {
    /// The index of the same section in the other list, or -1.
    package var other: Int32

    /// The index in ``rest`` of the section's own members, or -1 if they are those of the other's.
    package var own: Int32

    /// The section's items, as indices in ``items``.
    package var items: Range<Int32>
  }

  package private(set) var sections: [Sections] = []
  package private(set) var items: [Items] = []

  /// What the other list does not have.
  package private(set) var rest = Snapshot()

  init(sections: [Sections] = [], items: [Items] = [], rest: Snapshot = Snapshot()) {
    self.sections = sections
    self.items = items
    self.rest = rest
  }
}

extension EditStep {
  /// One side of a comparison in terms of the other: the old one if it leads `toOld`.
  ///
  /// - Complexity: O(*k*), where *k* is the number of rows and listed sections of the comparison, and the
  ///   size of the texts that are copied.
  init(_ comparison: TreeComparison, _ matching: Matching, toOld: Bool, _ tree: ListTree) {
    self.init()
    let side = toOld ? comparison.old : comparison.new
    let other = toOld ? comparison.new : comparison.old
    let partners = toOld ? matching.rowsToNew : matching.rowsToOld
    let sectionPartners = toOld ? matching.sectionsToNew : matching.sectionsToOld
    func traits(_ section: Int, ofOld: Bool) -> SectionTraits {
      ofOld ? tree.traitsBefore(section) : tree.sections[section].traits
    }
    // To grow step by step would take up to three times the room.
    items.reserveCapacity(side.rows.count)
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
      for row in Int(side.starts[index])..<Int(side.starts[index + 1]) {
        let partner = Int(partners[row])
        let record = side.rows[row].record
        if partner >= 0, record.map({ $0.isSame(as: other.rows[partner].record) }) ?? true {
          keep(other.offsets[partner], side.rows[row].count, since: first)
        } else if let record {
          add(record, copy(record.payload), since: first)
        } else {
          // Untouched items of a section that was deleted.
          for record in comparison.records(ofBlock: row, inOldSection: index, tree) {
            add(record, copy(record.payload), since: first)
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
    if !texts.isEmpty { rest.buffers = [SharedBytes(copying: texts)] }
  }

  /// Whether items are exactly those of a section of the other list, in their order.
  private func isWhole(
    _ listed: Range<Int32>, _ other: TreeComparison.Side, _ section: Int
  ) -> Bool {
    let rows = Int(other.starts[section])..<Int(other.starts[section + 1])
    guard let first = rows.first, let last = rows.last else { return listed.isEmpty }
    guard listed.count == 1, case .kept(let range) = items[Int(listed.lowerBound)] else {
      return false
    }
    return Int(range.lowerBound) == other.offsets[first]
      && Int(range.upperBound) == other.offsets[last] + other.rows[last].count
  }

  private mutating func keepSection(_ index: Int) {
    let range = Int32(truncatingIfNeeded: index)..<Int32(truncatingIfNeeded: index + 1)
    if case .kept(let last) = sections.last, last.upperBound == range.lowerBound {
      sections[sections.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      sections.append(.kept(range))
    }
  }

  /// Keeps the sections behind the last one, up to an index, in lists with the same sections.
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

  private mutating func keep(_ item: Int, _ count: Int, since first: Int32) {
    let range = Int32(truncatingIfNeeded: item)..<Int32(truncatingIfNeeded: item + count)
    if items.count > first, case .kept(let last) = items[items.count - 1],
      last.upperBound == range.lowerBound
    {
      items[items.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      items.append(.kept(range))
    }
  }

  private mutating func add(_ record: ItemRecord, _ payload: Payload, since first: Int32) {
    let item = Int32(truncatingIfNeeded: rest.payloads.count)
    var record = record
    record.payload = payload
    rest.append(record)
    if items.count > first, case .own(let last) = items[items.count - 1] {
      items[items.count - 1] = .own(last.lowerBound..<item + 1)
    } else {
      items.append(.own(item..<item + 1))
    }
  }
}

extension ItemRecord {
  /// Whether an item is this one with the same text.
  func isSame(as other: ItemRecord?) -> Bool {
    guard let other else { return false }
    return payload == other.payload && template == other.template
      && traits.subtracting(.selected) == other.traits.subtracting(.selected)
  }
}

extension Snapshot {
  /// Adds an item whose text is in a buffer of the snapshot, not selected.
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
