import ListDiff
internal import SumTrees

/// Which items of a list are in another one that follows it, in which of its sections, and in which
/// order.
///
/// Items with equal places in the order are in the order of the list that is followed. In complexities, *n*
/// is the number of its items and *s* the number of sections.
struct Projection<Base: ListSection, Section: ListSection>
where
  Base.Item: Identifiable, Base.Item.ID: Sendable, Base.ID: Sendable, Section.Item == Base.Item,
  Section.ID: Sendable
{
  typealias Item = Base.Item

  /// The sections of the list that follows.
  enum Sections {
    /// All sections of the list that is followed, in its order.
    case all((Base) -> Section)
    /// Those that have items, in the order of their first items in the list that is followed; made for an
    /// item of a section there.
    case ofItems((Section.ID, Base) -> Section)
  }

  /// Returns the section of an item, given its section in the list that is followed, or `nil` if the item
  /// is left out.
  var section: (Item, Base.ID) -> Section.ID?

  /// The order of the items of a section; `nil` if it is that of the list that is followed.
  var order: ItemOrder<Item>?

  var sections: Sections

  /// The indices, in the list that is followed, of the items that are not left out; `nil` if all are.
  var range: Range<Int>?

  /// The items that the list has if it is made anew; `nil` if all may be in it.
  var candidates: [Item.ID]?

  /// How far the list was followed; `nil` if all is evaluated anew.
  var followed: ChangeLog<Item.ID>.Position?

  /// Makes a tree follow a list, or, if `anyway`, another range of it. Returns whether it may have changed.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that have changed, and O(*s* log *s*)
  ///   if sections have; O(*n* log *n*) if much has changed.
  mutating func follow(
    _ base: ItemTree<Base>, _ tree: inout ItemTree<Section>, anyway: Bool = false
  ) -> Bool {
    let end = base.log.end
    if followed == end, !anyway { return false }
    defer { followed = end }
    if let followed, let items = changedItems(of: base) {
      let items = range.map { edges(of: tree, besides: items, $0, base) } ?? items
      follow(items, sectionsChanged: !followed.hasSameSections(as: end), base, &tree)
    } else {
      tree.replace(with: ItemTree(list(of: base), records: false))
    }
    return true
  }

  /// Returns the items that have changed, or `nil` if the list that follows is to be made anew.
  func changedItems(of base: ItemTree<Base>) -> [Item.ID]? {
    guard let followed, followed.hasSameOrder(as: base.log.end) || keepsSections else { return nil }
    return base.log.items(since: followed, atMost: 64 + base.itemCount / 16)
  }

  private var keepsSections: Bool {
    if case .all = sections { return true }
    return false
  }

  /// Returns the sections with their items.
  func list(of base: ItemTree<Base>) -> [Section] {
    var list: [Section] = []
    var indices: [Section.ID: Int] = [:]
    func add(_ item: Item, _ listed: Base) {
      guard let id = section(item, listed.id) else { return }
      if let index = indices[id] {
        list[index].items.append(item)
      } else if case .ofItems(let make) = sections {
        indices[id] = list.count
        list.append(make(id, listed))
        list[list.count - 1].items.append(item)
      }
    }
    if case .all(let make) = sections {
      for number in base.sectionsInOrder {
        guard let made = base.sections[number].map(make) else { continue }
        indices[made.id] = list.count
        list.append(made)
      }
    }
    if let candidates, candidates.count < base.itemCount / 8 {
      let places = candidates.compactMap { base.location(of: $0) }.map { base.place(of: $0) }
      for place in places.sorted() {
        guard let listed = base.sections[place.section] else { continue }
        add(base.leaves[place.location.leaf].items[place.location.index], listed)
      }
    } else {
      base.forEachItem(in: range ?? 0..<base.itemCount, add)
    }
    if let order { for index in list.indices { order.sort(&list[index].items) } }
    return list
  }
}

/// An order of items, in which several may have the same place.
///
/// Closures that are made in the code of a caller are specialized for its types.
@usableFromInline struct ItemOrder<Item> {
  /// Returns whether an item is before another one.
  @usableFromInline var precedes: (Item, Item) -> Bool

  /// Sorts items, and keeps the order of those with the same place.
  @usableFromInline var sort: (inout [Item]) -> Void

  @usableFromInline
  init(precedes: @escaping (Item, Item) -> Bool, sort: @escaping (inout [Item]) -> Void) {
    self.precedes = precedes
    self.sort = sort
  }

  /// Creates the order in which `precedes` is true for items that are before others.
  @_alwaysEmitIntoClient
  init(_ precedes: @escaping (Item, Item) -> Bool) {
    self.init(precedes: precedes, sort: { $0.sort(by: precedes) })
  }

  /// Creates the order of the keys of items.
  ///
  /// To sort *n* items, *n* keys are made.
  @_alwaysEmitIntoClient
  init<Key>(by key: @escaping (Item) -> Key, _ precedes: @escaping (Key, Key) -> Bool) {
    self.init(
      precedes: { precedes(key($0), key($1)) },
      sort: { items in
        let keys = items.map(key)
        let order = keys.indices.sorted { precedes(keys[$0], keys[$1]) }
        items = order.map { items[$0] }
      })
  }
}
