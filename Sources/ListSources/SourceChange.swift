import ListDiff

/// A change of a source: of its items, its selection or its cursor.
public struct SourceChange<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The change of sections and items.
  ///
  /// It is empty if only the selection or the cursor changed.
  public let list: ListChange<Section>

  /// The items that became selected.
  public let newlySelected: Set<ItemID>

  /// The items that are no longer selected, including deleted items.
  public let deselected: Set<ItemID>

  /// The item at the cursor, or `nil` if there is no cursor.
  public let cursor: ItemID?
}

extension SourceChange: Sendable where Section: Sendable, Section.Item: Sendable {}

/// The effect of a selection request on the given items.
public enum SelectionAction: Hashable, Sendable {
  /// Selects them in addition.
  case select
  /// Deselects them.
  case deselect
  /// Selects those that are not selected and deselects the others.
  case toggle
  /// Selects them and deselects all others.
  case replace
  /// Selects all items from the one that was selected or toggled last to the last of them, and
  /// deselects what the extension just before added, as a click with the shift key does.
  case extend
}

/// The error for an item that is not in the source.
public struct MissingItem<ItemID: Hashable & Sendable>: Error, Hashable {
  /// The id of the item.
  public var item: ItemID

  /// Creates the error.
  public init(item: ItemID) { self.item = item }
}
