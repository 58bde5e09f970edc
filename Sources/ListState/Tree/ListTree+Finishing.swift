import ListDiff
import SumTrees

extension ListTree {
  /// Restores the state before the change.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of leaves that the change has modified and
  ///   of sections that it has inserted, deleted or moved.
  mutating func undoChange() {
    guard let adoption = change.adoption else { return undo(changesOrder: change.changesOrder) }
    let number = change.number
    self = adoption.before
    change.number = number &+ 1
  }

  /// Restores the state before the change, which may be on top of one whose order of sections was
  /// restored.
  private mutating func undo(changesOrder: Bool) {
    var modified: [(now: Range<Int>, before: Range<Int>)] = []
    modified.reserveCapacity(change.leaves.count)
    for saved in change.leaves {
      // Items of a deleted section do not exist, although its leaves have them.
      let ranges =
        changesOrder || !hasTexts
        ? (now: 0..<leaves[saved.leaf].count, before: 0..<saved.before.count)
        : modifiedItems(saved.leaf, saved.before)
      modified.append(ranges)
      let now = leaves[saved.leaf]
      for index in ranges.now {
        dropContent(now.content(at: index))
        let key = now.key(at: index)
        if leaf(ofKey: key) == saved.leaf { removeLeaf(ofKey: key) }
      }
    }
    for (saved, ranges) in zip(change.leaves, modified) {
      let leaf = saved.leaf
      let now = leaves[leaf].part(ranges.now)
      forest.add(sums(of: saved.before.part(ranges.before)) - sums(of: now), to: leaf)
      leaves[leaf] = saved.before
      leaves[leaf].change = change.number
    }
    for (section, traits) in change.sections {
      texts.remove(sections[section].traits.own)
      texts.add(traits.own)
      sections[section].traits = traits
    }
    if let before = change.marks { marks = before }
    if changesOrder { restoreOrder() }
    for (saved, ranges) in zip(change.leaves, modified) {
      for index in ranges.before {
        keepContent(saved.before.content(at: index))
        setLeaf(saved.leaf, ofKey: saved.before.key(at: index))
      }
      let section = section(ofLeaf: saved.leaf)
      if !sections[section].isDeleted {
        order.add(sectionSums(section) - order.sums(of: section), to: section)
      }
    }
    finishChange()
  }

  /// Returns the items of a leaf that the change may have modified, now and before: all except the
  /// first ones and the last ones that are the same.
  private func modifiedItems(
    _ leaf: Int, _ before: ItemLeaf
  ) -> (now: Range<Int>, before: Range<Int>) {
    let now = leaves[leaf]
    let least = min(now.count, before.count)
    let head = now.commonCount(at: 0, before, at: 0, by: 1, atMost: least)
    let tail = now.commonCount(
      at: now.count - 1, before, at: before.count - 1, by: -1, atMost: least - head)
    return (head..<now.count - tail, head..<before.count - tail)
  }

  /// Begins a second change on top of the current one, which it returns. Both are undone together,
  /// by ``undoChanges(since:)``.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of sections that the change has deleted.
  mutating func beginSecondChange() -> TreeChange {
    // For the second change, items of deleted sections do not exist.
    saveDeletedSections()
    for section in change.deletedSections {
      for leaf in Array(leaves(ofSection: section)) {
        for key in leaves[leaf].keys where self.leaf(ofKey: key) == leaf { removeLeaf(ofKey: key) }
      }
    }
    repeats.forgetOrders()
    settleSections()
    let first = change
    change = TreeChange()
    change.number = first.number &+ 1
    return first
  }

  /// Restores the state before two changes, the first of which ``beginSecondChange()`` returned.
  ///
  /// - Complexity: As of ``undoChange()``, for both.
  mutating func undoChanges(since first: TreeChange) {
    let second = change
    let changesOrder = first.changesOrder || second.changesOrder
    restoreOrder()
    change = first
    change.number = second.number
    // The first change may have saved a leaf already.
    change.leaves += second.leaves.filter { $0.before.change != first.number }
    change.sections.merge(second.sections) { before, _ in before }
    change.madeSections += second.madeSections
    change.deletedSections += second.deletedSections
    change.marks = first.marks ?? second.marks
    undo(changesOrder: changesOrder)
  }

  /// Returns the sums of items of a leaf.
  func sums(of records: some Collection<ItemRecord>) -> TreeSums {
    TreeSums(
      items: records.count, rows: parts.isEmpty ? nil : records.reduce(0) { $0 + rowCount(of: $1) },
      selected: records.count { $0.traits.contains(.selected) },
      hidden: records.count { $0.traits.contains(.hidden) })
  }

  /// Returns the sums of a leaf.
  func sums(of leaf: ItemLeaf) -> TreeSums {
    TreeSums(
      items: leaf.count, rows: parts.isEmpty ? nil : leaf.rowCount(of: 0..<leaf.count, parts),
      selected: leaf.selected.count, hidden: leaf.hidden.count)
  }

  /// Returns the sums of a section among all sections.
  func sectionSums(_ section: Int) -> TreeSums {
    var sums = forest.sums(ofTree: section)
    sums.elements = 1
    return sums + TreeSums(untouched: 1)
  }

