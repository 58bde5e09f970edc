import ListDiff
internal import SumTrees

/// The items of a list and those inside them, each of which is before those inside it.
///
/// Ids are distinct. Nothing here is recursive, because all items may be one chain. In complexities, *k* is the
/// number of items that were changed, inserted or deleted, and of their siblings.
struct NestedItems<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  typealias Item = Section.Item
  typealias ItemID = Item.ID
  typealias Tree = ItemTree<Section>

  let children: (Item) -> [Item]?

  /// The item that each item is directly inside of.
  private(set) var parents: [ItemID: ItemID] = [:]

  /// How far the list was followed; `nil` if all is evaluated anew.
  var followed: ChangeLog<ItemID>.Position?

  /// The list when it was followed last.
  private var roots = Tree(records: true)

  init(_ children: @escaping (Item) -> [Item]?) { self.children = children }

  /// Makes a tree follow a list. Calls `edit` to change the tree, if that is needed, and returns whether it was.
  ///
  /// - Complexity: O(*k* log *n*), or O(*n*) if much of the list has changed, where *n* is the number of all items.
  mutating func follow(_ base: Tree, edit: ((inout Tree) -> Void) -> Void) -> Bool {
    let end = base.log.end
    if followed == end { return false }
    let patch = followed.flatMap { base.patch(since: $0) }
    edit { tree in
      if let patch { update(patch, &tree) } else { build(base, &tree) }
    }
    followed = end
    return true
  }

  private mutating func build(_ base: Tree, _ tree: inout Tree) {
    roots = base.copy(records: true)
    parents = [:]
    tree.adoptSections([])
    tree.adoptSections(base.listedSections)
    for number in base.sectionsInOrder {
      guard let own = tree.numbers[base.id(ofSection: number)] else { continue }
      let items = newItems(base.items(ofSection: number), in: nil, tree)
      if !items.isEmpty { tree.insert(items, at: tree.end(ofSection: own)) }
    }
  }

  // MARK: Changes

  /// What makes the tree the new one after items were removed, in the order of the new tree.
  private enum Edit {
    case replace(Item)
    /// Inserts items and those inside them after another one, with those inside that, or at the start of what
    /// they are in.
    case insert([Item], in: ItemID?, after: Item?)
  }

  /// A step of a comparison.
  private enum Step {
    case compare(Item, Item)
    case make(Edit)
  }

  private struct Edits {
    var gone: [(item: Item, parent: ItemID?)] = []
    var made: [Edit] = []
  }

  /// Where an item of the list is: its section, and the item before it.
  private struct Place: Equatable {
    var section: Section.ID
    var last: ItemID?
  }

  private func place(of item: ItemID) -> Place? {
    guard let location = roots.location(of: item) else { return nil }
    return Place(
      section: roots.id(ofSection: roots.forest.tree(of: location.leaf)),
      last: roots.item(before: location)?.id)
  }

  private mutating func update(_ patch: ItemPatch<Section>, _ tree: inout Tree) {
    let changed = Set(patch.items)
    var before: [ItemID: (item: Item, place: Place?)] = [:]
    for id in changed { if let item = roots.item(id) { before[id] = (item, place(of: id)) } }
    roots.apply(patch)
    roots.finishChange()
    var edits = Edits()
    var kept: Set<ItemID> = []
    for placed in patch.placed {
      let item = placed.item
      let place = place(of: item.id)
      if let old = before[item.id], old.place == place,
        place?.last.map({ !changed.contains($0) || kept.contains($0) }) ?? true
      {
        kept.insert(item.id)
        compare(old.item, item, &edits)
      } else {
        edits.made.append(.insert([item], in: nil, after: place?.last.flatMap { roots.item($0) }))
      }
    }
    for (id, old) in before where !kept.contains(id) { edits.gone.append((old.item, nil)) }
    make(edits, patch.sections, &tree)
  }

  /// Finds what differs between two versions of an item.
  private func compare(_ old: Item, _ new: Item, _ edits: inout Edits) {
    var waiting: [Step] = [.compare(old, new)]
    while let step = waiting.popLast() {
      guard case .compare(let old, let new) = step else {
        if case .make(let edit) = step { edits.made.append(edit) }
        continue
      }
      if old == new { continue }
      edits.made.append(.replace(new))
      let (before, after) = (children(old) ?? [], children(new) ?? [])
      let most = min(before.count, after.count)
      var (head, tail) = (0, 0)
      while head < most, before[head].id == after[head].id { head += 1 }
      while tail < most - head,
        before[before.count - 1 - tail].id == after[after.count - 1 - tail].id
      {
        tail += 1
      }
      let gone = before[head..<before.count - tail]
      if !gone.isEmpty {
        let kept = Set((before.prefix(head) + before.suffix(tail)).map { $0.id })
        for item in gone where !kept.contains(item.id) { edits.gone.append((item, new.id)) }
      }
      for index in 0..<tail {
        waiting.append(.compare(before[before.count - 1 - index], after[after.count - 1 - index]))
      }
      let added = Array(after[head..<after.count - tail])
      if !added.isEmpty {
        waiting.append(
          .make(.insert(added, in: new.id, after: head == 0 ? nil : after[head - 1])))
      }
      for index in (0..<head).reversed() { waiting.append(.compare(before[index], after[index])) }
    }
  }

  private mutating func make(_ edits: Edits, _ sections: [Section]?, _ tree: inout Tree) {
    remove(edits.gone, &tree)
    if let sections { tree.adoptSections(sections) }
    for edit in edits.made {
      switch edit {
      case .replace(let item):
        if let location = tree.location(of: item.id) { tree.replace(location, with: item) }
      case .insert(let items, let parent, let other):
        guard
          let location = location(after: other ?? items[0], isFirst: other == nil, parent, &tree)
        else { continue }
        tree.insert(newItems(items, in: parent, tree), at: location)
      }
    }
  }

  /// Removes items and those inside them.
  private mutating func remove(_ items: [(item: Item, parent: ItemID?)], _ tree: inout Tree) {
    var waiting = items
    while let (item, parent) = waiting.popLast() {
      guard parents[item.id] == parent, let location = tree.location(of: item.id) else { continue }
      tree.remove(at: location)
      parents[item.id] = nil
      waiting += (children(item) ?? []).map { ($0, item.id) }
    }
  }

  /// Returns the location after an item and those inside it, or, if the item is the first, the start of what it
  /// is in.
  private func location(
    after item: Item, isFirst: Bool, _ parent: ItemID?, _ tree: inout Tree
  ) -> ItemLocation? {
    if isFirst, parent == nil {
      return place(of: item.id).flatMap { tree.numbers[$0.section] }.map {
        tree.start(ofSection: $0)
      }
    }
    var last = isFirst ? parent : item.id
    var next = isFirst ? nil : item
    while let item = next {
      next = children(item)?.last { parents[$0.id] == item.id && tree.contains($0.id) }
      if let next { last = next.id }
    }
    return last.flatMap { tree.location(of: $0) }.map {
      ItemLocation(leaf: $0.leaf, index: $0.index + 1)
    }
  }

  /// Returns items and those inside them that the tree does not have, and notes their parents.
  private mutating func newItems(_ items: [Item], in parent: ItemID?, _ tree: Tree) -> [Item] {
    var found: [Item] = []
    var seen: Set<ItemID> = []
    var waiting = items.reversed().map { (item: $0, parent: parent) }
    while let (item, parent) = waiting.popLast() {
      guard !tree.contains(item.id), seen.insert(item.id).inserted else { continue }
      found.append(item)
      parents[item.id] = parent
      waiting += (children(item) ?? []).reversed().map { (item: $0, parent: item.id) }
    }
    return found
  }
}
