import ListDiff
import ListStages

// The trees of a composite or a view and those of its sources have the same occurrences of each
// identity. For this, the trees of a composite are made from those of its sources, and made again
// after a tree of a source was.
extension ListStore {
  /// Reports whether the identifier table has room for the keys of that many repeated items.
  func hasRoom(forRepeats count: Int) -> Bool {
    count == 0 || !ids.mayOverflow(for: Double(count), 0)
  }

  /// Returns the number of keys that the items of a list may need to have one each.
  func repeatedCount(_ list: NamedList) -> Int {
    if !list.hasRepeats { return 0 }
    return list.isView ? list.sourceSize.items : list.itemCount
  }

  /// Gives each item of some lists, and of the one that they are `behind`, a key of its own, so that they follow
  /// edits item by item. Each list precedes its composites. Nothing may have changed yet.
  ///
  /// - Complexity: O(*n*) for each list with items that repeat and have no such keys, where *n* is the number
  ///   of its items and of those of its composites; else O(1).
  /// - Throws: `overflow` if there is no room for the keys that these lists and their edits may need. Nothing has
  ///   changed then.
  mutating func makeDistinct(
    _ names: [[UInt8]], behind first: [UInt8]? = nil
  ) throws(ListFailure) {
    func count(of name: [UInt8]) -> Int { lists[name].map { repeatedCount($0) } ?? 0 }
    let count = names.reduce(first.map { count(of: $0) } ?? 0) { $0 + count(of: $1) }
    guard hasRoom(forRepeats: count) else {
      throw .overflow(.keys(limit: ids.limits.keys))
    }
    if let first { makeKeysDistinct(of: first) }
    for name in names { makeKeysDistinct(of: name) }
  }

  private mutating func makeKeysDistinct(of name: [UInt8]) {
    guard let list = lists[name], let tree = list.tree, !tree.hasDistinctKeys else { return }
    lists[name]!.tree = self.tree(of: list, tree.snapshot(), list.sourceMarks, isDistinct: true)
    remakeRepeats(inCompositesOf: name)
  }

  /// Gives the composites and views of a list, except for some, other keys if their items or its own have or had
  /// several keys of an identity, because the list has got other keys. Views are evaluated again: they may show one
  /// item of several.
  mutating func remakeRepeats(
    inCompositesOf name: [UInt8], except others: Set<[UInt8]> = []
  ) {
    if !ids.hasOccurrences { return }
    let mayRepeat = lists[name]?.hasRepeats == true
    // Few lists have any, and a chain of composites is long.
    guard mayRepeat || lists.values.contains(where: { $0.sources != nil && $0.hasRepeats }) else {
      return
    }
    for composite in dependents(of: name) where !others.contains(composite) {
      guard var list = lists[composite], mayRepeat || list.hasRepeats else { continue }
      if let view = list.view {
        let made = evaluatedAnew(list, view.rules, list.sourceStates)
        _ = setTrees(of: &list, made, anchor: (view.anchorItem, nil), list.sourceMarks)
      } else {
        list.tree = tree(of: list, list.shownItems, list.sourceMarks, isDistinct: false)
      }
      lists[composite] = list
    }
  }

  /// Gives a list that is not a view the tree of some items, with their marks.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func setTree(
    of list: inout NamedList, _ items: Snapshot, _ marks: SourceMarks, isComplete: Bool
  ) {
    if list.isView { (list.view, list.live) = (nil, nil) }
    let replaced = list.tree.take()
    list.tree = tree(of: list, items, marks, isDistinct: isComplete, replaced: consume replaced)
    if isComplete { list.indexKeys() }
  }

  /// Creates the tree of a list that is not a view, with marks of its items, in the memory of one that is `replaced`. If
  /// some repeat, they get keys of their own if that `isDistinct` or any has marks.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func tree(
    of list: NamedList, _ items: Snapshot, _ marks: SourceMarks, isDistinct: Bool,
    replaced: consuming ListTree? = nil
  ) -> ListTree {
    var items = items
    let mayRepeat =
      items.arrangement.hasRepeats
      || list.sources?.contains { lists[$0]?.hasRepeats == true } == true
    let isDistinct = !mayRepeat || isDistinct || !marks.isEmpty
    let repeats =
      mayRepeat && isDistinct ? makeDistinct(&items, madeOf: list.sources) : RepeatedItems()
    var tree = ListTree(
      items, of: list.name, universe: ids.universe, hasDistinctKeys: isDistinct,
      replaced: consume replaced)
    tree.repeats = repeats
    tree.mark(marks)
    return tree
  }

  /// Gives the items of a snapshot, which is made of some lists unless these are `nil`, keys of their own. They
  /// correspond to the keys of those lists.
  mutating func makeDistinct(
    _ snapshot: inout Snapshot, madeOf sources: [[UInt8]]?
  ) -> RepeatedItems {
    let mayRepeat = snapshot.arrangement.hasRepeats
    var repeats = RepeatedItems()
    /// The items with the key of one before them.
    var repeated: [Int] = []
    if mayRepeat { keyIndices.record(snapshot.arrangement.rows) { repeated.append($1) } }
    func add(_ number: UInt32, at item: Int, _ snapshot: inout Snapshot, _ ids: inout IDTable) {
      let base = snapshot.arrangement.rows[item]
      // Without room for it, the change is undone.
      guard let key = ids.internOccurrence(number, of: base) else { return }
      repeats.add(key, of: base)
      snapshot.arrangement.rows[item] = key
    }
    var end = 0
    var next = 0
    let trees = sources.map { $0.map { lists[$0]?.tree } } ?? [nil]
    for tree in trees {
      let start = end
      end += sources == nil ? snapshot.itemCount : tree?.itemCount ?? 0
      if let tree, !tree.repeats.isEmpty {
        for (item, key) in tree.keys.enumerated() where tree.identity(of: key) != key {
          add(ids.occurrence(of: key)!.number, at: start + item, &snapshot, &ids)
        }
        while next < repeated.count, repeated[next] < end { next += 1 }
      } else {
        while next < repeated.count, repeated[next] < end {
          let count = repeats.count(of: snapshot.arrangement.rows[repeated[next]])
          add(count + 1, at: repeated[next], &snapshot, &ids)
          next += 1
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
    engine.weights.rows = comparison.old.rowCounts
    defer { engine.weights.rows = [] }
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
