import ListDiff

/// One edit of a snapshot, by identifier.
package enum Edit: Sendable {
  /// New items at the end of a section, or of the last one.
  case appendItems(Snapshot, section: SectionReference?)
  case insertItems(Snapshot, AnchoredItem)
  case deleteItems([ItemReference])
  case moveItems([ItemReference], AnchoredItem)
  case moveItemsToSection([ItemReference], SectionReference)
  /// New content for items that are there.
  case updateItems(Snapshot)
  /// New content for the items that are there; the others are appended.
  case putItems(Snapshot, section: SectionReference?)
  case touchItems([ItemReference], ContentChange)
  case appendSections(Snapshot)
  case insertSections(Snapshot, AnchoredSection)
  case deleteSections([SectionReference])
  case moveSection(SectionReference, AnchoredSection)
  /// New own members for sections that are there.
  case updateSections(Snapshot)
  case touchSections([SectionReference], ContentChange)
  case deleteAllItems
}

extension Edit {
  /// What the edit brings.
  var given: Snapshot? {
    switch self {
    case .appendItems(let given, _), .insertItems(let given, _), .updateItems(let given),
      .putItems(let given, _), .appendSections(let given), .insertSections(let given, _),
      .updateSections(let given):
      given
    default: nil
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
  /// A path's revision is not kept or never was.
  case revisionNotFound(Int, oldest: Int, current: Int)
}
