import ListDiff
import SumTrees

extension TreeComparison {
  /// Consecutive entries before and after a change.
  enum Group {
    /// A block between modified leaves, or of equal items in them.
    case block(Entry)

    /// Items of consecutive modified leaves: the range of the leaves, and ranges of their items
    /// before and after the change.
    case items(of: Range<Int32>, before: Range<Int32>, after: Range<Int32>)
  }
}

extension TreeComparison {
  /// Adds the groups of a section to ``groups`` and returns their range.
  mutating func addGroups(
    of section: Int, _ modified: [ModifiedLeaf], _ tree: ListTree
  ) -> Range<Int> {
    let first = groups.count
    let leaves = modified.leaves(of: section)
    var next = TreeSums.zero
    var run = leaves.startIndex..<leaves.startIndex
    for index in leaves.indices {
      let leaf = leaves[index].leaf
      let start = tree.forest.position(of: leaf).before
      if start.items > next.items {
        addItems(of: leaves[run], since: first, tree)
        addBlock(start - next, since: first)
        run = index..<index
      }
      run = run.lowerBound..<index + 1
      next = start + tree.forest.sums(of: leaf)
    }
    addItems(of: leaves[run], since: first, tree)
    addBlock(tree.forest.sums(ofTree: section) - next, since: first)
    return first..<groups.count
  }

  /// Adds the group of unmodified sections, whose sums are `size`, to ``groups`` and returns its range,
  /// which is empty if they have no items.
  mutating func addGroups(ofUnmodified size: TreeSums) -> Range<Int> {
    let first = groups.count
    addBlock(size, since: first)
    return first..<groups.count
  }

  /// Adds a block of items that are equal on both sides, in the section whose first group is `first`.
  private mutating func addBlock(_ size: TreeSums, since first: Int) {
    guard size.items > 0 else { return }
    let (items, rows) = (
      Int32(truncatingIfNeeded: size.items), Int32(truncatingIfNeeded: size.rows)
    )
    if groups.count > first,
      case .block(.block(let key, let itemsBefore, let rowsBefore)) = groups[groups.count - 1]
    {
      groups[groups.count - 1] = .block(
        .block(key: key, count: itemsBefore + items, rows: rowsBefore + rows))
    } else {
      groups.append(.block(.block(key: newKey(), count: items, rows: rows)))
    }
  }

  /// Adds the items of consecutive modified leaves. Equal items become blocks.
  private mutating func addItems(
    of leaves: ArraySlice<ModifiedLeaf>, since first: Int, _ tree: ListTree
  ) {
    if leaves.isEmpty { return }
    let run = LeafRun(leaves)
    let (before, after) = (run.count(isOld: true, tree), run.count(isOld: false, tree))
    let limit = min(before, after)
    let head = run.equalCount(from: 0, 0, limit, tree)
    var tail = run.commonSuffix(limit - head, tree)
    if !tree.change.forcedItems.isEmpty {
      let ends = run.records(after - tail..<after, isOld: false, tree)
      // An item with a forced update is not part of a block.
      if let last = ends.lastIndex(where: { tree.change.forcedItems[$0.key] != nil }) {
        tail -= last + 1
      }
    }
    addBlock(tree.size(of: run, 0..<head), since: first)
    addItems(
      of: leaves, before: head..<before - tail, after: head..<after - tail, since: first, tree)
    addBlock(tree.size(of: run, before - tail..<before), since: first)
  }

  /// The minimum length of a block inside modified leaves.
  private static let shortestBlock = 4

  /// The number of consecutive items at which no block is found after which no more blocks are expected.
  private static let mostMisses = 4

  /// How many items may have been removed and inserted before a block, the most frequent first.
  private static let skips = [
    (1, 1), (1, 0), (0, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2), (3, 0), (0, 3), (3, 1), (1, 3),
  ]

  /// Adds items of modified leaves. If a few items were inserted, removed or replaced here and there, the
  /// equal ones between them become blocks.
  private mutating func addItems(
    of leaves: ArraySlice<ModifiedLeaf>, before: Range<Int>, after: Range<Int>, since first: Int,
    _ tree: ListTree
  ) {
    let run = LeafRun(leaves)
    var (start, newStart) = (before.lowerBound, after.lowerBound)
    func addOwn(to end: Int, _ newEnd: Int) {
      if start == end, newStart == newEnd { return }
      groups.append(
        .items(
          of: Range(leaves.indices), before: Range(start..<end), after: Range(newStart..<newEnd)))
    }
    var (next, newNext) = (start, newStart)
    // Few items have no block among them, and items that repeat exchange keys with all others.
    let mayHaveBlock =
      min(before.count, after.count) >= Self.shortestBlock && tree.repeats.isEmpty
    var misses = mayHaveBlock ? 0 : Self.mostMisses
    while misses < Self.mostMisses, next < before.upperBound, newNext < after.upperBound {
      misses += 1
      for (skipped, added) in Self.skips {
        let (old, new) = (next + skipped, newNext + added)
        let limit = min(before.upperBound - old, after.upperBound - new)
        let count = run.equalCount(from: old, new, limit, tree)
        guard count >= Self.shortestBlock else { continue }
        addOwn(to: old, new)
        addBlock(tree.size(of: run, old..<old + count), since: first)
        (start, newStart) = (old + count, new + count)
        // The items after the block differ.
        (next, newNext) = (start - 1, newStart - 1)
        misses = 0
        break
      }
      next += 1
      newNext += 1
    }
    addOwn(to: before.upperBound, after.upperBound)
  }
}

extension LeafRun {
  /// Returns the number of items from two indices on, at most `limit`, that are equal before and after
  /// the change and have no forced update.
  fileprivate func equalCount(
    from old: Int, _ new: Int, _ limit: Int, _ tree: ListTree
  ) -> Int {
    if limit <= 0 { return 0 }
    let count = commonPrefix(from: old, new, limit, tree)
    if tree.change.forcedItems.isEmpty { return count }
    return records(new..<new + count, isOld: false, tree)
      .firstIndex { tree.change.forcedItems[$0.key] != nil } ?? count
  }
}

extension TreeComparison.Side {
  /// Adds the entries of the last section, as groups whose leaves are among the modified ones of a
  /// tree.
  mutating func add(
    _ groups: ArraySlice<TreeComparison.Group>, of modified: [TreeComparison.ModifiedLeaf],
    _ tree: ListTree, isOld: Bool
  ) {
    for group in groups {
      switch group {
      case .block(let entry): add(entry, tree.parts)
      case .items(let leaves, let before, let after):
        LeafRun(modified[Range(leaves)])
          .forEach(Range(isOld ? before : after), isOld: isOld, tree) { add(.item($0), tree.parts) }
      }
    }
    endSection()
  }
}

extension [TreeComparison.Group] {
  /// Returns the number of entries on one side.
  func entryCount(isOld: Bool) -> Int {
    reduce(0) { count, group in
      switch group {
      case .block: count + 1
      case .items(_, let before, let after): count + (isOld ? before : after).count
      }
    }
  }
}

extension [TreeComparison.ModifiedLeaf] {
  /// Returns the leaves of a section.
  ///
  /// - Complexity: O(log *k* + *m*), where *k* is the number of leaves and *m* the number of the
  ///   section's leaves.
  fileprivate func leaves(of section: Int) -> ArraySlice<TreeComparison.ModifiedLeaf> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].section < section { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.section == section }
  }
}
