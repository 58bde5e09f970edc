import ListDiff
internal import SumTrees

extension ItemTree where Section.Item: Equatable {
  /// The change from the list before the recorded edits to the present one.
  ///
  /// Only items of changed leaves are compared. All others are in blocks of consecutive ones, which
  /// are equal on both sides.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *k* is the number of items of changed leaves.
  var changes: Changes {
    guard change.hasEdits else { return Changes(unchanged: itemCounts) }
    let present = sectionsInOrder
    let before = change.order ?? present
    var keys = TreeKeys<ItemID>(first: sections.count)
    var groups: [Int: [TreeGroup<Item>]] = [:]
    for (section, leaves) in changedLeaves { groups[section] = self.groups(section, leaves) }
    var (old, new) = (TreeSide<Item>(), TreeSide<Item>())
    var blocks: [Int: [UInt32]] = [:]
    for number in before {
      old.beginSection(number)
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
      new.beginSection(deleted.isEmpty ? number : deleted[id(ofSection: number)] ?? number)
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
      if start > next {
        addChanged()
        add(equal: start - next)
      }
      old += before.items
      new += leaves[leaf].items
      next = start + leaves[leaf].items.count
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

/// The list before or after a change, in which a row without an item is a block of equal ones.
private struct TreeSide<Item> {
  var arrangement = Arrangement()
  var items: [Item?] = []
  var lengths: [Int32] = []

  mutating func beginSection(_ number: Int) {
    arrangement.sections.append(UInt32(truncatingIfNeeded: number))
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

/// Keys of items and blocks, which are not those of sections.
private struct TreeKeys<ID: Hashable> {
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
