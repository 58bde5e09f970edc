/// Defines the identity of items and when their content is the same.
///
/// A type instead of two closures, so that the compiler specializes the algorithm for it in other
/// modules.
@usableFromInline
protocol ItemRule<Item> {
  associatedtype Item
  associatedtype ID: Hashable

  func id(_ item: Item) -> ID
  func isSame(_ old: Item, _ new: Item) -> Bool
}

/// A rule for items that are `Identifiable` and `Equatable`.
@frozen @usableFromInline
struct IdentifiableRule<Item: Identifiable & Equatable>: ItemRule {
  @_alwaysEmitIntoClient init() {}
  @inlinable @inline(__always) func id(_ item: Item) -> Item.ID { item.id }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { old == new }
}

/// A rule for values that are their own identity, so that their content never changes.
@frozen @usableFromInline
struct ValueRule<Item: Hashable>: ItemRule {
  @_alwaysEmitIntoClient init() {}
  @inlinable @inline(__always) func id(_ item: Item) -> Item { item }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { true }
}
