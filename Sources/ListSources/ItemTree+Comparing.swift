import ListDiff
internal import ListStages
internal import SumTrees

extension ItemTree where Section.Item: Equatable {
  /// The change from the list before the recorded edits to the present one.
  ///
  /// Only items between the first and the last change of a leaf are compared. All others are in blocks of
  /// consecutive ones, which are equal on both sides.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *k* is the number of items of changed leaves.
  var changes: Changes {
    guard change.hasEdits else { return Changes(unchanged: itemCounts) }
    let present = sectionsInOrder
    let before = change.order ?? present
    var keys = TreeKeys<ItemID>(first: sections.count)
    let groups = groups
    var (old, new) = (TreeSide<Item>(), TreeSide<Item>())
    var blocks: [Int: [UInt32]] = [:]
    for number in before {
      old.beginSection(UInt32(truncatingIfNeeded: number))
      for group in groups[number] ?? [.equal(forest.sums(ofTree: number).items)] {
        switch group {
        case .equal(let count):
          let key = keys.make()
          blocks[number, default: []].append(key)
          old.add(nil, key, count: count)
        case .changed(let items, _): for item in items { old.add(item, keys[item.id], count: 1) }
        }
      }
    }
    var deleted: [Section.ID: Int] = [:]
    for number in before where !order.contains(number) { deleted[id(ofSection: number)] = number }
    for number in present {
      // A section that was deleted and inserted again is kept.
      let kept = deleted.isEmpty ? number : deleted[id(ofSection: number)] ?? number
      new.beginSection(UInt32(truncatingIfNeeded: kept))
      var own = (blocks[number] ?? [])[...]
      for group in groups[number] ?? [.equal(forest.sums(ofTree: number).items)] {
        switch group {
        case .equal(let count): if let key = own.popFirst() { new.add(nil, key, count: count) }
        case .changed(_, let items): for item in items { new.add(item, keys[item.id], count: 1) }
        }
      }
    }
    return Changes(
      from: old.arrangement, lengths: old.lengths, to: new.arrangement, lengths: new.lengths,
      universe: keys.count
    ) { from, to in
      guard let section = sections[present[to]] else { return true }
      let number = before[from]
      return (change.sections[number] ?? sections[number])?.hasSameContent(as: section) ?? true
    } isSameRow: { from, to in
      old.items[from] == new.items[to]
    }
  }

  /// Returns the change from another list, whose sections and items are compared.
  ///
  /// - Complexity: That of ``changes(from:moves:isSameSection:isSameItem:)``.
  func changes(from other: ItemTree) -> Changes {
    changes(from: other, isSameSection: { $0.hasSameContent(as: $1) }, isSameItem: { $0 == $1 })
  }

  /// What makes the list what it was before the recorded edits.
  ///
  /// - Complexity: The same as ``changes``.
  var inverse: ItemPatch<Section> {
    var patch = ItemPatch<Section>()
    let before = change.order ?? sectionsInOrder
    if change.order != nil || !change.sections.isEmpty {
      patch.sections = before.compactMap { change.sections[$0] ?? sections[$0] }
    }
    let groups = groups
    for groups in groups.values {
      for case .changed(let old, let new) in groups {
        for item in old + new { patch.items.append(item.id) }
      }
    }
    for number in before {
      var row = 0
      for group in groups[number] ?? [] {
        switch group {
        case .equal(let count): row += count
        case .changed(let items, _):
          for item in items {
            patch.placed.append(.init(section: id(ofSection: number), row: row, item: item))
            row += 1
          }
        }
      }
    }
    return patch
  }

  /// The items of the sections that have changed leaves, in groups.
  private var groups: [Int: [TreeGroup<Item>]] {
    var groups: [Int: [TreeGroup<Item>]] = [:]
    for (section, leaves) in changedLeaves { groups[section] = self.groups(section, leaves) }
    return groups
  }

