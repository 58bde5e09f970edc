import SumTrees

/// The memory of a tree that is not used any more, for another one.
struct TreeMemory: Sendable {
  var order = SumForest()
  var forest = SumForest()
  var sections: [ListTree.Section] = []
  var leaves: [ItemLeaf] = []

  /// Removes what the tree had.
  mutating func removeAll() {
    order.removeAll()
    forest.removeAll()
    sections.removeAll(keepingCapacity: true)
    leaves.removeAll(keepingCapacity: true)
  }
}
