// How well the best of an item of an outline and its descendants matches, by which siblings are sorted.
extension LiveView {
  /// Returns the best rank of a node and its linked descendants. If its item `isUnchanged`, that is not ranked
  /// again if a descendant has at least the rank that was the best before.
  private mutating func bestRank(
    of node: Int, _ ids: borrowing IDTable, isUnchanged: Bool = false
  ) -> ItemRank {
    let below = outline!.bestRank(ofChildrenOf: node, isFirst: rules.sortsBestFirst)
    guard outline!.has(.accepted, node) else { return below }
    if isUnchanged, below >= outline!.ranks[node] { return below }
    let item = viewed(at: sources.location(of: outline!.nodes[node].key)!, ids)
    rules.noteRank(of: item)
    return max(below, rules.rank(of: item) ?? .none)
  }

  /// Ranks nodes that are about to be linked, each below the next one.
  mutating func rank(_ chain: [Int], _ ids: borrowing IDTable) {
    guard outline!.isRanked else { return }
    var best = ItemRank.none
    for node in chain {
      best = max(best, bestRank(of: node, ids))
      outline!.set(best, of: node)
    }
  }

  /// Updates the ranks of nodes that have changed, or whose children have, and then those of their ancestors.
  /// Moves those that are out of order.
  ///
  /// - Complexity: O((*k* + *m*) *b* log *n*), where *k* is the number of nodes with another rank, *m* that of
  ///   items that move with them, which are all their descendants, *b* the size of an item and *n* the number
  ///   of all items; if the first child need not have the best rank O(*c*) more for each of the *k* nodes,
  ///   where *c* is the number of its children.
  mutating func updateRanks(
    _ work: inout OutlineWork, _ all: inout ListTree, _ change: inout ViewChange,
    _ ids: inout IDTable
  ) {
    guard outline!.isRanked else { return }
    var levels: [[Int]] = []
    var isKnown: Set<Int> = []
    func add(_ node: Int, at level: Int) {
      guard isKnown.insert(node).inserted else { return }
      while levels.count <= level { levels.append([]) }
      levels[level].append(node)
    }
    for node in work.touched where outline!.isLinked(node) {
      add(node, at: Int(outline!.nodes[node].level))
    }
    // All other siblings are in order by the ranks that they have as yet.
    for level in levels.indices.reversed() {
      for node in levels[level] {
        let rank = bestRank(of: node, ids, isUnchanged: !work.affected.contains(node))
        if rank == outline!.ranks[node] { continue }
        outline!.set(rank, of: node)
        let parent = outline!.linkedParent(of: node)
        if parent >= 0 { add(parent, at: level - 1) }
        let location = all.location(of: outline!.nodes[node].key)!
        change.touched.insert(all.section(ofLeaf: location.leaf))
        let (last, next) = (
          outline!.siblings.element(before: node), outline!.siblings.element(after: node)
        )
        let isInOrder =
          last.map { precedes($0, node, ids) } ?? true
          && next.map { precedes(node, $0, ids) } ?? true
        if isInOrder { continue }
        take(node, &work, &all, &change)
        insert(node, &work, into: &all, &change, &ids)
      }
    }
  }
}