  /// The changed leaves of each section, in order, with their items before.
  private var changedLeaves: [Int: [(leaf: Int, before: Leaf)]] {
    Dictionary(grouping: change.leaves) { forest.tree(of: $0.leaf) }.mapValues { leaves in
      if leaves.count == 1 { return leaves }
      return leaves.map { ($0, forest.order(of: $0.leaf)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
  }

  /// Returns the items of a section in groups: those of consecutive changed leaves, and those between
  /// them.
  private func groups(
    _ section: Int, _ changed: [(leaf: Int, before: Leaf)]
  ) -> [TreeGroup<Item>] {
    var groups: [TreeGroup<Item>] = []
    var next = 0
    var (old, new): ([Item], [Item]) = ([], [])
    func addChanged() {
      // Loops over sequences would take ten times as long in code that is not specialized.
      func isSame(_ index: Int, _ other: Int) -> Bool {
        old[index].id == new[other].id && old[index] == new[other]
      }
      let most = min(old.count, new.count)
      var (head, tail) = (0, 0)
      while head < most, isSame(head, head) { head += 1 }
      while tail < most - head, isSame(old.count - 1 - tail, new.count - 1 - tail) { tail += 1 }
      add(equal: head)
      if old.count > head + tail || new.count > head + tail {
        groups.append(
          .changed(Array(old[head..<old.count - tail]), Array(new[head..<new.count - tail])))
      }
      add(equal: tail)
      (old, new) = ([], [])
    }
    func add(equal count: Int) {
      if count == 0 { return }
      if case .equal(let last)? = groups.last {
        groups[groups.count - 1] = .equal(last + count)
      } else {
        groups.append(.equal(count))
      }
    }
    for (leaf, before) in changed {
      let start = forest.position(of: leaf).before.items
      let changed = leaves[leaf].changedItems(since: before)
      if start + changed.new.lowerBound > next {
        addChanged()
        add(equal: start + changed.new.lowerBound - next)
      }
      old += before.items[changed.old]
      new += leaves[leaf].items[changed.new]
      next = start + changed.new.upperBound
    }
    addChanged()
    add(equal: forest.sums(ofTree: section).items - next)
    return groups
  }
}

/// Consecutive items of a section: so many that are equal before and after a change, or those of
/// changed leaves.
private enum TreeGroup<Item> {
  case equal(Int)
  case changed([Item], [Item])
}

extension ItemTree {
  /// Returns the change from another list. The closures return whether kept sections and items, the old and
  /// the new ones, are equal.
  ///
  /// Leaves that neither list has changed since one was a copy of the other are blocks, which are equal. If
  /// nothing moves, there are none, because blocks cannot be inserted.
  ///
  /// - Complexity: O(*n* / 64 + *s* + *k* log *k*), where *k* is the number of items of the other leaves.
  func changes(
    from other: ItemTree, moves: Bool = true, isSameSection: (Section, Section) -> Bool,
    isSameItem: (Item, Item) -> Bool
  ) -> Changes {
    var keys = TreeKeys<Section.ID>(first: 0)
    let (before, present) = (other.sectionsInOrder, sectionsInOrder)
    let own = present.map { keys[id(ofSection: $0)] }
    let others = before.map { keys[other.id(ofSection: $0)] }
    var items = TreeKeys<ItemID>(first: keys.count)
    var blocks: [Int: UInt32] = [:]
    func side(_ tree: ItemTree, _ numbers: [Int], _ keys: [UInt32]) -> TreeSide<Item> {
      var side = TreeSide<Item>()
      for (number, key) in zip(numbers, keys) {
        side.beginSection(key)
        for leaf in tree.leaves(ofSection: number) {
          if moves, leaf < min(leaves.count, other.leaves.count),
            leaves[leaf].edit === other.leaves[leaf].edit
          {
            if blocks[leaf] == nil { blocks[leaf] = items.make() }
            if let key = blocks[leaf] { side.add(nil, key, count: leaves[leaf].items.count) }
          } else {
            for item in tree.leaves[leaf].items { side.add(item, items[item.id], count: 1) }
          }
        }
      }
      return side
    }
    let (old, new) = (side(other, before, others), side(self, present, own))
    return Changes(
      from: old.arrangement, lengths: old.lengths, to: new.arrangement, lengths: new.lengths,
      universe: items.count, moves: moves
    ) { from, to in
      guard let a = other.sections[before[from]], let b = sections[present[to]] else { return true }
      return isSameSection(a, b)
    } isSameRow: { from, to in
      guard let a = old.items[from], let b = new.items[to] else { return true }
      return isSameItem(a, b)
    }
  }
}

/// The list before or after a change, in which a row without an item is a block of equal ones.
struct TreeSide<Item> {
  var arrangement = Arrangement()
  var items: [Item?] = []
  var lengths: [Int32] = []

  mutating func beginSection(_ key: UInt32) {
    arrangement.sections.append(key)
    arrangement.starts.append(Int32(truncatingIfNeeded: items.count))
  }

  mutating func add(_ item: Item?, _ key: UInt32, count: Int) {
    if count == 0 { return }
    arrangement.rows.append(key)
    items.append(item)
    lengths.append(Int32(truncatingIfNeeded: count))
    arrangement.starts[arrangement.starts.count - 1] = Int32(truncatingIfNeeded: items.count)
  }
}

/// Keys of sections, or of items and blocks, which are not those of sections.
struct TreeKeys<ID: Hashable> {
  private var keys: [ID: UInt32] = [:]
  private(set) var count: Int

  init(first: Int) { count = first }

  mutating func make() -> UInt32 {
    defer { count += 1 }
    return UInt32(truncatingIfNeeded: count)
  }

  subscript(id: ID) -> UInt32 {
    mutating get {
      if let key = keys[id] { return key }
      let key = make()
      keys[id] = key
      return key
    }
  }
}
