/// An item of a view's sources, as the rules of the view see it.
package struct ViewedItem {
  package var bytes: UnsafeRawBufferPointer

  /// The index of the source that it comes from.
  package var source: Int

  /// The number of its prepared text; -1 if the rules prepare none.
  package var text: Int32
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

/// What identifies equal values.
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

  /// How many items of a section that is the view's own may be selected.
  var selectionMode: SelectionMode { get }
  var allowsEmptySelection: Bool { get }

  /// Whether a text is prepared of each item of the sources.
  var preparesTexts: Bool { get }

  /// Whether the index of the source decides about the place of an item.
  var sortsBySource: Bool { get }

  /// Prepares the text of an item, and returns its number.
  mutating func addText(of item: UnsafeRawBufferPointer) -> Int32

  /// Forgets a text.
  mutating func removeText(_ text: Int32)

  /// Whether an item satisfies the condition and matches.
  func accepts(_ item: ViewedItem) -> Bool

  /// Whether the view has only the first item of each value of a member.
  var isDistinct: Bool { get }

  /// The value by which an item is distinct; `nil` if it has none and is always there.
  func distinctValue(of item: UnsafeRawBufferPointer) -> GroupID?

  /// Calls a closure with the identifier that an item of an outline names as its parent, `nil` if it names
  /// none, and whether it is lazy.
  func withLink<Result>(
    of item: UnsafeRawBufferPointer,
    _ body: ((kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Result
  ) -> Result

  /// Returns the index of the first of some sorted items that an item precedes.
  ///
  /// `isBehind` says whether the item is behind another one in the sources, which decides between items
  /// that compare equal.
  ///
  /// - Complexity: O(*b* log *n*), where *b* is the size of an item and *n* the number of items.
  func index(
    for item: ViewedItem, among count: Int, _ other: (Int) -> ViewedItem, isBehind: (Int) -> Bool
  ) -> Int

  /// The group of an item, if the view divides items so.
  func group(of item: UnsafeRawBufferPointer) -> GroupID

  /// The object that describes a group of so many items, of which the first is given.
  func members(
    of group: GroupID, first: UnsafeRawBufferPointer, count: Int
  ) -> [UInt8]

  /// What was prepared, with the number of the text by item of the sources.
  func memory(texts: [Int32]) -> (any ViewMemory)?
}
