import ListDiff

/// A list in a form that edits can be made of: as pieces (``Draft``), or item by item, for many edits
/// (``ItemBlocks``).
protocol EditableList {
  associatedtype SectionID: Hashable

  /// The name of the list, which a reference may give as its source.
  var name: [UInt8] { get }

  var sources: [Snapshot] { get }

  /// The source that has what the edits bring.
  var broughtSource: Int { get }

  /// What is to be told of kept items and sections even where their content stays.
  var touchedItems: [Draft.Handle: ContentChange] { get set }
  var touchedSections: [UInt32: ContentChange] { get set }

  // MARK: Items

  /// By key the number of items that have it, and the first ones of them.
  func items(withKeys keys: ArraySlice<UInt32>, first limit: Int) -> [SameItems]

  /// The item with a key that has a number of others before it.
  func item(withKey key: UInt32, occurrence: Int) -> Draft.Handle?

  /// The item at a place of a row; each item is a row unless it has parts.
  func item(section: Int, row: Int) -> Draft.Handle?

  /// Whether an item was not taken out.
  func contains(_ item: Draft.Handle) -> Bool

  /// Takes items out that are there.
  mutating func remove(_ items: [Draft.Handle])

  /// Puts other items in the places of items that are there.
  mutating func replace(_ changes: [(old: Draft.Handle, new: Draft.Handle)])

  /// Puts items in before or after an item that is there.
  mutating func insert(_ pieces: [Draft.Piece], at anchor: Draft.Handle, isAfter: Bool)
  mutating func append(_ pieces: [Draft.Piece], to section: SectionID)

  // MARK: Sections

  var lastSection: SectionID? { get }
  func section(withKey key: UInt32) -> SectionID?
  func key(of section: SectionID) -> UInt32
  mutating func insert(_ sections: Given, at place: SectionPlace<SectionID>)

  /// Takes sections out, each named once, with their items.
  mutating func remove(_ sections: [SectionID])
  mutating func removeAll()

  /// Moves a section, not to before or after itself.
  mutating func move(_ section: SectionID, to place: SectionPlace<SectionID>)

  /// Makes ready for what depends on the order of items, after sections were moved.
  mutating func settleOrder()

  /// Gives a section the members of one that the edits bring.
  mutating func update(_ section: SectionID, from brought: Int)
}

/// The items of a list that have the same key: how many there are, and the first ones.
struct SameItems {
  var count = 0
  var first: [Draft.Handle] = []
}

enum SectionPlace<SectionID> {
  case end
  case before(SectionID)
  case after(SectionID)
}

extension EditableList {
  func key(of item: Draft.Handle) -> UInt32 { sources[item.source].arrangement.rows[item.item] }
  func traits(of item: Draft.Handle) -> ItemTraits { sources[item.source].traits[item.item] }
}
