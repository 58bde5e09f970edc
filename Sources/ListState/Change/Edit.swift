import ByteBuffers
import ListDiff
import ListStages

/// The edits of a request, in order.
package struct Edits: Sendable {
  package var edits: [Edit]

  /// The new content of all edits. Each edit names ranges of it.
  package var newContent: Snapshot

  /// The section to which items are appended if the list has none; `nil` if that is a failure.
  package var main: MainSection?

  package init(
    _ edits: [Edit] = [], newContent: Snapshot = Snapshot(), main: MainSection? = nil
  ) {
    self.edits = edits
    self.newContent = newContent
    self.main = main
  }
}

/// The section of items that are not in sections.
package struct MainSection: Sendable {
  package var key: UInt32

  /// Its own members.
  package var own: SharedBytes

  package init(key: UInt32, own: SharedBytes) {
    self.key = key
    self.own = own
  }
}

/// The new items or sections of an edit, as ranges of the new content of the request's edits.
package struct EditContent: Hashable, Sendable {
  package var items: Range<Int>
  package var sections: Range<Int>

  /// Whether the ranges contain an explicit identifier twice.
  package var hasDuplicates: Bool

  package init(items: Range<Int>, sections: Range<Int>, hasDuplicates: Bool = false) {
    self.items = items
    self.sections = sections
    self.hasDuplicates = hasDuplicates
  }
}

/// One edit of a snapshot, in terms of identifiers.
package enum Edit: Sendable {
  /// Appends new items to a section, or to the last one. If there is none, makes the section `main`.
  case appendItems(EditContent, section: SectionReference?)
  case insertItems(EditContent, AnchoredItem)
  case deleteItems([ItemReference])
  case moveItems([ItemReference], AnchoredItem)
  case moveItemsToSection([ItemReference], SectionReference)
  /// Replaces the content of existing items.
  case updateItems(EditContent)
  /// Replaces the content of existing items and appends the others.
  case putItems(EditContent, section: SectionReference?)
  case touchItems([ItemReference], ContentChange)
  case appendSections(EditContent)
  case insertSections(EditContent, AnchoredSection)
  case deleteSections([SectionReference])
  case moveSection(SectionReference, AnchoredSection)
  /// Replaces the own members of existing sections.
  case updateSections(EditContent)
  case touchSections([SectionReference], ContentChange)
  case deleteAllItems
  /// Changes what an outline shows. An ordinary list has no outline.
  case outline(OutlineEdit)
}

extension Edit {
  /// The new content of the edit.
  var given: EditContent? {
    switch self {
    case .appendItems(let given, _), .insertItems(let given, _), .updateItems(let given),
      .putItems(let given, _), .appendSections(let given), .insertSections(let given, _),
      .updateSections(let given):
      given
    default: nil
    }
  }

  /// The number of items and sections that the edit names or supplies.
  package var size: Int {
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

/// A section that a request names. The key is `nil` if no list has the identifier.
package struct SectionReference: Hashable, Sendable {
  package var key: UInt32?

  package init(key: UInt32?) { self.key = key }
}

/// The position before or after an item.
package struct AnchoredItem: Hashable, Sendable {
  package var item: ItemReference
  package var isAfter: Bool

  package init(item: ItemReference, isAfter: Bool) {
    self.item = item
    self.isAfter = isAfter
  }
}

/// The position before or after a section.
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
  /// Items that the edit refers to do not exist, by the indices of their references. `anchor`: the
  /// item that the edit inserts or moves items beside does not exist.
  case itemsNotFound([Int], anchor: Bool = false)
  /// Items that the edit updates do not exist, by their indices in the edit's items.
  case givenItemsNotFound([Int])
  /// Sections that the edit refers to do not exist, by the indices of their references. `anchor`:
  /// the section that the edit inserts or moves sections beside does not exist.
  case sectionsNotFound([Int], anchor: Bool = false)
  /// Items and sections that the edit inserts exist already, by their indices in the edit, or the
  /// edit contains duplicates.
  case duplicates(items: [Int], sections: [Int] = [])
  /// The anchor of the edit is one of the items or sections that it inserts or moves.
  case anchoredToItself
  /// The edit is an outline edit, and the list has no outline.
  case ofOutline
  /// The revision of a path is not kept or never existed.
  case revisionNotFound(Int, oldest: Int, current: Int)
}
