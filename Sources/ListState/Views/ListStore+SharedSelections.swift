import ListDiff

/// The item of an ordinary list whose selection a view shows.
private struct SelectionOwner: Hashable {
  /// The list that has the selection.
  var list: [UInt8]

  /// The index of the item among all items of that list.
  var item: Int
}

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

  /// Returns those of the items of a view that cannot be selected in the lists that have their
  /// selection, as indices into `items`.
  mutating func notSelectable(_ items: [Int], of list: NamedList) -> [Int] {
    settleOwners(of: list)
    let owners = OwnerTable(self, list)
    var selections = OwnedSelections()
    return items.indices.filter { selections.mode(owners[items[$0]], &self) == .none }
  }

  /// Applies the selection of a request to the lists that have the selection of a view's items, by
  /// the rules of these lists. `list` gets the marks of the request; the selection is shown in it
  /// afterwards.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the view and of the lists that have
  ///   its selection.
  /// - Returns: The changes of these lists, by name.
  mutating func selectInSources(
    _ action: SelectionAction, _ named: [Int], in range: Range<Int>, of list: inout NamedList
  ) -> [[UInt8]: SelectionChange] {
    settleOwners(of: list)
    var marks = list.fullSelection
    var selections = OwnedSelections()
    let owners = OwnerTable(self, list)
    let scope = SelectionScope(range: range, shown: list.view?.shownPositions)
    let isExtension = action == .extend && marks.anchor != nil
    for position in isExtension ? marks.extended : [] where scope.isShown(position) {
      selections.remove(owners[position], &self)
    }
    marks.extended = []
    switch action {
    case .extend where isExtension:
      guard let last = named.last, let anchor = marks.anchor else { break }
      if selections.mode(owners[last], &self) == .single {
        if selections.apply(.select, owners[last], &self) { marks.extended = [last] }
      } else {
        for position in min(anchor, last)...max(anchor, last)
        where scope.isShown(position) && selections.mode(owners[position], &self) == .multiple {
          if selections.insert(owners[position], &self) { marks.extended.append(position) }
        }
      }
    case .toggle, .select, .deselect:
      for owner in owners.distinct(named) { selections.apply(action, owner, &self) }
    case .replace, .extend:
      for position in range where scope.isShown(position) {
        selections.remove(owners[position], &self)
      }
      let named = action == .extend ? Array(named.suffix(1)) : named
      for owner in owners.distinct(named) { selections.apply(.select, owner, &self) }
    case .none:
      for position in range where scope.isShown(position) {
        selections.remove(owners[position], &self)
      }
    case .all, .invert:
      var seen: Set<SelectionOwner> = []
      for owner in range.lazy.filter(scope.isShown).map({ owners[$0] })
      where seen.insert(owner).inserted {
        guard selections.mode(owner, &self) == .multiple else { continue }
        if !selections.insert(owner, &self), action == .invert { selections.remove(owner, &self) }
      }
    }
    switch action {
    case .toggle, .select, .replace: marks.anchor = named.last ?? marks.anchor
    case .extend: marks.anchor = marks.anchor ?? named.last
    default: break
    }
    list.fullSelection = marks
    return selections.store(in: &self)
  }

  /// Converts to snapshots all views between a view and the lists that have its selection.
  private mutating func settleOwners(of list: NamedList) {
    var names = list.sources ?? []
    while let name = names.popLast() {
      guard lists[name]?.view?.rules.selectsInSources == true else { continue }
      flatten(name)
      names += lists[name]!.sources ?? []
    }
  }

  /// Shows changed selections in all views that share them, except for some. Returns the given
  /// changes and those of the views, each list after its sources.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources of the views.
  mutating func followSelections(
    _ changes: [[UInt8]: SelectionChange], except others: Set<[UInt8]> = []
  ) -> [SelectionChange] {
    var changes = changes
    var result: [SelectionChange] = []
    for name in dependents(of: Array(changes.keys)) where !others.contains(name) {
      if let change = changes[name] {
        result.append(change)
        continue
      }
      guard lists[name]?.view?.rules.selectsInSources == true,
        lists[name]?.sources?.contains(where: { changes[$0]?.changesMarks == true }) == true
      else { continue }
      flatten(name)
      var list = lists[name]!
      let (before, shown) = (list.fullSelection.items, list.selection.items)
      showSelectionOfSources(in: &list)
      if list.fullSelection.items != before { store(list) }
      guard list.selection.items != shown else { continue }
      let change = SelectionChange(of: list, since: shown, changesMarks: true)
      changes[name] = change
      result.append(change)
    }
    return result
  }

  /// Returns whether any view shows the selection of a list.
  func sharesSelection(_ name: [UInt8]) -> Bool {
    !composition.isEmpty
      && dependents(of: name).contains { lists[$0]?.view?.rules.selectsInSources == true }
  }
}

