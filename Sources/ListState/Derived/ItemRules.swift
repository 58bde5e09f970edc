/// An item of a view's sources, as it is passed to the rules of the view.
package struct ViewedItem {
  package var bytes: UnsafeRawBufferPointer

  /// The index of the source that it comes from.
  package var source: Int

  /// The number of its prepared text; -1 if the rules prepare none.
  package var text: Int32

  /// How well it or its best descendant matches, if the view is an outline sorted by that; else `nil`.
  package var rank: ItemRank?
}

/// How well an item matches.
package struct ItemRank: Comparable, Sendable {
  package var score: Int32 = 0
  package var length: Int32 = 0

  /// The rank of an item that does not match.
  package static let none = ItemRank(score: .min, length: 0)

  package init(score: Int32 = 0, length: Int32 = 0) {
    self.score = score
    self.length = length
  }

  /// Returns whether an item matches worse than another one: it has the lower score or, with the same score,
  /// the greater length.
  package static func < (a: ItemRank, b: ItemRank) -> Bool {
    (a.score, b.length) < (b.score, a.length)
  }
}

/// How a view divides its items into sections.
package enum ViewDivision: Sendable {
  /// As the sources do.
  case keep

  /// Into one section, which is described by an object with its members.
  case merge(id: [UInt8], members: [UInt8])

  /// By a value of each item.
  case groups
}

/// The identity of a value: equal values have equal identities.
package struct GroupID: Hashable, Sendable {
  package var kind: IDKind
  package var bytes: [UInt8]

  package init(_ kind: IDKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}

/// The rules of a view, applied to one item at a time.
package protocol ItemRules: Sendable {
  var division: ViewDivision { get }

  /// The selection mode of the view's own sections.
  var selectionMode: SelectionMode { get }
  var allowsEmptySelection: Bool { get }

  /// Whether the rules prepare a text of each item of the sources.
  var preparesTexts: Bool { get }

  /// Whether items are sorted by the index of their source.
  var sortsBySource: Bool { get }

  /// For each item removes its old text, given by its number, and prepares the new one. Returns the numbers
  /// of the new texts.
  mutating func replaceTexts(
    _ items: [(old: Int32?, new: UnsafeRawBufferPointer?)]
  ) -> [Int32?]

  /// Whether items match a query better or worse.
  var ranksItems: Bool { get }

  /// Notes how well an item matches, until its text is removed, so that it is matched only once.
  mutating func noteRank(of item: ViewedItem)

  /// Whether items are sorted by how well they match.
  var sortsByRank: Bool { get }

  /// Whether the first of some sorted items always has the best rank.
  var sortsBestFirst: Bool { get }

  /// Returns how well an item matches, or `nil` if it does not.
  func rank(of item: ViewedItem) -> ItemRank?

  /// Returns whether an item satisfies the condition and matches.
  func accepts(_ item: ViewedItem) -> Bool

  /// Whether the view has only the first item of each value of a member.
  var isDistinct: Bool { get }

  /// Returns the value by which an item is distinct; `nil` if it has none and is always kept.
  func distinctValue(of item: UnsafeRawBufferPointer) -> GroupID?

  /// Calls a closure with the identifier that an item of an outline names as its parent (`nil` if
  /// it names none) and with whether the item is lazy.
  func withLink<Result>(
    of item: UnsafeRawBufferPointer,
    _ body: ((kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Result
  ) -> Result

  /// Returns bytes that compare as the view sorts items. Items with equal bytes are in the order of the
  /// sources.
  func sortKey(of item: ViewedItem) -> [UInt8]

  /// Returns the index, among some sorted items, of the first one that the item with a sort key precedes.
  ///
  /// `isBehind` returns whether the item follows another one in the sources.
  ///
  /// - Complexity: O(*b* log *n*), where *b* is the size of an item and *n* the number of items.
  func index(
    ofSortKey key: [UInt8], among items: Range<Int>, _ other: (Int) -> ViewedItem,
    isBehind: (Int) -> Bool
  ) -> Int

  /// Returns the group of an item, if the view divides its items into groups.
  func group(of item: UnsafeRawBufferPointer) -> GroupID

  /// Returns the object that describes a group of `count` items, given its first item.
  func members(
    of group: GroupID, first: UnsafeRawBufferPointer, count: Int
  ) -> [UInt8]

  /// Returns the prepared texts, given the number of the text of each of `count` items of the sources;
  /// an empty array if it is the index of the item.
  func memory(texts: [Int32], count: Int) -> (any ViewMemory)?
}
