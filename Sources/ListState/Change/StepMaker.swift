import ListDiff

/// A step in the making, which gets its sections and their items in order.
protocol StepContent {
  /// Adds sections that are equal in the other list, by their indices there.
  mutating func keepSections(_ range: Range<Int32>)

  /// Begins a section that differs from its counterpart, the section `other` of the other list, or -1
  /// if there is none. `own` are its own members if they are not those of the counterpart.
  mutating func beginSection(
    other: Int32, own: (key: UInt32, traits: SectionTraits, text: UnsafeRawBufferPointer)?)

  /// Adds items of the other list, by their indices there, to the section.
  mutating func keepItems(_ range: Range<Int32>)

  /// Adds items of the other list, by index, to the section.
  mutating func keepItems(_ kept: Span<Int32>)

  /// Adds an item with the key of its identity, and its parts, whose texts start relative to its own;
  /// `nil` if the item is a row.
  mutating func addItem(_ record: ItemRecord, _ text: UnsafeRawBufferPointer, _ parts: [Part]?)

  /// Ends the section.
  mutating func endSection()
}

extension StepContent {
  mutating func keepItems(_ kept: Span<Int32>) {
    var first = 0
    for end in 1...kept.count where end == kept.count || kept[end] != kept[end - 1] + 1 {
      keepItems(kept[first]..<kept[end - 1] + 1)
      first = end
    }
  }
}

/// Describes one side of a comparison in terms of the other side.
struct StepMaker<Content: StepContent> {
  private(set) var content: Content

  /// Sections and items that are kept and not yet in the content, because the next ones may follow
  /// them.
  private var keptSections: Range<Int32>?
  private var keptItems: Range<Int32>?

  /// The end in the other list of the last section.
  private var end: Int32 = 0

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
    for (index, section) in side.sections.enumerated() {
      let partner = Int(sectionPartners[index])
      let counterpart = partner < 0 ? -1 : other.sections[partner].index
      if !comparison.listsAll { keepSections(upTo: section.index) }
      let own = traits(section.section, ofOld: toOld)
      var isBegun = false
      /// Begins the section if it is known to differ from its counterpart.
      func begin(_ maker: inout Self, _ own: SectionTraits? = nil) {
        if isBegun { return }
        isBegun = true
        maker.begin(
          counterpart,
          own.map { (tree.sections[section.section].key, $0, tree.bytes(of: $0.own)) })
      }
      if partner < 0 || traits(other.sections[partner].section, ofOld: !toOld) != own {
        begin(&self, own)
      }
      for entry in side.entries(ofSection: index) {
        let partner = Int(partners[entry])
        let record = side.entries[entry].record
        if partner >= 0, record.map({ $0.isSame(as: other.entries[partner].record) }) ?? true {
          let range = Range<Int32>(other.items(ofEntry: partner))
          if let keptItems, keptItems.upperBound != range.lowerBound { begin(&self) }
          keep(range)
          continue
        }
        begin(&self)
        if let record {
          add(record, tree)
        } else {
          // Unmodified items of a deleted section.
          for record in comparison.records(ofBlock: entry, inOldSection: index, tree) {
            add(record, tree)
          }
        }
      }
      if !isBegun, isWhole(other, partner) {
        keptItems = nil
        keepSections(
          Int32(truncatingIfNeeded: counterpart), Int32(truncatingIfNeeded: section.count))
      } else {
        begin(&self)
        addKeptItems()
        content.endSection()
      }
    }
    if !comparison.listsAll { keepSections(upTo: tree.sectionCount) }
    addKeptSections()
  }

  /// Reports whether the items of a section that is not begun yet are exactly those of a section of
  /// the other list, in order.
  private func isWhole(_ other: TreeComparison.Side, _ section: Int) -> Bool {
    let entries = other.entries(ofSection: section)
    guard let first = entries.first, let last = entries.last else { return keptItems == nil }
    let items = other.items(ofEntry: first).lowerBound..<other.items(ofEntry: last).upperBound
    return keptItems == Range<Int32>(items)
  }

  // MARK: Sections

  private mutating func begin(
    _ counterpart: Int, _ own: (key: UInt32, traits: SectionTraits, text: UnsafeRawBufferPointer)?
  ) {
    addKeptSections()
    end = Int32(truncatingIfNeeded: counterpart) + 1
    content.beginSection(other: Int32(truncatingIfNeeded: counterpart), own: own)
  }

  private mutating func keepSections(_ first: Int32, _ count: Int32) {
    if let kept = keptSections, kept.upperBound == first {
      keptSections = kept.lowerBound..<first + count
    } else {
      addKeptSections()
      keptSections = first..<first + count
    }
    end = first + count
  }

  /// Keeps the sections after the last one, up to an index. Both lists have the same sections.
  private mutating func keepSections(upTo limit: Int) {
    let limit = Int32(truncatingIfNeeded: limit)
    if end < limit { keepSections(end, limit - end) }
  }

  private mutating func addKeptSections() {
    if let kept = keptSections.take() { content.keepSections(kept) }
  }

  // MARK: Items

  private mutating func keep(_ range: Range<Int32>) {
    if let kept = keptItems, kept.upperBound == range.lowerBound {
      keptItems = kept.lowerBound..<range.upperBound
    } else {
      addKeptItems()
      keptItems = range
    }
  }

  private mutating func addKeptItems() {
    if let kept = keptItems.take() { content.keepItems(kept) }
  }

  private mutating func add(_ record: ItemRecord, _ tree: borrowing ListTree) {
    addKeptItems()
    var own = record
    own.key = tree.identity(of: record.key)
    content.addItem(
      own, tree.bytes(of: record.payload), record.parts > 0 ? tree.parts[record.parts] : nil)
  }
}
