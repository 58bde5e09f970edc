import ListDiff
internal import ListStages
internal import SumTrees

extension ItemTree where Section.Item: Equatable {
  /// Returns the change to another list, to which a patch leads.
  ///
  /// The items that are not in the patch have the same order in both lists, and are blocks between the others.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *k* is the number of items of the patch; O(*s* log *s*) if it has
  ///   sections.
  func changes(to target: ItemTree, by patch: ItemPatch<Section>) -> Changes {
    let (before, present) = (sectionsInOrder, target.sectionsInOrder)
    var sectionKeys = TreeKeys<Section.ID>(first: patch.sections == nil ? before.count : 0)
    var own: [UInt32] = before.indices.map { UInt32(truncatingIfNeeded: $0) }
    var others = own
    if patch.sections != nil {
      own = before.map { sectionKeys[id(ofSection: $0)] }
      others = present.map { sectionKeys[target.id(ofSection: $0)] }
    }
    var keys = TreeKeys<ItemID>(first: sectionKeys.count)
    let left = patch.items.compactMap { location(of: $0) }.map { place(of: $0) }.sorted()
    var changed = [Int: PatchedRows<Item>]()
    for place in left {
      let (leaf, index) = (place.location.leaf, place.location.index)
      let row = forest.position(of: leaf).before.items + index
      changed[place.section, default: PatchedRows()].old.append((row, leaves[leaf].items[index]))
    }
    var arrived: [Section.ID: [(row: Int, item: Item)]] = [:]
    for placed in patch.placed {
      if let number = numbers[placed.section] {
        changed[number, default: PatchedRows()].new.append((placed.row, placed.item))
      } else {
        arrived[placed.section, default: []].append((placed.row, placed.item))
      }
    }
    var (old, new) = (TreeSide<Item>(), TreeSide<Item>())
    var blocks: [Int: [UInt32]] = [:]
    for (number, key) in zip(before, own) {
      old.beginSection(key)
      let rows = changed[number] ?? PatchedRows()
      let cuts = rows.cuts(of: forest.sums(ofTree: number).items)
      let made = cuts.map { _ in keys.make() }
      blocks[number] = made
      old.add(rows.old, between: cuts, made) { keys[$0] }
    }
    for (number, key) in zip(present, others) {
      new.beginSection(key)
      let id = target.id(ofSection: number)
      guard let kept = numbers[id] else {
        for (_, item) in arrived[id] ?? [] { new.add(item, keys[item.id], count: 1) }
        continue
      }
      let rows = changed[kept] ?? PatchedRows()
      let cuts = rows.cuts(of: forest.sums(ofTree: kept).items)
      new.add(rows.new, between: cuts, blocks[kept] ?? []) { keys[$0] }
    }
    return Changes(
      from: old.arrangement, lengths: old.lengths, to: new.arrangement, lengths: new.lengths,
      universe: keys.count
    ) { from, to in
      guard patch.sections != nil, let a = sections[before[from]],
        let b = target.sections[present[to]]
      else { return true }
      return a.hasSameContent(as: b)
    } isSameRow: { from, to in
      old.items[from] == new.items[to]
    }
  }
}

/// The rows of a section that a patch changes, in order.
private struct PatchedRows<Item> {
  var old: [(row: Int, item: Item)] = []
  var new: [(row: Int, item: Item)] = []

  /// Returns the numbers of other rows before those of the patch, without repetition, and at last that of all,
  /// given the number of rows before the change.
  func cuts(of count: Int) -> [Int] {
    var cuts: [Int] = []
    var (a, b) = (0, 0)
    while a < old.count || b < new.count {
      let first = a < old.count ? old[a].row - a : .max
      let second = b < new.count ? new[b].row - b : .max
      let cut = min(first, second)
      if first == cut { a += 1 } else { b += 1 }
      if cuts.last != cut { cuts.append(cut) }
    }
    let all = count - old.count
    if cuts.last != all { cuts.append(all) }
    return cuts
  }
}

extension TreeSide where Item: Identifiable {
  /// Adds the blocks of a section up to each cut, and the rows of a patch between them.
  fileprivate mutating func add(
    _ rows: [(row: Int, item: Item)], between cuts: [Int], _ blocks: [UInt32],
    _ key: (Item.ID) -> UInt32
  ) {
    var (next, start) = (0, 0)
    for (cut, block) in zip(cuts, blocks) {
      add(nil, block, count: cut - start)
      start = cut
      while next < rows.count, rows[next].row - next == cut {
        add(rows[next].item, key(rows[next].item.id), count: 1)
        next += 1
      }
    }
  }
}
