import ListDiff

// The trees of a composite or a view and those of its sources have the same occurrences of each
// identity. For this, the trees of a composite are made from those of its sources, and made again
// after a tree of a source was.
extension ListStore {
  /// Reports whether the identifier table has room for the keys of that many repeated items.
  func hasRoom(forRepeats count: Int) -> Bool {
    count == 0 || !ids.mayOverflow(for: Double(count), 0)
  }

  /// Returns the number of keys that the repeated items of a list may need if it becomes a tree.
  func repeatedCount(_ list: NamedList) -> Int {
    if !mayRepeat(list) { return 0 }
    return list.isView ? list.sourceSize.items : list.itemCount
  }

  /// Returns whether items of a list have keys of repeated items, or will have if it becomes a tree.
  private func mayRepeat(_ list: NamedList) -> Bool {
    list.hasRepeats
      || list.tree == nil && list.sources?.contains { lists[$0]?.hasRepeats == true } == true
  }

  /// Converts a list to a tree if it is kept as a snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of its items and of those of composites with
  ///   repeated items that it is part of; O(1) for a tree.
  mutating func makeTree(of name: [UInt8]) {
    guard let list = lists[name], list.tree == nil else { return }
    lists[name]!.snapshot = Snapshot()
    lists[name]!.tree = tree(of: list)
    remakeRepeats(inCompositesOf: name)
  }

  /// Converts the list at an index of ``lists`` to a tree, unless it is a composite or brief, or its items
  /// have parts or repeat. Its composites do not follow if its content is not `new`.
  ///
  /// - Complexity: O(*n*) to add up the sizes of texts.
  mutating func keepAsTree(at index: ListTable.Index, isNew: Bool) {
    let list = lists[at: index]
    guard list.sources == nil, !list.isTree, !list.hasRepeats, !list.snapshot.hasParts,
      !isBrief(list, list.itemCount)
    else { return }
    lists[at: index].tree = ListTree(list, universe: ids.universe)
    lists[at: index].snapshot = Snapshot()
    lists[at: index].mark(Selection(count: 0), cursor: list.cursor)
    if !isNew { remakeRepeats(inCompositesOf: list.name) }
  }

  /// Gives the composites and views of a list, except for some, other keys if their items or its own have or had several keys of
  /// an identity, because the list has got other keys. Composites become snapshots, and views are evaluated
  /// again. A view may show one item of several.
  mutating func remakeRepeats(
    inCompositesOf name: [UInt8], except others: Set<[UInt8]> = []
  ) {
    let mayRepeat = lists[name]?.hasRepeats == true
    // Few lists have any, and a chain of composites is long.
    guard
      mayRepeat || lists.values.contains(where: { $0.sources != nil && $0.isTree && $0.hasRepeats })
    else { return }
    for composite in dependents(of: name) where !others.contains(composite) {
      guard var list = lists[composite], list.isTree, mayRepeat || list.hasRepeats else { continue }
      if let view = list.view {
        let shown = list.shownItems
        let made = evaluatedAnew(list, view.rules, list.sourceStates, anchor: view.anchorItem)
        _ = setTrees(of: &list, made, shown, list.sourceMarks)
        lists[composite] = list
      } else {
        flatten(composite)
      }
    }
  }

  /// Creates a tree of a list that is kept as a snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func tree(of list: NamedList) -> ListTree {
    var list = list
    let repeats = makeDistinct(
      &list.snapshot, madeOf: list.sources?.map { lists[$0] } ?? [list])
    var tree = ListTree(list, universe: ids.universe)
    tree.repeats = repeats
    return tree
  }

  /// Gives the items of a snapshot, which is made of some lists, keys of their own. They correspond to
  /// the keys of those lists that are kept as trees.
  mutating func makeDistinct(
    _ snapshot: inout Snapshot, madeOf sources: [NamedList?]
  ) -> RepeatedItems {
    let mayRepeat = snapshot.arrangement.hasRepeats
    var repeats = RepeatedItems()
    var seen = Set<UInt32>()
    func add(_ number: UInt32, at item: Int, _ snapshot: inout Snapshot, _ ids: inout IDTable) {
      let base = snapshot.arrangement.rows[item]
      // Without room for it, the change is undone.
      guard let key = ids.internOccurrence(number, of: base) else { return }
      repeats.add(key, of: base)
      snapshot.arrangement.rows[item] = key
    }
    var end = 0
    for source in sources {
      guard let source else { continue }
      let start = end
      end += source.tree?.itemCount ?? source.itemCount
      if let tree = source.tree, !tree.repeats.isEmpty {
        for (item, key) in tree.keys.enumerated() where tree.identity(of: key) != key {
          add(ids.occurrence(of: key)!.number, at: start + item, &snapshot, &ids)
        }
      } else if mayRepeat {
        for item in start..<end {
          let base = snapshot.arrangement.rows[item]
          if seen.insert(base).inserted { continue }
          add(repeats.count(of: base) + 1, at: item, &snapshot, &ids)
        }
      }
    }
    return repeats
  }

  // MARK: Pairing

  /// Exchanges keys of items with the same identity, so that the current change of a tree is small.
  /// Returns whether the list is the same as before, whatever the keys are.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items in modified leaves and in deleted
  ///   sections and *n* the number of items; if the number of items is unchanged O(*m* log *n*)
  ///   more, where *m* is the number of items between the first modification and the first item
  ///   that differs.
  mutating func pairRepeats(in tree: inout ListTree) -> Bool {
    guard let keys = keysToExchange(in: &tree) else { return false }
    tree.exchange(keys, keepsSelection: false)
    return TreeComparison(tree, universe: ids.universe).isSameList(tree, rules)
  }

  /// Exchanges keys likewise in the shown tree of a view and in its other trees.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items in modified leaves of the shown
  ///   tree, and *n* the number of items.
  mutating func pairRepeats(in shown: inout ListTree, of view: inout LiveView) {
    guard let keys = keysToExchange(in: &shown) else { return }
    shown.exchange(keys, keepsSelection: view.definition.selectsInSources)
    view.exchange(keys)
  }

  /// Returns the keys to exchange so that the current change of a tree is small; `nil` if it names no
  /// items that repeat.
  private mutating func keysToExchange(in tree: inout ListTree) -> [KeyChange]? {
    if tree.repeats.isEmpty { return nil }
    tree.saveDeletedSections()
    let comparison = TreeComparison(tree, universe: ids.universe)
    guard comparison.hasRepeats(of: tree) else { return nil }
    engine.rowWeights = comparison.old.rowCounts
    defer { engine.rowWeights = [] }
    engine.match(
      comparison.old.identities(of: tree), comparison.new.identities(of: tree),
      universe: max(ids.universe, comparison.universe),
      shown: (comparison.old.shown, comparison.new.shown))
    return comparison.keysToExchange(engine.matching, tree)
  }
}

extension ListTree {
  /// Undoes a change that leaves the list the same, except for its forced updates.
  mutating func undoExceptForcedUpdates() {
    let forcedItems = change.forcedItems.compactMap { key, change in
      index(ofKey: key).map { ($0, change) }
    }
    let forcedSections = change.forcedSections
    undoChange()
    change.forcedSections = forcedSections
    for (item, forced) in forcedItems {
      guard let location = location(at: item) else { continue }
      save(location.leaf)
      change.forcedItems[record(at: location).key] = forced
    }
  }
}
