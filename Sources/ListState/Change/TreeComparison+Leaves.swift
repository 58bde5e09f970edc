import ListDiff
import SumTrees

extension TreeComparison {
  /// Adds the entries of a section, which is the last one on both sides.
  mutating func addEntries(of section: Int, _ modified: [ModifiedLeaf], _ tree: ListTree) {
    let leaves = modified.leaves(of: section)
    var next = TreeSums.zero
    var run = leaves.startIndex..<leaves.startIndex
    for index in leaves.indices {
      let leaf = leaves[index].leaf
      let start = tree.forest.position(of: leaf).before
      if start.items > next.items {
        addItems(of: leaves[run], tree)
        addBlock(start - next, tree)
        run = index..<index
      }
      run = run.lowerBound..<index + 1
      next = start + tree.forest.sums(of: leaf)
    }
    addItems(of: leaves[run], tree)
    addBlock(tree.forest.sums(ofTree: section) - next, tree)
  }

  /// Adds a block of items that are equal on both sides to the last section, or to the block before it.
  mutating func addBlock(_ size: TreeSums, _ tree: ListTree) {
    guard size.items > 0 else { return }
    let (items, rows) = (
      Int32(truncatingIfNeeded: size.items), Int32(truncatingIfNeeded: size.rows)
    )
    if let last = old.lastBlock, last == new.lastBlock {
      old.extendLastBlock(items, rows)
      new.extendLastBlock(items, rows)
    } else {
      let block = Entry.block(key: newKey(), count: items, rows: rows)
      old.add(block, tree.parts)
      new.add(block, tree.parts)
    }
  }

  /// Adds the items of consecutive modified leaves. Equal items become blocks.
  private mutating func addItems(of leaves: ArraySlice<ModifiedLeaf>, _ tree: ListTree) {
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
    addBlock(tree.size(of: run, 0..<head), tree)
    addItems(of: run, before: head..<before - tail, after: head..<after - tail, tree)
    addBlock(tree.size(of: run, before - tail..<before), tree)
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
    of run: LeafRun, before: Range<Int>, after: Range<Int>, _ tree: ListTree
  ) {
    var (start, newStart) = (before.lowerBound, after.lowerBound)
    func addOwn(to end: Int, _ newEnd: Int, _ comparison: inout TreeComparison) {
      if start == end, newStart == newEnd { return }
      run.forEach(start..<end, isOld: true, tree) { comparison.old.add(.item($0), tree.parts) }
      run.forEach(newStart..<newEnd, isOld: false, tree) {
        comparison.new.add(.item($0), tree.parts)
      }
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
        addOwn(to: old, new, &self)
        addBlock(tree.size(of: run, old..<old + count), tree)
        (start, newStart) = (old + count, new + count)
        // The items after the block differ.
        (next, newNext) = (start - 1, newStart - 1)
        misses = 0
        break
      }
      next += 1
      newNext += 1
    }
    addOwn(to: before.upperBound, after.upperBound, &self)
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