  /// Restores the order of sections, including those that the change has deleted, and deletes those
  /// that it has created.
  ///
  /// - Complexity: O(*k* log *s*), where *k* is the number of these sections.
  private mutating func restoreOrder() {
    for section in change.madeSections {
      sections[section].isDeleted = true
      guard order.contains(section) else { continue }
      order.remove(section)
      sectionsByKey[sections[section].key] = nil
    }
    change.deletedSections = change.madeSections
    for taken in change.takenSections where order.contains(taken.section) {
      order.remove(taken.section)
    }
    for taken in change.takenSections.reversed() {
      let section = taken.section
      sections[section].isDeleted = false
      indexKey(ofSection: section)
      let last = taken.index > 0 ? self.section(at: taken.index - 1) : nil
      order.insert(section, sectionSums(section), after: last, inTree: 0)
    }
  }

  /// Counts the sections that the change has inserted or moved as untouched, for the next change.
  private mutating func settleSections() {
    guard change.changesOrder else { return }
    for section in [change.takenSections.map { $0.section }, change.madeSections].joined()
    where order.contains(section) && order.sums(of: section).untouched == 0 {
      order.add(TreeSums(untouched: 1), to: section)
    }
  }

  /// Makes the change final: it cannot be undone any more.
  ///
  /// - Complexity: As of ``undoChange()``, and O(*d*), where *d* is the number of items of sections
  ///   that the change has deleted.
  mutating func finishChange() {
    settleSections()
    for section in change.deletedSections {
      // The items of an adopted snapshot are not in the leaves of a deleted section.
      if change.adoption == nil { discard(section) } else { order.free(section) }
    }
    for index in change.leaves.indices {
      let leaf = change.leaves[index].leaf
      if isInTree(leaf) { tidy(leaf) }
    }
    texts.releaseUnused()
    parts.releaseUnused()
    repeats.forgetOrders()
    change.finish()
  }

  private func isInTree(_ leaf: Int) -> Bool { forest.contains(leaf) }

  /// Removes an empty leaf, and merges a small leaf with a small neighbor.
  private mutating func tidy(_ leaf: Int) {
    if leaves[leaf].count == 0 { return discard(leaf: leaf) }
    guard leaves[leaf].count < ItemLeaf.least else { return }
    if let next = forest.element(after: leaf), merge(next, into: leaf) { return }
    if let last = forest.element(before: leaf) { _ = merge(leaf, into: last) }
  }

  /// Moves the items of a leaf into the one before it if both are small. Returns whether it did.
  private mutating func merge(_ leaf: Int, into last: Int) -> Bool {
    let moved = leaves[leaf]
    guard moved.count + leaves[last].count <= ItemLeaf.capacity / 2 else { return false }
    let moving = forest.sums(of: leaf)
    leaves[last].insert(moved.records, at: leaves[last].count)
    setLeaf(last, ofKeys: moved.keys)
    forest.add(moving - TreeSums(elements: moving.elements), to: last)
    discard(leaf: leaf)
    return true
  }

  private mutating func discard(leaf: Int) {
    leaves[leaf] = ItemLeaf()
    forest.remove(leaf)
    forest.free(leaf)
  }

  /// Discards a deleted section and its items.
  private mutating func discard(_ section: Int) {
    while let leaf = forest.first(ofTree: section) {
      for record in leaves[leaf].records {
        dropContent(record.content)
        if self.leaf(ofKey: record.key) == leaf { removeLeaf(ofKey: record.key) }
      }
      discard(leaf: leaf)
    }
    texts.remove(sections[section].traits.own)
    order.free(section)
  }

  /// Stops the program if an invariant of the tree is violated: the sums are those of the leaves,
  /// each key leads to its leaf, no leaf is empty, and each section is in the order once.
  ///
  /// - Complexity: O(*n* + *s*).
  func checkInvariants() {
    precondition(change.isEmpty, "the change is finished")
    order.checkInvariants()
    forest.checkInvariants()
    for section in sectionsInOrder {
      precondition(!sections[section].isDeleted, "a section in the order is not deleted")
      precondition(
        self.section(withKey: sections[section].key) == section, "the key leads to its section")
      precondition(order.sums(of: section) == sectionSums(section), "the section has its sums")
      for leaf in leaves(ofSection: section) {
        precondition(leaves[leaf].count > 0, "no leaf is empty")
        precondition(leaves[leaf].count <= ItemLeaf.capacity, "the leaf is within its capacity")
        let sums = forest.sums(of: leaf) - TreeSums(elements: 1)
        precondition(sums == self.sums(of: leaves[leaf]), "the leaf has its sums")
        for key in leaves[leaf].keys where hasDistinctKeys {
          precondition(self.leaf(ofKey: key) == leaf, "the key leads to its leaf")
        }
      }
    }
    checkKeys()
    precondition(
      sectionsByKey.isEmpty || sectionsByKey.count == sectionCount,
      "no key leads to a deleted section")
    let records = sectionsInOrder.flatMap { section in
      leaves(ofSection: section).flatMap { Array(leaves[$0].records) }
    }
    texts.checkInvariants(
      sectionsInOrder.map { sections[$0].traits.own }
        + records.map(\.payload).filter { $0 != .empty })
    parts.checkInvariants(records.map(\.parts))
  }
}
