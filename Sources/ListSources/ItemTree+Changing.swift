internal import SumTrees

/// Edits that cannot fail: their ids were checked.
extension ItemTree {
  /// Inserts items at a location, which may be the end of its leaf.
  ///
  /// - Complexity: O(log *n* + *k*), where *k* is the number of items.
  mutating func insert(_ added: [Item], at location: ItemLocation) {
    if added.isEmpty { return }
    change.hasEdits = true
    save(location.leaf)
    leaves[location.leaf].changeItems(location.index..<location.index)
    log.add(added.count, of: itemCount) { added.map { $0.id } }
    let kept = added.map { change.deletedSelected.remove($0.id) != nil }
    let (leaf, index) = (location.leaf, location.index)
    let head = leaves[leaf].flags(0..<index)
    let tail = leaves[leaf].flags(index..<leaves[leaf].items.count)
    let isEnd = tail.isEmpty && forest.element(after: leaf) == nil
    leaves[leaf].items.insert(contentsOf: added, at: index)
    let items = leaves[leaf].items
    let flags = head + kept + tail
    guard items.count > Leaf.capacity else {
      return fill(leaf, items[...], flags[...], new: index..<index + added.count)
    }
    let count = (items.count + Leaf.usual - 1) / Leaf.usual
    // Items that are appended one after the other would leave part of each leaf unused.
    let fillsLeaves = isEnd && added.count < Leaf.usual
    leaves[leaf].tail = 0
    let width = fillsLeaves ? Leaf.capacity : (items.count + count - 1) / count
    var last = leaf
    for start in stride(from: 0, to: items.count, by: width) {
      let range = start..<min(start + width, items.count)
      if start > 0 { last = makeLeaf(after: last, in: forest.tree(of: leaf)) }
      fill(last, items[range], flags[range], new: range)
    }
  }

  /// Replaces the items of a leaf, of which those in the range `new` were in another leaf or in none.
  private mutating func fill(
    _ leaf: Int, _ items: ArraySlice<Item>, _ flags: ArraySlice<Bool>, new: Range<Int>
  ) {
    for item in items[new] { leafOf[item.id] = Int32(truncatingIfNeeded: leaf) }
    var selected: UInt64 = 0
    for (index, flag) in flags.enumerated() where flag { selected |= 1 << UInt64(index) }
    if items.count != leaves[leaf].items.count { leaves[leaf].items = Array(items) }
    leaves[leaf].selected = selected
    update(leaf)
  }

  /// Makes the sums of a leaf those of its items.
  mutating func update(_ leaf: Int) {
    let difference = sums(of: leaves[leaf]) - forest.sums(of: leaf)
    let section = forest.tree(of: leaf)
    forest.add(difference, to: leaf)
    guard order.contains(section) else { return }
    order.add(difference - TreeSums(elements: difference.elements), to: section)
  }

  /// Creates an empty leaf after another one, or at the start of a section.
  private mutating func makeLeaf(after other: Int?, in section: Int) -> Int {
    let leaf = makeLeaf()
    save(leaf)
    forest.insert(leaf, TreeSums(elements: 1), after: other, inTree: section)
    return leaf
  }

  /// Returns the location after the last item of a section.
  mutating func end(ofSection number: Int) -> ItemLocation {
    if let last = forest.last(ofTree: number) {
      return ItemLocation(leaf: last, index: leaves[last].items.count)
    }
    return ItemLocation(leaf: makeLeaf(after: nil, in: number), index: 0)
  }

