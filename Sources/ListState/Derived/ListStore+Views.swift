import ListDiff

extension ListStore {
  /// Makes a list a view of other lists, or a view a plain composite. The sources of `list` are
  /// set.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of items of the sources.
  /// - Throws: `anchorNotFound`, and what ``compose(_:of:as:_:)`` throws.
  mutating func makeView(
    _ list: NamedList, _ view: ViewRequest?, _ request: ChangeRequest
  ) throws(ListFailure) -> (change: ComparedChange, shared: [SelectionChange]) {
    let isKept = list.view != nil && lists[list.name]?.sources == list.sources
    let known = isKept ? list.live : preparedView(of: list)
    var sources = known?.evaluable(view?.rules, using: &keyIndices, isStopped: isCancelled)
    if sources == nil, !isCancelled() {
      sources = ViewSources(viewItems(of: list, isStopped: isCancelled))
    }
    if let view, sources != nil, !link(&sources!.items, view.rules, isStopped: isCancelled) {
      sources = nil
    }
    guard var sources, !isCancelled() else { throw .cancelled }
    let toNew = isKept ? nil : itemMap(from: list, to: sources.items.snapshot)
    if known == nil, let toNew { sources.setEarlier(items: list.live, toNew) }
    var anchor = (item: list.view?.anchorItem, toNew: toNew)
    if let reference = view?.anchor {
      anchor = (try item(anchoring: reference, list, sources.items.snapshot), nil)
    }
    return try show(
      list, view?.rules, sources, anchor: anchor, toNew: toNew, request, isCancellable: true)
  }

  /// Returns another view of the same sources, whose items and prepared data a view then shares; `nil` if there
  /// is none.
  ///
  /// - Complexity: O(*c*), where *c* is the number of composites of the first source.
  private func preparedView(of list: NamedList) -> LiveView? {
    guard let sources = list.sources, let first = sources.first else { return nil }
    for name in inOrderOfCreation(composition.composites(of: first)) where name != list.name {
      guard let other = lists[name], other.isView, other.sources == sources, !other.hasRepeats,
        other.keySource == list.keySource
      else { continue }
      return other.live
    }
    return nil
  }

  /// Updates a view after changes of its sources. Returns `nil` if there is nothing to report.
  mutating func followView(_ list: NamedList) -> ComparedChange? {
    guard let view = list.view else { return nil }
    var sources = ViewSources(viewItems(of: list))
    _ = link(&sources.items, view.rules) { false }
    let toNew = itemMap(from: list, to: sources.items.snapshot)
    sources.setEarlier(items: list.live, toNew)
    guard
      let change = try? show(
        list, view.rules, sources, anchor: (view.anchorItem, toNew), toNew: toNew, ChangeRequest(),
        isCancellable: false
      ).change,
      change.made.isReported || change.made.changesNumbers || change.changesMarks
    else { return nil }
    return change
  }

  /// Returns the new index of each item of a view's sources.
  private mutating func itemMap(from list: NamedList, to new: Snapshot) -> [Int32] {
    match(list.live?.sources.snapshot() ?? list.shownItems, new).rowsToNew
  }

  /// Returns the item of the sources to which a window is to be anchored, as an index. A path
  /// refers to the rows that the view showed before.
  private mutating func item(
    anchoring reference: ItemReference, _ list: NamedList, _ items: Snapshot
  ) throws(ListFailure) -> Int {
    var found: Int?
    /// Returns the item of `items` that an item of a snapshot has become.
    func item(_ section: Int, _ row: Int, of past: Snapshot, _ store: inout ListStore) -> Int? {
      store.paired(past, with: items).item(section: section, row: row)?.index
    }
    switch reference {
    case .path(let section, let row, nil):
      found = item(section, row, of: list.shownItems, &self)
    case .path(let section, let row, let revision?):
      let past = try list.snapshot(of: revision, isStopped: isCancelled)
      found = item(section, row, of: past, &self)
    case .id(let id, let occurrence, let source):
      var keys = id.map { self.keys(of: $0, in: list) } ?? []
      if let source, source != list.name {
        keys.removeAll { !path(ofItem: $0, in: list).contains(source) }
      }
      let wanted = Set(keys)
      found =
        items.arrangement.rows.indices.lazy
        .filter { wanted.contains(items.arrangement.rows[$0]) }.dropFirst(occurrence).first
    }
    guard let found else { throw .anchorNotFound }
    return found
  }

  /// Evaluates the definition of a view. Returns `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of items of the sources.
  func evaluate(
    _ rules: any ViewRules, _ sources: ViewSources, _ states: [Int: ExpansionState],
    isStopped: () -> Bool = { false }
  ) -> EvaluatedView? {
    var memory = sources.memory
    let arranged = rules.arrange(
      sources.items, &memory, before: sources.earlier, isStopped: isStopped)
    guard let arranged, !isStopped() else { return nil }
    var view = EvaluatedView(rules, sources.items, arranged)
    (view.memory, view.prepared) = (memory, sources.prepared)
    view.show(states)
    return view
  }

