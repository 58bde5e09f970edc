import ListDiff

/// The content of a step that the other list does not have, as it is added in order.
protocol StepContent {
  /// The number of sections whose own members were added, and of items.
  var sectionCount: Int { get }
  var itemCount: Int { get }

  /// Adds the own members of a section.
  mutating func addSection(_ key: UInt32, _ traits: SectionTraits, _ own: UnsafeRawBufferPointer)

  /// Adds an item with the key of its identity, and its parts, whose texts start relative to its own;
  /// `nil` if the item is a row.
  mutating func addItem(_ record: ItemRecord, _ text: UnsafeRawBufferPointer, _ parts: [Part]?)
}

/// A step from the tree of a list in the making.
struct StepMaker<Content: StepContent> {
  private(set) var sections: [EditStep.Sections] = []
  private(set) var items: [EditStep.Items] = []
  private(set) var content: Content

  /// Creates an empty step.
  init(_ content: Content) { self.content = content }
}

extension StepMaker {
  /// Describes one side of a comparison in terms of the other side: the old one if `toOld`.
  ///
  /// `matching` pairs the entries.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entries and listed sections of the comparison,
  ///   and the size of the texts.
  mutating func describe(
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
    for (index, section) in side.sections.enumerated() {
      let partner = Int(sectionPartners[index])
      if !comparison.listsAll { keepSections(upTo: section.index) }
      let own = traits(section.section, ofOld: toOld)
      var listed = EditStep.Section(
        other: partner < 0 ? -1 : Int32(truncatingIfNeeded: other.sections[partner].index),
        own: -1, items: 0..<0)
      if partner < 0 || traits(other.sections[partner].section, ofOld: !toOld) != own {
        listed.own = Int32(truncatingIfNeeded: content.sectionCount)
        content.addSection(tree.sections[section.section].key, own, tree.bytes(of: own.own))
      }
      let first = Int32(truncatingIfNeeded: items.count)
      for entry in side.entries(ofSection: index) {
        let partner = Int(partners[entry])
        let record = side.entries[entry].record
        if partner >= 0, record.map({ $0.isSame(as: other.entries[partner].record) }) ?? true {
          keep(other.items(ofEntry: partner), since: first)
        } else if let record {
          add(record, tree, since: first)
        } else {
          // Unmodified items of a deleted section.
          for record in comparison.records(ofBlock: entry, inOldSection: index, tree) {
            add(record, tree, since: first)
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

  private mutating func add(_ record: ItemRecord, _ tree: borrowing ListTree, since first: Int32) {
    let item = Int32(truncatingIfNeeded: content.itemCount)
    var own = record
    own.key = tree.identity(of: record.key)
    content.addItem(
      own, tree.bytes(of: record.payload), record.parts > 0 ? tree.parts[record.parts] : nil)
    if items.count > first, case .own(let last) = items[items.count - 1] {
      items[items.count - 1] = .own(last.lowerBound..<item + 1)
    } else {
      items.append(.own(item..<item + 1))
    }
  }
}
