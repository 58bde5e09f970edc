import ListDiff
internal import SumTrees

/// The children of each item of a list, in the order of the list, by which the rows of an outline are found.
///
/// The children of an item are a section of a tree. Nothing here is recursive, because all items may be one
/// chain. In complexities, *d* is the depth of the tree.
struct OutlineForest<Base: ListSection>
where Base.Item: Identifiable, Base.Item.ID: Sendable, Base.ID: Sendable {
  typealias Item = Base.Item
  typealias ItemID = Base.Item.ID
  typealias Row = OutlineRow<Item>
  typealias Rows = ItemTree<OutlineSection<Base, Row>>

  /// What items are below: a section, or an item.
  enum Parent: Hashable, Sendable {
    case section(Base.ID)
    case item(ItemID)
  }

  typealias Siblings = Changes.Section<Parent, Item>

  let parent: (Item) -> ItemID?

  /// How far the list was followed; `nil` if all is evaluated anew.
  var followed: ChangeLog<ItemID>.Position?

  var siblings = ItemTree<Siblings>(records: false)

  /// The roots whose parents the list does not have, by these, and these parents.
  private var orphans: [ItemID: Set<ItemID>] = [:]
  private var missing: [ItemID: ItemID] = [:]

  /// The items that would be their own ancestors.
  private var cyclic: Set<ItemID> = []

  init(_ parent: @escaping (Item) -> ItemID?) { self.parent = parent }

  /// Makes rows follow a list. Returns whether they may have changed.
  mutating func follow(
    _ base: ItemTree<Base>, _ rows: inout Rows, _ folds: Expansion<ItemID>
  ) -> Bool {
    let end = base.log.end
    if followed == end { return false }
    defer { followed = end }
    if let followed, followed.hasSameOrder(as: end),
      let items = base.log.items(since: followed, atMost: 64 + base.itemCount / 16)
    {
      update(items, base, &rows, folds, sectionsChanged: !followed.hasSameSections(as: end))
    } else {
      build(base, &rows, folds)
    }
    return true
  }

  // MARK: The forest

  /// Finds the children of all items, and their rows.
  ///
  /// - Complexity: O(*n*).
  private mutating func build(
    _ base: ItemTree<Base>, _ rows: inout Rows, _ folds: Expansion<ItemID>
  ) {
    let items = base.items(0..<base.itemCount).map { $0.id }
    cyclic = cycles(of: items, base)
    (orphans, missing) = ([:], [:])
    for item in items { updateOrphan(item, base) }
    siblings = ItemTree(projection(of: base).list(of: base), records: false)
    let list = base.sectionsInOrder.compactMap { number -> OutlineSection<Base, Row>? in
      guard let listed = base.sections[number] else { return nil }
      return OutlineSection(
        base: listed, items: shownRows(below: .section(listed.id), level: 0, folds))
    }
    rows.replace(with: ItemTree(list, records: false))
  }

  /// Follows the changes of some items.
  ///
  /// - Complexity: O(*k* (*d* + log *n*)), where *k* is the number of items and of rows below them.
  private mutating func update(
    _ items: [ItemID], _ base: ItemTree<Base>, _ rows: inout Rows, _ folds: Expansion<ItemID>,
    sectionsChanged: Bool
  ) {
    let affected = affectedItems(by: items, base)
    let all = Set(affected)
    for item in affected { updateOrphan(item, base) }
    let before = Dictionary(uniqueKeysWithValues: affected.map { ($0, place(of: $0)) })
    projection(of: base).follow(affected, sectionsChanged: false, base, &siblings)
    var kept: Set<ItemID> = []
    var hidden: [ItemID] = []
    var refreshed: Set<ItemID> = []
    for item in base.sorted(affected) + affected.filter({ !base.contains($0) }) {
      let (old, new) = (before[item] ?? nil, place(of: item))
      for place in [old, new] {
        if case .item(let parent)? = place?.parent { refreshed.insert(parent) }
      }
      let last = new?.last
      if let old, old == new, last.map({ !all.contains($0) || kept.contains($0) }) ?? true {
        kept.insert(item)
        refreshed.insert(item)
      } else {
        hidden += rows.removeOutline(of: item)
        if new != nil { hidden.append(item) }
      }
    }
    if sectionsChanged {
      rows.adoptSections(base.listedSections.map { OutlineSection(base: $0, items: []) })
    }
    for item in base.sorted(Array(Set(hidden))) { show(item, &rows, folds) }
    for item in refreshed { refresh(item, &rows, folds) }
  }

  /// Returns some items that have changed, and those whose parents differ because of these.
  private mutating func affectedItems(by items: [ItemID], _ base: ItemTree<Base>) -> [ItemID] {
    var affected = items
    var seen = Set(items)
    func add(_ item: ItemID) { if seen.insert(item).inserted { affected.append(item) } }
    for item in items {
      switch (siblings.contains(item), base.contains(item)) {
      case (false, true): for orphan in orphans[item] ?? [] { add(orphan) }
      case (true, false):
        if let number = siblings.numbers[.item(item)] {
          for child in siblings.items(ofSection: number) { add(child.id) }
        }
      default: break
      }
    }
    for item in cyclic { add(item) }
    cyclic = cycles(of: affected, base)
    for item in cyclic { add(item) }
    return affected
  }

  /// Returns the items that are their own ancestors, among the ancestors of some items and these.
  private func cycles(of items: [ItemID], _ base: ItemTree<Base>) -> Set<ItemID> {
    var found: Set<ItemID> = []
    var isDone: [ItemID: Bool] = [:]
    for item in items {
      var path: [ItemID] = []
      var next = Optional(item)
      while let current = next, isDone[current] == nil, let item = base.item(current) {
        isDone[current] = false
        path.append(current)
        next = parent(item)
      }
      if let next, isDone[next] == false, let start = path.firstIndex(of: next) {
        found.formUnion(path[start...])
      }
      for item in path { isDone[item] = true }
    }
    return found
  }

  private mutating func updateOrphan(_ item: ItemID, _ base: ItemTree<Base>) {
    if let old = missing.removeValue(forKey: item) {
      orphans[old]?.remove(item)
      if orphans[old]?.isEmpty == true { orphans[old] = nil }
    }
    guard let parent = base.item(item).flatMap(parent), !base.contains(parent) else { return }
    missing[item] = parent
    orphans[parent, default: []].insert(item)
  }

  /// The items by their parents.
  private func projection(of base: ItemTree<Base>) -> Projection<Base, Siblings> {
    let (parent, cyclic) = (parent, cyclic)
    return Projection(
      section: { item, section in
        guard let parent = parent(item), base.contains(parent), !cyclic.contains(item.id) else {
          return .section(section)
        }
        return .item(parent)
      }, sections: .ofItems { parent, _ in Siblings(id: parent, items: []) })
  }

  // MARK: Siblings

  /// The parent of an item, and the sibling before it.
  struct Place: Equatable {
    var parent: Parent
    var last: ItemID?
  }

  func place(of item: ItemID) -> Place? {
    guard let location = siblings.location(of: item) else { return nil }
    let number = siblings.forest.tree(of: location.leaf)
    return Place(parent: siblings.id(ofSection: number), last: siblings.item(before: location)?.id)
  }

  func children(of parent: Parent) -> [Item] {
    siblings.numbers[parent].map { siblings.items(ofSection: $0) } ?? []
  }

  func row(_ item: Item, level: Int, _ folds: Expansion<ItemID>) -> Row {
    let hasChildren = siblings.numbers[.item(item.id)] != nil
    return Row(
      item: item, level: level, hasChildren: hasChildren,
      isExpanded: hasChildren && folds.isExpanded(item.id))
  }
}
