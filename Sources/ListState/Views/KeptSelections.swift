import ListDiff

/// Finds items that are selected although a list does not show them any more: in the list, or in the
/// list that has its selection.
struct KeptSelections {
  /// The keys of the selected items of lists that are kept as snapshots.
  private var keys: [[UInt8]: Set<UInt32>] = [:]

  /// Reports whether an item that a list has had is selected. Views between the list and the one that
  /// has its selection need not have the item.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of these views and *n* the number of items of
  ///   the list that has the selection; O(*n*) for the first item of that list if it is kept as a
  ///   snapshot.
  mutating func contains(
    _ key: UInt32, of list: NamedList, _ store: inout ListStore
  ) -> Bool {
    var (list, key) = (list, key)
    while list.viewRules?.selectsInSources == true {
      let own = list.live?.exchangedKeys.sourceKey(of: key) ?? key
      guard let (source, item) = store.sourceItem(of: own, in: list),
        let next = store.lists[source]
      else { return false }
      (list, key) = (next, item)
    }
    if list.isTree, let all = list.allTree {
      return all.location(of: key).map { all.isSelected($0) } ?? false
    }
    if keys[list.name] == nil {
      let all = list.knownTree?.snapshot(isTidy: false) ?? list.snapshot
      keys[list.name] = Set(list.allSelectedItems.map { all.arrangement.rows[$0] })
    }
    return keys[list.name]!.contains(store.ids.base(of: key))
  }
}