  /// Deletes an item and returns it.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  mutating func remove(at location: ItemLocation) -> Item {
    change.hasEdits = true
    save(location.leaf)
    leaves[location.leaf].changeItems(location.index..<location.index + 1)
    if records, isSelected(location) { change.deletedSelected.insert(key(at: location)) }
    let item = leaves[location.leaf].remove(at: location.index)
    leafOf[item.id] = nil
    log.add(item.id, of: itemCount)
    update(location.leaf)
    if !records { tidy(location.leaf) }
    return item
  }

  /// Replaces an item with one that has the same id.
  mutating func replace(_ location: ItemLocation, with item: Item) {
    change.hasEdits = true
    save(location.leaf)
    leaves[location.leaf].changeItems(location.index..<location.index + 1)
    log.add(item.id, of: itemCount)
    leaves[location.leaf].items[location.index] = item
  }

  // MARK: Sections

  /// Inserts a section with its items after another one, or as the first.
  ///
  /// - Complexity: O(log *s* + *k*), where *k* is the number of items; if changes are recorded, the
  ///   first of them O(*s*).
  mutating func insertSection(_ section: Section, after other: Int?) -> Int {
    saveOrder()
    let number = makeSection(section)
    if records { change.madeSections.append(number) }
    log.sections += 1
    order.insert(number, TreeSums(elements: 1), after: other, inTree: 0)
    if !section.items.isEmpty { insert(section.items, at: end(ofSection: number)) }
    return number
  }

  /// Deletes a section with its items.
  ///
  /// - Complexity: As of ``insertSection(_:after:)``.
  mutating func removeSection(_ number: Int) {
    saveOrder()
    log.sections += 1
    for leaf in leaves(ofSection: number) {
      save(leaf)
      log.add(leaves[leaf].items.count, of: itemCount) { leaves[leaf].items.map { $0.id } }
      for (item, isSelected) in zip(leaves[leaf].items, leaves[leaf].allFlags) {
        leafOf[item.id] = nil
        if records, isSelected { change.deletedSelected.insert(item.id) }
      }
      leaves[leaf].changeItems(0..<leaves[leaf].items.count)
      leaves[leaf].items = []
      leaves[leaf].selected = 0
      update(leaf)
      if !records { tidy(leaf) }
    }
    order.remove(number)
    numbers[id(ofSection: number)] = nil
    if !records { freeSection(number) }
  }

  /// Moves a section with its items after another one, or to the start.
  ///
  /// - Complexity: O(log *s*); if changes are recorded, the first of them O(*s*).
  mutating func moveSection(_ number: Int, after other: Int?) {
    if order.element(before: number) == other { return }
    saveOrder()
    log.moveSection()
    order.remove(number)
    order.insert(number, sectionSums(number), after: other, inTree: 0)
  }

  /// Replaces the content of a section, and keeps its items.
  mutating func updateSection(_ number: Int, with section: Section) {
    change.hasEdits = true
    log.sections += 1
    if records, change.sections[number] == nil { change.sections[number] = sections[number] }
    sections[number] = section.withoutItems
  }

  /// Returns the id of a section.
  func id(ofSection number: Int) -> Section.ID {
    guard let section = sections[number] else { preconditionFailure("the section exists") }
    return section.id
  }

  private mutating func freeSection(_ number: Int) {
    sections[number] = nil
    order.free(number)
  }

  // MARK: Recording

  /// Saves a leaf before it is changed.
  mutating func save(_ leaf: Int) {
    if records, leaves[leaf].change != change.number {
      change.leaves.append((leaf, leaves[leaf]))
      leaves[leaf].change = change.number
      (leaves[leaf].head, leaves[leaf].tail) = (leaves[leaf].items.count, leaves[leaf].items.count)
    }
    leaves[leaf].edit = edit
  }

  /// Makes the leaves of items different from those of copies.
  mutating func touch(_ items: [ItemID]) throws(Failure) {
    try checkKnown(items)
    for leaf in items.compactMap({ leafOf[$0] }) { save(Int(leaf)) }
  }

  private mutating func saveOrder() {
    change.hasEdits = true
    if records, change.order == nil { change.order = sectionsInOrder }
  }

  /// Makes the recorded changes final.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changed leaves and sections.
  mutating func finishChange() {
    for (leaf, _) in change.leaves where forest.contains(leaf) { tidy(leaf) }
    for number in (change.order ?? []) + change.madeSections where !order.contains(number) {
      freeSection(number)
    }
    for item in change.deletedSelected { choices.remove(item) }
    let number = change.number
    change = Change()
    change.number = number + 1
  }

  /// Restores the items and sections before the recorded changes.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changed items and leaves; O(*s* log *s*)
  ///   more if sections were inserted, deleted or moved.
  mutating func undoChange() {
    // A follower may have read what is undone.
    if change.hasEdits { log.reset() }
    let changed = change.leaves.map { leaves[$0.leaf].changedItems(since: $0.before) }
    for ((leaf, _), (_, new)) in zip(change.leaves, changed) {
      for item in leaves[leaf].items[new] { leafOf[item.id] = nil }
    }
    for ((leaf, before), (old, _)) in zip(change.leaves, changed) {
      leaves[leaf] = before
      for item in before.items[old] { leafOf[item.id] = Int32(truncatingIfNeeded: leaf) }
      update(leaf)
    }
    for (number, section) in change.sections { sections[number] = section }
    if let before = change.order {
      for number in sectionsInOrder {
        order.remove(number)
        numbers[id(ofSection: number)] = nil
      }
      for number in before { numbers[id(ofSection: number)] = number }
      order.build(0, of: before.map { ($0, sectionSums($0)) })
    }
    finishChange()
  }

  /// Removes an empty leaf, and merges a small leaf with a small neighbor.
  private mutating func tidy(_ leaf: Int) {
    let count = leaves[leaf].items.count
    if count == 0 {
      forest.remove(leaf)
      forest.free(leaf)
    } else if count < Leaf.capacity / 4 {
      if let next = forest.element(after: leaf), merge(next, into: leaf) { return }
      if let last = forest.element(before: leaf) { _ = merge(leaf, into: last) }
    }
  }

  /// Moves the items of a leaf into the one before it if both are small. Returns whether it did.
  private mutating func merge(_ leaf: Int, into last: Int) -> Bool {
    let moved = leaves[leaf]
    let count = leaves[last].items.count
    guard count + moved.items.count <= Leaf.capacity / 2 else { return false }
    for item in moved.items { leafOf[item.id] = Int32(truncatingIfNeeded: last) }
    leaves[last].items += moved.items
    leaves[last].selected |= moved.selected << UInt64(count)
    leaves[last].edit = edit
    leaves[leaf] = Leaf(edit: edit)
    update(last)
    update(leaf)
    forest.remove(leaf)
    forest.free(leaf)
    return true
  }
}

extension ItemTree.Leaf {
  /// Returns whether the items of a range are selected.
  func flags(_ range: Range<Int>) -> [Bool] { range.map { selected >> UInt64($0) & 1 == 1 } }

  /// For each item, whether it is selected.
  var allFlags: [Bool] { flags(0..<items.count) }

  /// Notes that items change, or that others are inserted there.
  mutating func changeItems(_ range: Range<Int>) {
    head = min(head, range.lowerBound)
    tail = min(tail, items.count - range.upperBound)
  }

  /// Returns the ranges of the items that have changed, before and now.
  func changedItems(since before: Self) -> (old: Range<Int>, new: Range<Int>) {
    let least = min(items.count, before.items.count)
    let head = min(head, least)
    let tail = min(tail, least - head)
    return (head..<before.items.count - tail, head..<items.count - tail)
  }

  /// Removes an item and returns it.
  mutating func remove(at index: Int) -> Section.Item {
    let below = selected & (1 << UInt64(index) - 1)
    selected = below | (selected >> 1 & ~(1 << UInt64(index) - 1))
    return items.remove(at: index)
  }
}
