/// An item of any type, for a list whose items have different types.
///
/// ```swift
/// let row = AnyItem(story)
/// ```
///
/// Items are the same if their types and their ids are, and equal if they are equal as values of their
/// type.
public struct AnyItem: Identifiable, Equatable, Sendable {
  /// The type and the id of an item.
  public struct ID: Hashable, Sendable {
    private let type: ObjectIdentifier
    private let base: any Hashable & Sendable

    fileprivate init<Item: Identifiable>(of item: Item) where Item.ID: Sendable {
      type = ObjectIdentifier(Item.self)
      base = item.id
    }

    /// Returns whether the types and the ids are equal.
    public static func == (a: ID, b: ID) -> Bool {
      a.type == b.type && isEqual(a.base, b.base)
    }

    /// Hashes the type and the id.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(base)
    }
  }

  /// The identity of the item.
  public let id: ID

  /// The item.
  public let base: any Equatable & Sendable

  /// Creates an item of its own type.
  public init<Item: Identifiable & Equatable & Sendable>(_ item: Item) where Item.ID: Sendable {
    id = ID(of: item)
    base = item
  }

  /// Returns whether the items have one type and are equal.
  public static func == (a: AnyItem, b: AnyItem) -> Bool { isEqual(a.base, b.base) }
}

private func isEqual<Value: Equatable>(_ value: Value, _ other: any Equatable) -> Bool {
  value == other as? Value
}
