import ListDiff

extension ListTree {
  /// Makes everything what it was before the change.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of leaves that the change has touched; with
  ///   changed sections O(*s*) beside it.
  mutating func undoChange() {
    for (leaf, _) in change.leaves {
      for record in leaves[leaf].records {
        texts.remove(record.payload)
        if leafTable[record.key] == leaf { leafTable.remove(record.key) }
      }
    }
    for (leaf, before) in change.leaves {
      forest.add(sums(of: before) - sums(of: leaves[leaf]), to: leaf)
      leaves[leaf] = before
      leaves[leaf].change = change.number
    }
    for (section, traits) in change.sections {
      texts.remove(sections[section].traits.own)
      texts.add(traits.own)
      sections[section].traits = traits
    }
    if let before = change.marks { marks = before }
    if let sections = change.order { restore(sections) }
    for (leaf, before) in change.leaves {
      for record in before.records {
        texts.add(record.payload)
        leafTable.set(leaf, for: record.key, of: itemCount)
      }
      if change.order == nil {
        let section = section(ofLeaf: leaf)
        order.add(sectionSums(section) - order.sums(of: section), to: section)
      }
    }
    finishChange()
  }

  private func sums(of leaf: ItemLeaf) -> TreeSums {
    TreeSums(
      items: leaf.count, selected: leaf.records.count { $0.traits.contains(.selected) })
  }

  private func sectionSums(_ section: Int) -> TreeSums {
    let sums = forest.sums(ofTree: section)
    return TreeSums(items: sums.items, selected: sums.selected, elements: 1)
  }

  /// Puts sections back that the change has deleted or moved, and deletes those that it has made.
  private mutating func restore(_ sections: [Int]) {
    for section in sectionsInOrder {
      order.remove(section)
      sectionsByKey[self.sections[section].key] = nil
    }
    for section in sections {
      self.sections[section].isDeleted = false
      sectionsByKey[self.sections[section].key] = Int32(truncatingIfNeeded: section)
    }
    for section in change.madeSections { self.sections[section].isDeleted = true }
    change.deletedSections = change.madeSections
    order.build(0, of: sections.map { ($0, sectionSums($0)) })
  }

  /// Forgets what was before the change: from now on it cannot be undone.
  ///
  /// - Complexity: As of ``undoChange()``, and O(*d*), where *d* is the number of items of sections that
  ///   the change has deleted.
  mutating func finishChange() {
    for section in change.deletedSections { discard(section) }
    for (leaf, _) in change.leaves where isInTree(leaf) { tidy(leaf) }
    texts.releaseUnused()
    let number = change.number
    change = TreeChange()
    change.number = number &+ 1
  }

  private func isInTree(_ leaf: Int) -> Bool { forest.contains(leaf) }

  /// Removes a leaf that is empty, and fills one that has few items from a neighbour that has few.
  private mutating func tidy(_ leaf: Int) {
    if leaves[leaf].count == 0 { return discard(leaf: leaf) }
    guard leaves[leaf].count < ItemLeaf.least else { return }
    if let next = forest.element(after: leaf), merge(next, into: leaf) { return }
    if let last = forest.element(before: leaf) { _ = merge(leaf, into: last) }
  }

  /// Moves the items of a leaf into the one before it if both are small.
  private mutating func merge(_ leaf: Int, into last: Int) -> Bool {
    let moved = leaves[leaf]
    guard moved.count + leaves[last].count <= ItemLeaf.capacity / 2 else { return false }
    let moving = forest.sums(of: leaf)
    leaves[last].insert(moved.records, at: leaves[last].count)
    for record in moved.records { leafTable.set(last, for: record.key, of: itemCount) }
    forest.add(TreeSums(items: moving.items, selected: moving.selected), to: last)
    discard(leaf: leaf)
    return true
  }

  private mutating func discard(leaf: Int) {
    leaves[leaf] = ItemLeaf()
    forest.remove(leaf)
    forest.free(leaf)
  }

  /// Forgets a deleted section and its items.
  private mutating func discard(_ section: Int) {
    while let leaf = forest.first(ofTree: section) {
      for record in leaves[leaf].records {
        texts.remove(record.payload)
        if leafTable[record.key] == leaf { leafTable.remove(record.key) }
      }
      discard(leaf: leaf)
    }
    texts.remove(sections[section].traits.own)
    order.free(section)
  }

  /// Stops the program if the tree is not as it must be: the sums are those of the leaves, each key
  /// leads to its leaf, no leaf is empty, and the sections are in the order once.
  ///
  /// - Complexity: O(*n* + *s*).
  func checkInvariants() {
    precondition(change.isEmpty, "a change is finished")
    order.checkInvariants()
    forest.checkInvariants()
    for section in sectionsInOrder {
      precondition(!sections[section].isDeleted, "a section in the order is not deleted")
      precondition(
        sectionsByKey[sections[section].key] == Int32(section), "a key leads to its section")
      precondition(order.sums(of: section) == sectionSums(section), "sections have their sums")
      for leaf in leaves(ofSection: section) {
        precondition(leaves[leaf].count > 0, "no leaf is empty")
        precondition(leaves[leaf].count <= ItemLeaf.capacity, "a leaf has its capacity")
        let sums = forest.sums(of: leaf) - TreeSums(elements: 1)
        precondition(sums == self.sums(of: leaves[leaf]), "leaves have their sums")
        for record in leaves[leaf].records {
          precondition(leafTable[record.key] == leaf, "a key leads to its leaf")
        }
      }
    }
    precondition(sectionsByKey.count == sectionCount, "no key leads to a deleted section")
    texts.checkInvariants(sectionsInOrder.map { sections[$0].traits.own } + payloads)
  }

  private var payloads: [Payload] {
    sectionsInOrder.flatMap { section in
      leaves(ofSection: section).flatMap { leaves[$0].records.map(\.payload) }
    }
  }
}
