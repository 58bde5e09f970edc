import ListDiff

/// A list in a form that can be edited: as pieces (``PieceTable``), or item by item
/// (``ItemBlocks``), which is faster for many edits.
protocol EditableList {
  associatedtype SectionID: Hashable

  /// The name of the list. A reference may name it as its source.
  var name: [UInt8] { get }

  var sources: [Snapshot] { get }

  /// The source with the new content of the edits.
  var newContentSource: Int { get }

  /// Items and sections to report as updated even if their content is unchanged.
  var forcedItems: [PieceTable.Handle: ContentChange] { get set }
  var forcedSections: [UInt32: ContentChange] { get set }

  // MARK: Items

  /// Returns for each key the number of items with it, and the first of them.
  func items(withKeys keys: ArraySlice<UInt32>, first limit: Int) -> [SameItems]

  /// Returns the item with a key that has `occurrence` items with the same key before it.
  func item(withKey key: UInt32, occurrence: Int) -> PieceTable.Handle?

  /// Returns the item at a section and row. Each item is a row unless it has parts.
  func item(section: Int, row: Int) -> PieceTable.Handle?

  /// Reports whether an item has not been removed.
  func contains(_ item: PieceTable.Handle) -> Bool

  /// Removes existing items.
  mutating func remove(_ items: [PieceTable.Handle])

  /// Replaces existing items with other items.
  mutating func replace(_ changes: [(old: PieceTable.Handle, new: PieceTable.Handle)])

  /// Inserts items before or after an existing item.
  mutating func insert(_ pieces: [PieceTable.Piece], at anchor: PieceTable.Handle, isAfter: Bool)
  mutating func append(_ pieces: [PieceTable.Piece], to section: SectionID)

  // MARK: Sections

  var lastSection: SectionID? { get }
  func section(withKey key: UInt32) -> SectionID?
  func key(of section: SectionID) -> UInt32
  mutating func insert(_ sections: EditContent, at position: SectionPosition<SectionID>)

  /// Removes sections with their items. `sections` has no duplicates.
  mutating func remove(_ sections: [SectionID])
  mutating func removeAll()

  /// Moves a section to a position that is not before or after itself.
  mutating func move(_ section: SectionID, to position: SectionPosition<SectionID>)

  /// Prepares for operations that depend on the order of items, after sections were moved.
  mutating func updateOrder()

  /// Replaces the own members of a section with those of a section of the new content.
  mutating func update(_ section: SectionID, from newSection: Int)
}

/// The items of a list that have the same key: their number, and the first of them.
struct SameItems {
  var count = 0
  var first: [PieceTable.Handle] = []
}

enum SectionPosition<SectionID> {
  case end
  case before(SectionID)
  case after(SectionID)
}

extension EditableList {
  func key(of item: PieceTable.Handle) -> UInt32 {
    sources[item.source].arrangement.rows[item.item]
  }
  func traits(of item: PieceTable.Handle) -> ItemTraits { sources[item.source].traits[item.item] }
}