/// Finds the lists that have the selection of a view's items.
private struct OwnerTable {
  /// A view between the requested one and a list that has the selection.
  private struct Step {
    let order: [Int32]
    let sourceStarts: [Int]

    /// For each source its list, and the index of its step if it is a view that shows the selection
    /// of its sources.
    let sources: [(list: [UInt8], view: ViewState?, step: Int?)]
  }

  /// The views between; the first is the requested one, unless it has its own selection.
  private var steps: [Step] = []
  private let name: [UInt8]

  init(_ store: borrowing ListStore, _ list: NamedList) {
    name = list.name
    guard list.view?.rules.selectsInSources == true else { return }
    var views = [list]
    var indices = [list.name: 0]
    var next = 0
    while next < views.count {
      let view = views[next]
      next += 1
      var sources: [(list: [UInt8], view: ViewState?, step: Int?)] = []
      for name in view.sources ?? [] {
        let source = store.lists[name]
        if let source, source.view?.rules.selectsInSources == true, indices[name] == nil {
          indices[name] = views.count
          views.append(source)
        }
        sources.append((name, source?.view, indices[name]))
      }
      steps.append(
        Step(
          order: view.view!.arrangement.order, sourceStarts: view.view!.items.sourceStarts,
          sources: sources))
    }
  }

  subscript(position: Int) -> SelectionOwner {
    var owner = SelectionOwner(list: name, item: position)
    var step = steps.isEmpty ? nil : 0
    while let index = step {
      let item = Int(steps[index].order[owner.item])
      // If several sources begin at the same item, all but the last are empty.
      let source = steps[index].sourceStarts.lastIndex { $0 <= item } ?? 0
      let found = steps[index].sources[source]
      let shown = item - steps[index].sourceStarts[source]
      owner = SelectionOwner(
        list: found.list, item: found.view?.position(ofShown: shown) ?? shown)
      step = found.step
    }
    return owner
  }

  /// Returns the owners of some items. Several rows that show one item are one owner, at the first
  /// index.
  func distinct(_ named: [Int]) -> [SelectionOwner] {
    var positions: [SelectionOwner: Int] = [:]
    return named.compactMap { position in
      let owner = self[position]
      guard positions[owner, default: position] == position else { return nil }
      positions[owner] = position
      return owner
    }
  }
}

/// The selections of lists during a change.
private struct OwnedSelections {
  private struct Owned {
    let list: NamedList
    let all: Snapshot
    var selection: Selection
  }

  private var lists: [[UInt8]: Owned] = [:]
  private var names: [[UInt8]] = []

  private mutating func open(_ owner: SelectionOwner, _ store: inout ListStore) {
    guard lists[owner.list] == nil else { return }
    store.flatten(owner.list)
    let list = store.lists[owner.list]!
    lists[owner.list] = Owned(
      list: list, all: store.allItems(of: list), selection: list.fullSelection)
    names.append(owner.list)
  }

  /// Returns the selection mode of an item's section; `none` if the item cannot be selected.
  mutating func mode(_ owner: SelectionOwner, _ store: inout ListStore) -> SelectionMode {
    open(owner, &store)
    let all = lists[owner.list]!.all
    guard all.isSelectable(owner.item) else { return .none }
    return all.sections[all.section(ofItem: owner.item)].selectionMode
  }

  /// Selects an item in addition to others. Returns whether it was not selected before.
  mutating func insert(_ owner: SelectionOwner, _ store: inout ListStore) -> Bool {
    open(owner, &store)
    return lists[owner.list]!.selection.items.insert(owner.item)
  }

  /// Deselects an item, whatever the rules are.
  mutating func remove(_ owner: SelectionOwner, _ store: inout ListStore) {
    open(owner, &store)
    lists[owner.list]!.selection.items.remove(owner.item)
  }

  /// Applies an action to an item by the rules of its list. Returns whether the item was not
  /// selected before.
  @discardableResult
  mutating func apply(
    _ action: SelectionAction, _ owner: SelectionOwner, _ store: inout ListStore
  ) -> Bool {
    open(owner, &store)
    let owned = lists[owner.list]!
    lists[owner.list]!.selection.apply(action, to: [owner.item], section: nil, in: owned.all)
    return !owned.selection.items.contains(owner.item)
  }

  /// Stores the changed selections. Returns the changes of what the lists show, by name.
  mutating func store(in store: inout ListStore) -> [[UInt8]: SelectionChange] {
    var changes: [[UInt8]: SelectionChange] = [:]
    for name in names {
      let owned = lists[name]!
      var list = owned.list
      let before = list.selection.items
      list.fullSelection = owned.selection
      store.store(list)
      let changesMarks = before != list.selection.items
      changes[name] = SelectionChange(of: list, since: before, changesMarks: changesMarks)
    }
    return changes
  }
}
