import ListDiff

extension ListStore {
  /// Returns the items of a list's sources that are selected there, in the order of the sources.
  ///
  /// - Complexity: O(*k* + *s*), where *k* is the number of selected items and *s* that of sources.
  func selectedInSources(of list: NamedList) -> [Int] {
    guard let view = list.view, let sources = list.sources else { return [] }
    return zip(sources, view.items.sourceStarts).flatMap { source, start in
      (lists[source]?.selectedItems ?? []).map { $0 + start }
    }
  }

  /// Returns whether any item of some lists is selected.
  func hasSelection(inAnyOf sources: [[UInt8]]) -> Bool {
    sources.contains { (lists[$0]?.fullSelection.items.count ?? 0) > 0 }
  }

  /// Gives a view the selection of its sources. The anchor of the selection and the items it was
  /// extended to are kept.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  func showSelectionOfSources(in list: inout NamedList) {
    guard let view = list.view, view.rules.selectsInSources else { return }
    var selection = Selection(count: view.arrangement.count)
    selection.anchor = view.selection.anchor
    selection.extended = view.selection.extended
    let selected = selectedInSources(of: list)
    if !selected.isEmpty {
      let positions = view.positions
      for item in selected where positions[item] >= 0 {
        selection.items.insert(Int(positions[item]))
      }
    }
    list.fullSelection = selection
  }

  /// Converts a list, and all lists that have the selection of its items, to trees.
  ///
  /// - Throws: `overflow`, `cancelled`.
  mutating func makeOwnersLive(of list: NamedList) throws(ListFailure) {
    var owners: Set<[UInt8]> = []
    var rest = list.viewRules?.selectsInSources == true ? list.sources ?? [] : []
    while let name = rest.popLast() {
      guard let source = lists[name], owners.insert(name).inserted else { continue }
      if source.viewRules?.selectsInSources == true { rest += source.sources ?? [] }
    }
    // A view that is being made is stored later.
    if lists[list.name]?.isIdentical(to: list) == true { owners.insert(list.name) }
    if owners.allSatisfy({ lists[$0]!.isTree }) { return }
    guard hasRoom(forRepeats: owners.reduce(0) { $0 + repeatedCount(lists[$1]!) }) else {
      throw .overflow(.keys(limit: ids.limits.keys))
    }
    // What takes long until the lists are trees can be cancelled.
    for name in owners where !lists[name]!.isTree {
      _ = try allItemsUnlessCancelled(of: lists[name]!)
    }
    finishEdits()
    makeLive(dependents(of: inOrderOfCreation(owners)).filter(owners.contains))
  }

  /// Returns the lists that have the selection of a view that is not stored yet, and that shows the selection
  /// of its sources.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the view and of these lists.
  private mutating func owners(of list: NamedList) throws(ListFailure) -> SelectionOwners {
    try makeOwnersLive(of: list)
    var list = list
    showSelectionOfSources(in: &list)
    let repeats = makeDistinct(&list)
    let view = list.view!
    return SelectionOwners(
      self, list, allTree(of: list, view, repeats, count: view.arrangement.count))
  }

  /// Returns those of the items of a view that is not stored yet that cannot be selected in the lists that have
  /// their selection, as indices into `items`.
  mutating func notSelectable(
    _ items: [Int], of list: NamedList
  ) throws(ListFailure) -> [Int] {
    let owners = try owners(of: list)
    return items.indices.filter {
      owners.modeBefore(owners.owner(of: items[$0], ids), self) == .none
    }
  }

  /// Selects items of a view that is not stored yet, and no others, by the rules of the lists that have their
  /// selection. The view gets the marks of the request; the selection is shown in it afterwards.
  ///
  /// - Complexity: That of ``owners(of:)``.
  /// - Returns: The changes of these lists, by name.
  mutating func selectInSources(
    _ named: [Int], of list: inout NamedList
  ) throws(ListFailure) -> [[UInt8]: SelectionChange] {
    var owners = try owners(of: list)
    var selection = list.fullSelection
    var marks = PositionMarks(anchor: selection.anchor, extended: selection.extended)
    owners.apply(.replace, to: named, in: 0..<owners.all.itemCount, &marks, &self)
    (selection.anchor, selection.extended) = (marks.anchor, marks.extended)
    list.fullSelection = selection
    return owners.store(in: &self)
  }

  /// Shows changed selections in all views that share them, except for some. Returns the given
  /// changes, which are of a list or of its sources, and those of the views, each list after its
  /// sources.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources of the views.
  mutating func followSelections(
    _ changes: [[UInt8]: SelectionChange], of name: [UInt8], except others: Set<[UInt8]> = []
  ) -> [SelectionChange] {
    var changes = changes
    var result: [SelectionChange] = []
    let changed = inOrderOfSources(Set(changes.keys), of: name)
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
    if let deltas = selectionDeltas(changes, in: name),
      let (change, _) = try? follow(deltas, inView: name, lists[name]!.sources!)
    {
      return change.marking
    }
    flatten(name)
    var list = lists[name]!
    let (before, shown) = (list.fullSelection.items, list.selection.items)
    showSelectionOfSources(in: &list)
    if list.fullSelection.items != before { store(list) }
    guard list.selection.items != shown else { return nil }
    return SelectionChange(of: list, since: shown, changesMarks: true)
  }

  /// Returns changed selections of a view's sources by value, or `nil` if the view or one of these
  /// sources is not kept as a tree.
  mutating func selectionDeltas(
    _ changes: [[UInt8]: SelectionChange], in name: [UInt8]
  ) -> [(delta: TreeDelta, head: Int)]? {
    guard let list = lists[name], list.live != nil else { return nil }
    var deltas: [(delta: TreeDelta, head: Int)] = []
    for source in list.sources ?? [] where changes[source]?.changesMarks == true {
      guard let delta = selectionDelta(of: source) else { return nil }
      deltas.append((renamed(delta, of: source, in: name), 0))
    }
    return deltas
  }

  /// Returns the changed selection of a list by value; `nil` if it is not kept as a tree.
  func selectionDelta(of name: [UInt8]) -> TreeDelta? {
    guard let change = lists[name]?.tree?.selectionChange else { return nil }
    var delta = TreeDelta()
    (delta.selected, delta.deselected) = change
    return delta
  }

  /// Returns whether any view shows the selection of a list.
  func sharesSelection(_ name: [UInt8]) -> Bool {
    !composition.isEmpty
      && dependents(of: name).contains { lists[$0]?.viewRules?.selectsInSources == true }
  }
}
