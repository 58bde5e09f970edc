/// What tells items apart and whether they show the same.
///
/// A type and not two closures, so that code in other modules is made for it.
@usableFromInline
protocol ItemRule<Item> {
  associatedtype Item
  associatedtype ID: Hashable

  func id(_ item: Item) -> ID
  func isSame(_ old: Item, _ new: Item) -> Bool
}

/// Items know their identity themselves, and whether they are equal.
@usableFromInline
struct OwnRule<Item: Identifiable & Equatable>: ItemRule {
  @inlinable init() {}
  @inlinable @inline(__always) func id(_ item: Item) -> Item.ID { item.id }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { old == new }
}

/// The identity is at a key path.
@usableFromInline
struct KeyPathRule<Item: Equatable, ID: Hashable>: ItemRule {
  @usableFromInline let path: KeyPath<Item, ID>
  @inlinable init(_ path: KeyPath<Item, ID>) { self.path = path }
  @inlinable @inline(__always) func id(_ item: Item) -> ID { item[keyPath: path] }
  @inlinable @inline(__always) func isSame(_ old: Item, _ new: Item) -> Bool { old == new }
}

/// Closures tell.
@usableFromInline
struct ClosureRule<Item, ID: Hashable>: ItemRule {
  @usableFromInline let tellID: (Item) -> ID
  @usableFromInline let areSame: (Item, Item) -> Bool

  @inlinable
  init(_ id: @escaping (Item) -> ID, _ areSame: @escaping (Item, Item) -> Bool) {
    tellID = id
    self.areSame = areSame
  }

  @inlinable @inline(__always) func id(_ item: Item) -> ID { tellID(item) }
  @inlinable @inline(__always)
  func isSame(_ old: Item, _ new: Item) -> Bool { areSame(old, new) }
}
