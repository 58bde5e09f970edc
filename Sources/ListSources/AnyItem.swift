/// An item of any type, for a list whose items have different types.
///
/// ```swift
/// let row = AnyItem(story)
/// ```
///
/// Items are the same if their types and their ids are, and equal if they are equal as values of their
/// type. In a ``Composed`` list, the items of different sources are different.
public struct AnyItem: Identifiable, Equatable, Sendable {
  /// The type and the id of an item.
  public struct ID: Hashable, Sendable {
    private let type: ObjectIdentifier
    let base: any Hashable & Sendable

    /// The index of the source in a composed list.
    private(set) var source = 0

    init<Item: Identifiable>(of type: Item.Type, _ id: Item.ID, inSource source: Int)
    where Item.ID: Sendable {
      self.type = ObjectIdentifier(type)
      base = id
      self.source = source
    }

    /// The id of the same item in any source of a composed list.
    var withoutSource: ID {
      var id = self
      id.source = 0
      return id
    }

    /// Returns whether the types and the ids are equal.
    public static func == (a: ID, b: ID) -> Bool {
      a.type == b.type && a.source == b.source && isEqual(a.base, b.base)
    }

    /// Hashes the type and the id.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(source)
      hasher.combine(base)
    }
  }

  /// The identity of the item.
  public let id: ID

  /// The item.
  public let base: any Equatable & Sendable

  /// Creates an item of its own type.
  public init<Item: Identifiable & Equatable & Sendable>(_ item: Item) where Item.ID: Sendable {
    self.init(item, inSource: 0)
  }

  init<Item: Identifiable & Equatable & Sendable>(_ item: Item, inSource source: Int)
  where Item.ID: Sendable {
    id = ID(of: Item.self, item.id, inSource: source)
    base = item
  }

  /// Returns whether the items have one type and are equal.
  public static func == (a: AnyItem, b: AnyItem) -> Bool { isEqual(a.base, b.base) }
}

/// Returns whether a value equals another one, which may have another type.
func isEqual<Value: Equatable>(_ value: Value, _ other: any Equatable) -> Bool {
  value == other as? Value
}
