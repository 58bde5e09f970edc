import ListDiff

/// The edits of a request, in order.
package struct Edits: Sendable {
  package var edits: [Edit]

  /// All that the edits bring, of which each names a range.
  package var brought: Snapshot

  package init(_ edits: [Edit] = [], bringing brought: Snapshot = Snapshot()) {
    self.edits = edits
    self.brought = brought
  }
}

/// The items or the sections that an edit brings, as ranges of what the request's edits bring.
package struct Given: Hashable, Sendable {
  package var items: Range<Int>
  package var sections: Range<Int>

  /// Whether an identifier that is a promise occurs twice in them.
  package var hasDuplicates: Bool

  package init(items: Range<Int>, sections: Range<Int>, hasDuplicates: Bool = false) {
    self.items = items
    self.sections = sections
    self.hasDuplicates = hasDuplicates
  }
}

/// One edit of a snapshot, by identifier.
package enum Edit: Sendable {
  /// New items at the end of a section, or of the last one.
  case appendItems(Given, section: SectionReference?)
  case insertItems(Given, AnchoredItem)
  case deleteItems([ItemReference])
  case moveItems([ItemReference], AnchoredItem)
  case moveItemsToSection([ItemReference], SectionReference)
  /// New content for items that are there.
  case updateItems(Given)
  /// New content for the items that are there; the others are appended.
  case putItems(Given, section: SectionReference?)
  case touchItems([ItemReference], ContentChange)
  case appendSections(Given)
  case insertSections(Given, AnchoredSection)
  case deleteSections([SectionReference])
  case moveSection(SectionReference, AnchoredSection)
  /// New own members for sections that are there.
  case updateSections(Given)
  case touchSections([SectionReference], ContentChange)
  case deleteAllItems
  /// What is shown of an outline, which no ordinary list is.
  case outline(OutlineEdit)
}

extension Edit {
  /// What the edit brings.
  var given: Given? {
    switch self {
    case .appendItems(let given, _), .insertItems(let given, _), .updateItems(let given),
      .putItems(let given, _), .appendSections(let given), .insertSections(let given, _),
      .updateSections(let given):
      given
    default: nil
    }
  }

  /// The number of items and sections that the edit names or brings.
  var size: Int {
    switch self {
    case .deleteItems(let items), .touchItems(let items, _): items.count
    case .moveItems(let items, _), .moveItemsToSection(let items, _): items.count + 1
    case .deleteSections(let sections), .touchSections(let sections, _): sections.count
    case .moveSection: 2
    case .deleteAllItems: 1
    case .outline(let edit): edit.items.count
    default: given.map { $0.items.count + $0.sections.count } ?? 0
    }
  }
}

/// A section that a request names; the key is `nil` where no list has the identifier.
package struct SectionReference: Hashable, Sendable {
  package var key: UInt32?

  package init(key: UInt32?) { self.key = key }
}

/// The place before or after an item.
package struct AnchoredItem: Hashable, Sendable {
  package var item: ItemReference
  package var isAfter: Bool

  package init(item: ItemReference, isAfter: Bool) {
    self.item = item
    self.isAfter = isAfter
  }
}

/// The place before or after a section.
package struct AnchoredSection: Hashable, Sendable {
  package var section: SectionReference
  package var isAfter: Bool

  package init(section: SectionReference, isAfter: Bool) {
    self.section = section
    self.isAfter = isAfter
  }
}

/// Why an edit cannot be made.
package enum EditFailure: Error, Hashable, Sendable {
  /// Items of the edit's references are missing, by their places, or the one that something is to
  /// go before or after.
  case itemsNotFound([Int], anchor: Bool = false)
  /// Items that the edit gives are not there to be updated, by their places.
  case givenItemsNotFound([Int])
  /// Sections of the edit's references are missing, by their places, or the one that something is to
  /// go before or after.
  case sectionsNotFound([Int], anchor: Bool = false)
  /// The edit names no section, and the list has none.
  case noSection
  /// Items and sections that the edit brings in are there already, by their places, or it brings
  /// some twice.
  case duplicates(items: [Int], sections: [Int] = [])
  /// Something is to go before or after itself.
  case anchoredToItself
  /// The edit is of an outline.
  case ofOutline
  /// A path's revision is not kept or never was.
  case revisionNotFound(Int, oldest: Int, current: Int)
}
