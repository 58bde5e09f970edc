import ListDiff

extension ListStore {
  /// Makes a list a view of other lists, or a view a plain composite. The sources of `list` are
  /// set.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of items of the sources.
  /// - Throws: `anchorNotFound`, and what ``compose(_:of:as:_:)`` throws.
  mutating func makeView(
    _ list: NamedList, _ view: ViewRequest?, _ request: ChangeRequest
  ) throws(ListFailure) -> (change: ListChange, shared: [SelectionChange]) {
    let isKept = list.view != nil && lists[list.name]?.sources == list.sources
    let other = isKept ? nil : preparedView(of: list)
    var items =
      isKept
      ? list.view!.items
      : other?.items ?? viewItems(of: list, isStopped: isCancelled)
    if isCancelled() { throw .cancelled }
    if let view, !link(&items, view.rules, isStopped: isCancelled) { throw .cancelled }
    let toNew = isKept ? nil : itemMap(from: list, to: items.snapshot)
    var anchor = list.view?.anchor
    if let view, view.rules.window?.isAnchored != true {
      anchor = nil
    } else if let reference = view?.anchor {
      anchor = .item(try item(anchoring: reference, list, items.snapshot))
    }
    let isMoved = view?.anchor != nil
    return try show(
      list, view?.rules, items, anchor: (anchor, isMoved ? nil : toNew), toNew: toNew, request,
      like: other, isCancellable: true)
  }

  /// Returns the state of another view of the same sources, whose items and prepared data a view then shares;
  /// `nil` if there is none.
  ///
  /// - Complexity: O(*c*), where *c* is the number of composites of the first source; O(*n*) if the other view
  ///   follows edits item by item, where *n* is the number of items of the sources.
  private mutating func preparedView(of list: NamedList) -> ViewState? {
    guard let sources = list.sources, let first = sources.first else { return nil }
    let names = inOrderOfCreation(composition.composites(of: first))
    let others = names.compactMap { lists[$0] }.filter {
      $0.name != list.name && $0.isView && $0.sources == sources && !$0.hasRepeats
        && $0.keySource == list.keySource
    }
    guard let other = others.first(where: { !$0.isTree }) ?? others.first else { return nil }
    var view = other.flattened(using: &keyIndices, isStopped: isCancelled)?.view
    view?.items.links = nil
    return view
  }

  /// Updates a view after changes of its sources. Returns `nil` if there is nothing to report.
  mutating func followView(
    _ list: NamedList, _ changes: [[UInt8]: ListChange]
  ) -> ListChange? {
    guard let view = list.view, let sources = list.sources else { return nil }
    var items = viewItems(of: list)
    _ = link(&items, view.rules) { false }
    items.snapshot.forcedUpdates = forcedUpdates(by: changes, in: sources)
    let toNew = itemMap(from: list, to: items.snapshot)
    guard
      let change = try? show(
        list, view.rules, items, anchor: (view.anchor, toNew), toNew: toNew, ChangeRequest(),
        isCancellable: false
      ).change,
      change.isRevision || !change.changes.stages.isEmpty || change.changesNumbers
        || change.changesMarks
    else { return nil }
    return change
  }

  /// Returns the new index of each item of a view's sources.
  private mutating func itemMap(from list: NamedList, to new: Snapshot) -> [Int32] {
    match(list.view?.items.snapshot ?? list.snapshot, new).rowsToNew
  }

  /// Returns the item of the sources to which a window is to be anchored, as an index. A path
  /// refers to the rows that the view showed before.
  private mutating func item(
    anchoring reference: ItemReference, _ list: NamedList, _ items: Snapshot
  ) throws(ListFailure) -> Int {
    var index = ItemIndex(
      of: items, forReferences: 1, isComposite: true, &keyIndices, ids)
    var past = PastRevisions(of: list)
    var found: Int?
    if case .path(let section, let row, nil) = reference {
      if let row = list.snapshot.row(section: section, row) {
        let past = PastSnapshot(
          snapshot: list.snapshot, itemsToNew: match(list.snapshot, items).rowsToNew)
        found = past.item(section: section, row: list.snapshot.path(ofRow: row).row)?.index
      }
    } else {
      found = try item(reference, in: items, of: list, &index, &past)
    }
    guard let found else { throw .anchorNotFound }
    return found
  }

