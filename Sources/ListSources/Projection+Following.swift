internal import SumTrees

extension Projection {
  /// Makes a tree follow a list in which some items have changed.
  func follow(
    _ items: [Item.ID], sectionsChanged: Bool, _ base: ItemTree<Base>,
    _ tree: inout ItemTree<Section>
  ) {
    var groups: [Int: Item.ID?] = [:]
    for item in items {
      guard let location = tree.location(of: item) else { continue }
      noteGroup(tree.forest.tree(of: location.leaf), tree, &groups)
      tree.remove(at: location)
    }
    if sectionsChanged, case .all(let make) = sections {
      tree.adoptSections(base.listedSections.map(make))
    }
    for item in items {
      guard let location = base.location(of: item) else { continue }
      if let range, !range.contains(base.index(of: location)) { continue }
      let item = base.leaves[location.leaf].items[location.index]
      guard let listed = base.sections[base.forest.tree(of: location.leaf)],
        let id = section(item, listed.id), let number = number(of: id, listed, &tree)
      else { continue }
      noteGroup(number, tree, &groups)
      tree.insert([item], at: insertionPoint(of: item, location, number, base, &tree))
    }
    if case .ofItems = sections { place(groups, Set(items), base, &tree) }
  }

  /// Returns the number of a section, which is inserted if it belongs to items.
  private func number(
    of id: Section.ID, _ listed: Base, _ tree: inout ItemTree<Section>
  ) -> Int? {
    if let number = tree.numbers[id] { return number }
    guard case .ofItems(let make) = sections else { return nil }
    return tree.insertSection(make(id, listed), after: tree.order.last(ofTree: 0))
  }

  /// Returns where an item is inserted into a section, given its location in the list that is followed.
  private func insertionPoint(
    of item: Item, _ location: ItemLocation, _ number: Int, _ base: ItemTree<Base>,
    _ tree: inout ItemTree<Section>
  ) -> ItemLocation {
    let place = base.place(of: location)
    return tree.lowerBound(inSection: number) { other in
      if let order {
        if order.precedes(other, item) { return true }
        if order.precedes(item, other) { return false }
      }
      return base.hasItem(other.id, before: place)
    }
  }

  /// Returns some items that have changed, and those that enter or leave a range because of these.
  ///
  /// The items of the tree that have not changed follow each other in the list that is followed, but for
  /// changed ones between them. So only those at the ends can leave the range.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of all these items.
  func edges(
    of tree: ItemTree<Section>, besides items: [Item.ID], _ range: Range<Int>,
    _ base: ItemTree<Base>
  ) -> [Item.ID] {
    var changed = Set(items)
    var all = items
    func add(_ item: Item.ID) { if changed.insert(item).inserted { all.append(item) } }
    /// Returns the index in the base of the first or last item that is in the range.
    func firstKept(_ indices: some Collection<Int>) -> Int? {
      for index in indices {
        guard let item = tree.items(index..<index + 1).first?.id, !changed.contains(item),
          let location = base.location(of: item)
        else { continue }
        let place = base.index(of: location)
        if range.contains(place) { return place }
        add(item)
      }
      return nil
    }
    let own = 0..<tree.itemCount
    let present = range.clamped(to: 0..<base.itemCount)
    if let first = firstKept(own), let last = firstKept(own.reversed()) {
      for item in base.items(min(present.lowerBound, first)..<first) { add(item.id) }
      for item in base.items(last + 1..<max(last + 1, present.upperBound)) { add(item.id) }
    } else {
      for item in base.items(present) { add(item.id) }
    }
    return all
  }

  // MARK: Sections of items

  /// Notes the first item of a section before it changes.
  private func noteGroup(
    _ number: Int, _ tree: ItemTree<Section>, _ groups: inout [Int: Item.ID?]
  ) {
    guard case .ofItems = sections, groups[number] == nil else { return }
    groups[number] = .some(tree.firstItem(ofSection: number)?.id)
  }

  /// Removes sections without items, and moves those whose first items have changed to their places.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of these sections.
  private func place(
    _ groups: [Int: Item.ID?], _ changed: Set<Item.ID>, _ base: ItemTree<Base>,
    _ tree: inout ItemTree<Section>
  ) {
    var moving: [(number: Int, before: Int?)] = []
    for (number, before) in groups {
      guard let first = tree.firstItem(ofSection: number)?.id else {
        tree.removeSection(number)
        continue
      }
      if first != before || changed.contains(first) {
        moving.append((number, tree.order.element(before: number)))
      }
    }
    // The others are in order, among which these are placed.
    for (number, _) in moving { tree.order.remove(number) }
    for (number, before) in moving {
      guard let first = tree.firstItem(ofSection: number)?.id,
        let location = base.location(of: first)
      else { continue }
      let place = base.place(of: location)
      let last = tree.lastSection { other in
        tree.firstItem(ofSection: other).map { base.hasItem($0.id, before: place) } ?? true
      }
      tree.order.insert(number, tree.sectionSums(number), after: last, inTree: 0)
      if last != before { tree.log.moveSection() }
    }
  }
}
