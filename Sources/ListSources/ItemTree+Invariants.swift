internal import SumTrees

extension ItemTree {
  /// Stops the program if an invariant is violated: an id leads to the leaf of its item, sums are
  /// those of the items, leaves have items and are not too large, and nothing is saved.
  ///
  /// - Complexity: O(*n* + *s* log *s*).
  func checkInvariants() {
    order.checkInvariants()
    forest.checkInvariants()
    var count = 0
    let sections = sectionsInOrder
    for number in sections {
      precondition(numbers[id(ofSection: number)] == number, "an id leads to its section")
      precondition(order.sums(of: number) == sectionSums(number), "a section has its items' sums")
      for leaf in leaves(ofSection: number) {
        let own = leaves[leaf]
        precondition((1...Leaf.capacity).contains(own.items.count), "a leaf has items")
        precondition(forest.sums(of: leaf) == sums(of: own), "a leaf has its items' sums")
        let isInRange =
          own.items.count == Leaf.capacity || own.selected >> UInt64(own.items.count) == 0
        precondition(isInRange, "a selected item is in the leaf")
        for item in own.items {
          precondition(leafOf[item.id] == Int32(leaf), "an id leads to its leaf")
        }
        count += own.items.count
      }
    }
    precondition(numbers.count == sections.count, "only sections of the list have a number")
    precondition(leafOf.count == count, "only items of the list have a leaf")
    precondition(change.leaves.isEmpty && change.order == nil, "changes are finished")
    precondition(Set(choices.numbers.keys) == selected, "the selected items were chosen")
    for section in selectedSections {
      precondition(
        forest.sums(ofTree: section).selected <= selectionRule(ofSection: section).limit,
        "a section has no more selected items than it may")
    }
  }
}