  /// Applies the rules of a view to the items of its sources, and carries over selection and
  /// cursor. Without rules, the list is a composite of all items.
  ///
  /// `toNew` maps the items of the sources to their new indices; `nil` if they are unchanged. The
  /// anchor is given with the map that it has to follow. What `other` has prepared for the same items is
  /// used.
  mutating func show(
    _ before: NamedList, _ rules: (any ViewRules)?, _ items: ViewItems,
    anchor: (before: ViewAnchor?, toNew: [Int32]?), toNew: [Int32]?, _ request: ChangeRequest,
    like other: ViewState? = nil, isCancellable: Bool
  ) throws(ListFailure) -> (change: ListChange, shared: [SelectionChange]) {
    let isStopped = isCancellable ? isCancelled : { false }
    let source = items.snapshot
    var memory = other == nil ? before.view?.memory : other?.memory
    let earlier = toNew.flatMap { toNew in
      other != nil
        ? nil : before.view.map { EarlierViewItems(snapshot: $0.items.snapshot, toNew: toNew) }
    }
    let arranged = rules.map { $0.arrange(items, &memory, before: earlier, isStopped: isStopped) }
    guard let arrangement = arranged ?? ViewArrangement(all: source) else { throw .cancelled }
    var view = ViewState(
      rules: rules ?? before.view!.rules, items: items, arrangement: arrangement, memory: memory,
      selection: Selection(count: arrangement.count), range: 0..<0)
    view.items.snapshot.forcedUpdates = ForcedUpdates()
    view.prepared = toNew == nil ? before.view?.prepared : other?.prepared
    if isStopped() { throw .cancelled }
    view.show(expansion(before, toNew, count: source.itemCount))
    let isSelected = before.fullSelection.hasMarks
    let isOutline = arrangement.outline != nil
    if isSelected || request.selected != nil || request.cursor != nil
      || view.rules.selectsInSources && hasSelection(inAnyOf: before.sources ?? [])
    {
      // The positions of selected items are needed, so that nothing can be sorted later.
      guard arrangement.sortAll(isStopped: isStopped),
        before.view?.arrangement.sortAll(isStopped: isStopped) != false
      else { throw .cancelled }
    }
    if isStopped() { throw .cancelled }
    let positions = isSelected || isOutline || anchor.before != nil ? view.positions : []
    view.anchor = anchor.before?.carried(by: anchor.toNew, positions, arrangement)
      .raised(in: view.arrangement, positions)
    if let window = rules?.window { view.showWindow(window, positions) }
    var shown = rules == nil ? source : shownItems(of: view, isStopped: isStopped)
    if isStopped() { throw .cancelled }
    shown.forcedUpdates = forcedUpdates(source.forcedUpdates, in: shown, of: view)
    if isCancellable { try checkComposites(of: before.name, from: before.snapshot, to: shown) }
    let change =
      isCancellable
      ? try compareUnlessCancelled(before.snapshot, shown) : compare(before.snapshot, shown)

    if isStopped() { throw .cancelled }
    let newPositions = isSelected ? before.positions(to: positions, toNew) : []
    var list = before
    list.view = rules == nil ? nil : view
    list.snapshot = shown
    let marks = try marks(of: list, after: before, by: newPositions, request, isStopped: isStopped)
    if isStopped() { throw .cancelled }
    list.fullSelection = marks.selection
    list.cursor =
      marks.cursor ?? raisedCursor(of: before, in: list, positions, toNew, request)
      ?? cursor(of: before, in: shown, request, change)
    var shared: [SelectionChange] = []
    var kept: Set<Int> = []
    if view.rules.selectsInSources, rules != nil {
      if let selected = marks.selected {
        let changes = try selectInSources(selected, of: &list)
        shared = followSelections(
          changes, of: list.name, except: Set(dependents(of: [list.name])))
      }
      showSelectionOfSources(in: &list)
      kept = Set(selectedInSources(of: list))
    }
    var deselected: [Deselected] = []
    var keptBelow = KeptSelections()
    for item in before.selection.items.members {
      let old = before.position(ofShown: item)
      let position = Int(newPositions[old])
      if position >= 0, list.fullSelection.items.contains(position) { continue }
      if list.view?.rules.selectsInSources == true {
        // Items that are filtered away may still be selected in the sources, or below them.
        let source = Int(before.view?.arrangement.order[old] ?? Int32(item))
        let now = toNew.map { Int($0[source]) } ?? source
        if kept.contains(now) { continue }
        let key = before.snapshot.arrangement.rows[item]
        if now < 0, keptBelow.contains(key, of: list, &self) { continue }
      }
      deselected.append(Deselected(item: item, isDeleted: position < 0))
    }
    warnOfCycles(in: list, after: before)
    let forcedUpdates = shown.forcedUpdates
    shown.forcedUpdates = ForcedUpdates()
    list.snapshot = before.snapshot
    if list.revision == 0 || !leavesContentUnchanged(change, before.snapshot, shown) {
      list.advance(
        to: nextRevision(of: before), shown,
        keeping: KeptItems(change, before.snapshot, shown), historyBytes: historyBytes)
    }
    store(list)
    let told = ListChange(
      name: list.name, baseRevision: before.revision, revision: list.revision, old: before.snapshot,
      new: list.snapshot, changes: change, deselected: deselected,
      changesMarks: before.selection.items != list.selection.items || before.cursor != list.cursor,
      changesNumbers: before.viewNumbers != list.viewNumbers, selectionBefore: before.selection,
      forcedUpdates: forcedUpdates)
    return (told, shared)
  }

