import ListDiff

extension ListStore {
  /// Returns the items of a list's sources that are selected there, in the order of the sources. `starts` has the
  /// number of items before each source.
  ///
  /// - Complexity: O(*k* + *s*), where *k* is the number of selected items and *s* that of sources.
  func selectedInSources(of list: NamedList, _ starts: [Int]? = nil) -> [Int] {
    zip(list.sources ?? [], starts ?? list.live!.sourceStarts).flatMap { source, start in
      (lists[source]?.selectedItems ?? []).map { $0 + start }
    }
  }

  /// Returns whether any item of some lists is selected.
  func hasSelection(inAnyOf sources: [[UInt8]]) -> Bool {
    sources.contains { (summary(of: $0)?.selected ?? 0) > 0 }
  }

  /// Gives each item of a list, and of all lists that have the selection of its items if it is a view by some
  /// rules, a key of its own.
  ///
  /// - Throws: `overflow`.
  mutating func makeOwnersDistinct(
    of list: NamedList, _ rules: (any ViewRules)?
  ) throws(ListFailure) {
    var owners: Set<[UInt8]> = []
    var rest = rules?.selectsInSources == true ? list.sources ?? [] : []
    while let name = rest.popLast() {
      guard let source = lists[name], owners.insert(name).inserted else { continue }
      if source.viewRules?.selectsInSources == true { rest += source.sources ?? [] }
    }
    // A view that is being made is stored later.
    if lists[list.name]?.isIdentical(to: list) == true { owners.insert(list.name) }
    if owners.allSatisfy({ lists[$0]!.tree!.hasDistinctKeys }) { return }
    finishEdits()
    try makeDistinct(dependents(of: inOrderOfCreation(owners)).filter(owners.contains))
  }

  /// Shows changed selections in all views that share them, except for some. Returns the given
  /// changes, which are of a list or of its sources, and those of the views, each list after its
  /// sources. The list has other `sources` if it is not stored yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources of the views.
  mutating func followSelections(
    _ changes: [[UInt8]: SelectionChange], of name: [UInt8], _ sources: [[UInt8]]? = nil,
    except others: Set<[UInt8]> = []
  ) -> [SelectionChange] {
    var changes = changes
    var result: [SelectionChange] = []
    let changed = inOrderOfSources(
      Set(changes.keys), of: name, sources ?? peek(name)?.sources ?? [])
    for name in dependents(of: changed) where !others.contains(name) {
      if let change = changes[name] {
        result.append(change)
        continue
      }
      guard lists[name]?.view?.rules.selectsInSources == true,
        lists[name]?.sources?.contains(where: { changes[$0]?.changesMarks == true }) == true
      else { continue }
      guard let change = followSelections(changes, in: name) else { continue }
      changes[name] = change
      result.append(change)
    }
    return result
  }

  /// Shows changed selections of sources in a view that shares them. Returns the change of the view,
  /// or `nil` if it shows no item that was selected or deselected.
  private mutating func followSelections(
    _ changes: [[UInt8]: SelectionChange], in name: [UInt8]
  ) -> SelectionChange? {
    guard let deltas = selectionDeltas(changes, in: name) else { return nil }
    return try? follow(deltas, inView: name, lists[name]!.sources!).0.marking
  }

  /// Returns changed selections of a view's sources by value; `nil` for other lists.
  mutating func selectionDeltas(
    _ changes: [[UInt8]: SelectionChange], in name: [UInt8]
  ) -> [SourceDelta]? {
    guard let list = lists[name], list.live != nil else { return nil }
    var deltas: [SourceDelta] = []
    for source in list.sources ?? [] where changes[source]?.changesMarks == true {
      guard let delta = selectionDelta(of: source) else { return nil }
      deltas.append((renamed(delta, of: source, in: name), 0))
    }
    return deltas
  }

  /// Returns the changed selection of a list by value; `nil` if there is no such list.
  func selectionDelta(of name: [UInt8]) -> TreeDelta? {
    guard let change = lists[name]?.tree?.selectionChange else { return nil }
    var delta = TreeDelta()
    (delta.selected, delta.deselected) = change
    return delta
  }

  /// Reports whether an item that a list has had is selected, in the list or in the list that has its selection.
  /// Views between the list and that one need not have the item.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of these views and *n* the number of items of
  ///   the list that has the selection; O(*n*) if that list has not been edited since a snapshot.
  func isSelected(_ key: UInt32, of list: NamedList) -> Bool {
    var (list, key) = (list, key)
    while list.viewRules?.selectsInSources == true {
      let own = list.live?.exchangedKeys.sourceKey(of: key) ?? key
      guard let (source, item) = sourceItem(of: own, in: list), let next = lists[source] else {
        return false
      }
      (list, key) = (next, item)
    }
    guard let all = list.allTree else { return false }
    return all.location(of: key).map { all.isSelected($0) } ?? false
  }

  /// Returns whether any view shows the selection of a list.
  func sharesSelection(_ name: [UInt8]) -> Bool {
    !composition.isEmpty
      && dependents(of: name).contains { lists[$0]?.viewRules?.selectsInSources == true }
  }
}