  /// Applies the rules of a view to the items of its sources, and carries over selection and
  /// cursor. Without rules, the list is a composite of all items.
  ///
  /// `toNew` maps the items of the sources to their new indices; `nil` if they are unchanged. The
  /// anchor is given with the map that it has to follow.
  private mutating func show(
    _ before: NamedList, _ rules: (any ViewRules)?, _ sources: ViewSources,
    anchor: (item: Int?, toNew: [Int32]?), toNew: [Int32]?, _ request: ChangeRequest,
    isCancellable: Bool
  ) throws(ListFailure) -> (change: ComparedChange, shared: [SelectionChange]) {
    let isStopped = isCancellable ? isCancelled : { false }
    let old = before.shownItems(isStopped: isStopped)
    if isStopped() { throw .cancelled }
    let marks = before.sourceMarks.mapped(by: toNew)
    var made: MadeView?
    if let rules {
      let states = before.sourceStates
      let evaluated = evaluate(rules, sources, states.mapped(by: toNew), isStopped: isStopped)
      guard var view = evaluated else { throw .cancelled }
      view.stateNumber = (before.view?.expansionNumber ?? 0) + (states.isEmpty ? 0 : 1)
      let namesItems = request.selected != nil || request.cursor != nil
      // The positions of selected items are needed, so that nothing can be sorted later.
      let isMarked =
        !marks.isEmpty || namesItems
        || rules.selectsInSources && hasSelection(inAnyOf: before.sources ?? [])
      if isMarked, !view.arrangement.sortAll(isStopped: isStopped) { throw .cancelled }
      if request.selected != nil { try makeOwnersDistinct(of: before, rules) }
      made = MadeView(list: before, cyclic: view.cyclicKeys)
      made!.keys = setTrees(
        of: &made!.list, view, anchor: anchor, marks, isComplete: namesItems, isStopped: isStopped)
      if isStopped() { throw .cancelled }
    }
    let shown = made?.list.shownItems ?? sources.items.snapshot
    if isCancellable { try checkComposites(of: before.name, from: old, to: shown) }
    let change =
      isCancellable ? try compareUnlessCancelled(old, shown) : compare(old, shown)
    if isStopped() { throw .cancelled }
    return try commit(before, made, change, from: old, to: shown, toNew: toNew, request)
  }

  /// Finds the items that a request selects in a list that is not stored yet, and the row of the cursor that it
  /// sets. Older revisions are those of the list `before`.
  mutating func resolve(
    _ request: ChangeRequest, in list: NamedList, _ before: NamedList
  ) throws(ListFailure) -> TreeSelection {
    if request.selected == nil, request.cursor == nil { return TreeSelection() }
    var known = KnownItems()
    for reference in request.references {
      try addPast(of: reference, in: before, to: &known, as: list)
    }
    let all = list.allTree!
    guard list.viewRules?.selectsInSources == true else {
      return try resolve(
        request.selected, cursor: request.cursor, in: list, all, &known,
        isSelectable: all.isSelectable)
    }
    let owners = SelectionOwners(self, list, all)
    return try resolve(request.selected, cursor: request.cursor, in: list, all, &known) {
      owners.modeBefore(owners.owner(of: all.index(of: $0), ids), self) != .none
    }
  }

  /// Selects items of a list that is not stored yet, and no others. Returns the changes of other lists, if
  /// these have the selection.
  mutating func select(
    _ items: [ListTree.Location], in list: inout NamedList
  ) -> [SelectionChange] {
    guard list.viewRules?.selectsInSources == true else {
      list.select(items)
      return []
    }
    let all = list.allTree!
    var owners = SelectionOwners(self, list, all)
    list.setMarks(
      owners.apply(.replace, to: items.map(all.index(of:)), in: 0..<all.itemCount, &self))
    list.finishChange()
    let changes = (consume owners).store(in: &self)
    let shared = followSelections(
      changes, of: list.name, list.sources, except: Set(dependents(of: [list.name])))
    list.select(inSources: selectedInSources(of: list))
    return shared
  }

  /// Returns the first row of the nearest shown ancestor of the item with the cursor, if that item
  /// is in an outline but collapsed. `keys` are those of the items of the sources.
  func raisedCursor(
    of before: NamedList, in list: NamedList, _ keys: [UInt32], _ toNew: [Int32]?,
    _ request: ChangeRequest
  ) -> Int? {
    guard let view = list.live, view.outline != nil, let all = view.all, let tree = list.tree,
      let cursor = before.cursor, request.cursorPolicy == .follow, !request.clearsCursor,
      let item = before.sourceItem(ofRow: cursor).flatMap({ $0.mapped(by: toNew) }),
      all.contains(keys[item])
    else { return nil }
    let raised = view.shownItem(above: keys[item], in: all)
    return raised == keys[item] ? nil : tree.location(of: raised).flatMap(tree.firstRow(of:))
  }

  /// Returns those of some items that a list showed as `selected` and that are not selected any more. `keys` are
  /// those of the items of a view's sources, to whose indices `toNew` maps those from `before`; `nil` if these were the
  /// items of the list itself.
  mutating func deselected(
    _ selected: [Int], of before: NamedList?, _ old: Snapshot, in list: NamedList,
    _ keys: [UInt32], _ toNew: [Int32]?
  ) -> [(key: UInt32, at: Path, isDeleted: Bool)] {
    if selected.isEmpty { return [] }
    let all = list.knownTree!
    return selected.compactMap { item in
      let known = before == nil ? item : before!.sourceItem(at: item)
      let source = known.flatMap { $0.mapped(by: toNew) }
      let location = source.flatMap {
        list.isView ? all.location(of: keys[$0]) : all.location(at: $0)
      }
      if location.map(all.isSelected) == true { return nil }
      if list.viewRules?.selectsInSources == true {
        // Items that are filtered away may still be selected in the sources, or below them.
        if let source {
          if list.live!.isSelected(keys[source]) { return nil }
        } else if isSelected(old.arrangement.rows[item], of: list) {
          return nil
        }
      }
      return (old.arrangement.rows[item], old.path(ofItem: item), location == nil)
    }
  }
}