  /// Returns the expansion of a list that was an outline, mapped to its new items, `count` of them.
  private func expansion(_ before: NamedList, _ toNew: [Int32]?, count: Int) -> Expansion {
    guard let view = before.view, view.arrangement.outline != nil else { return Expansion() }
    return toNew.map { view.expansion.carried(by: $0, to: count) } ?? view.expansion
  }

  /// Returns the first row of the nearest shown ancestor of the item with the cursor, if that item
  /// is in an outline but collapsed. `positions` maps the items of the sources to positions in the
  /// view.
  private func raisedCursor(
    of before: NamedList, in list: NamedList, _ positions: [Int32], _ toNew: [Int32]?,
    _ request: ChangeRequest
  ) -> Int? {
    guard let view = list.view, let outline = view.arrangement.outline, let cursor = before.cursor,
      request.cursorPolicy == .follow, !request.clearsCursor
    else { return nil }
    let old = before.position(ofShown: before.snapshot.item(ofRow: cursor))
    var item = before.view.map { Int($0.arrangement.order[old]) } ?? old
    if let toNew { item = Int(toNew[item]) }
    guard item >= 0, positions[item] >= 0 else { return nil }
    let position = Int(positions[item])
    let shown = outline.shownAncestor(of: position)
    guard shown != position else { return nil }
    return view.shownItem(at: shown).flatMap { list.snapshot.rows(ofItem: $0).first }
  }

  /// Returns the selection of a view without its window after a change, and the row for the cursor
  /// of a request. `newPositions` maps the items that the view had before.
  private mutating func marks(
    of list: NamedList, after before: NamedList, by newPositions: [Int32], _ request: ChangeRequest,
    isStopped: () -> Bool
  ) throws(ListFailure) -> (selection: Selection, selected: [Int]?, cursor: Int?) {
    var selection = Selection(count: list.view?.arrangement.count ?? list.snapshot.itemCount)
    guard !newPositions.isEmpty || request.selected != nil || request.cursor != nil else {
      return (selection, nil, nil)
    }
    let all = try allItemsUnlessCancelled(of: list, isStopped: isStopped)
    if !newPositions.isEmpty { selection = before.fullSelection.carried(by: newPositions, to: all) }
    let named = try resolve(
      selected: request.selected, cursor: request.cursor, among: all, of: list,
      past: PastRevisions(of: before))
    if let items = named.items, list.view?.rules.selectsInSources != true {
      selection.replace(with: items, in: all, shown: list.view?.shownPositions)
    }
    return (selection, named.items, named.cursor)
  }

  /// Returns the forced updates of items and sections of the sources, as indices of shown items and
  /// sections.
  private func forcedUpdates(
    _ forcedUpdates: ForcedUpdates, in shown: Snapshot, of view: ViewState
  ) -> ForcedUpdates {
    var result = ForcedUpdates()
    if forcedUpdates.isEmpty { return result }
    for index in 0..<view.range.count {
      let position = view.position(ofShown: index)
      let item = Int(view.arrangement.items(in: position..<position + 1)[position])
      if let change = forcedUpdates.items[item] { result.items[index] = change }
    }
    var changes: [UInt32: ContentChange] = [:]
    for (section, change) in forcedUpdates.sections {
      changes[view.items.snapshot.arrangement.sections[section]] = change
    }
    for (index, key) in shown.arrangement.sections.enumerated() {
      if let change = changes[key] { result.sections[index] = change }
    }
    return result
  }
}

extension NamedList {
  /// Maps the items of a list, without its window, to their indices in a newly evaluated view.
  /// `positions` maps the items of the sources to the view, and `toNew` the old items to the new
  /// ones.
  fileprivate func positions(to positions: [Int32], _ toNew: [Int32]?) -> [Int32] {
    guard let view else { return (toNew ?? []).map { $0 < 0 ? -1 : positions[Int($0)] } }
    return view.arrangement.order.map { item in
      let item = toNew.map { Int($0[Int(item)]) } ?? Int(item)
      return item < 0 || positions.isEmpty ? -1 : positions[item]
    }
  }
}

extension Selection {
  /// Whether there are selected items or an anchor of the selection.
  var hasMarks: Bool { items.count > 0 || anchor != nil || !extended.isEmpty }
}
