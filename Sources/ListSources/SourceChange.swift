import ListDiff

/// What happened to a source: to its items, its selection and its cursor.
public struct SourceChange<ItemID: Hashable & Sendable>: Sendable {
  /// The change of sections and items; empty if only the selection or the cursor changed.
  public var changes: Changes

  /// The items that were selected.
  public var newlySelected: Set<ItemID>

  /// The items that are not selected any more, those that were deleted included.
  public var deselected: Set<ItemID>

  /// The item that the cursor is at.
  public var cursor: ItemID?
}

/// How the items of a section are selected.
public enum SelectionMode: Hashable, Sendable {
  /// No item is selected.
  case none
  /// At most one item is selected, as of radio buttons; whether it can be deselected.
  case single(allowsEmpty: Bool)
  /// Any items are selected, as of check boxes.
  case multiple

  /// At most one item is selected, and can be deselected.
  public static var single: SelectionMode { .single(allowsEmpty: true) }
}

/// What is done with the selection of items that are named.
public enum SelectionAction: Hashable, Sendable {
  /// Selects them too.
  case select
  /// Deselects them.
  case deselect
  /// Selects those that are not selected, and deselects the others.
  case toggle
  /// Selects them and nothing else.
  case replace
}

/// An item is named that the source does not have.
public struct MissingItem<ItemID: Hashable & Sendable>: Error, Hashable {
  /// The item's id.
  public var item: ItemID

  /// Makes the error.
  public init(item: ItemID) { self.item = item }
}
