/// What tells items apart and whether they show the same.
///
/// A type and not two closures, so that code in other modules is made for it.
@usableFromInline
protocol ItemRule<Item> {
  associatedtype Item
  associatedtype ID: Hashable

  /// Whether items that are the same and not changed are equal.
  var keepsEqualItems: Bool { get }

  func id(_ item: Item) -> ID
  func isSame(_ old: Item, _ new: Item) -> Bool
}

/// Items know their identity themselves, and whether they are equal.
@frozen @usableFromInline
struct OwnRule<Item: Identifiable & Equatable>: ItemRule {
  @inlinable init() {}
  @inlinable var keepsEqualItems: Bool { true }
  @inlinable @inline(__always) func id(_ item: Item) -> Item.ID { item.id }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { old == new }
}

/// Items are their own identity: those that are equal are the same in all.
@frozen @usableFromInline
struct ValueRule<Item: Hashable>: ItemRule {
  @inlinable init() {}
  @inlinable var keepsEqualItems: Bool { true }
  @inlinable @inline(__always) func id(_ item: Item) -> Item { item }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { true }
}

/// Closures tell.
@frozen @usableFromInline
struct ClosureRule<Item, ID: Hashable>: ItemRule {
  @usableFromInline let tellID: (Item) -> ID
  @usableFromInline let areSame: (Item, Item) -> Bool

  @inlinable
  init(_ id: @escaping (Item) -> ID, _ areSame: @escaping (Item, Item) -> Bool) {
    tellID = id
    self.areSame = areSame
  }

  @inlinable var keepsEqualItems: Bool { false }
  @inlinable @inline(__always) func id(_ item: Item) -> ID { tellID(item) }
  @inlinable @inline(__always)
  func isSame(_ old: Item, _ new: Item) -> Bool { areSame(old, new) }
}
