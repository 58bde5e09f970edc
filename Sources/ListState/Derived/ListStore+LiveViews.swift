import ListDiff

extension ListStore {
  /// Updates a view after changes of its sources, each given with the number of sections before it.
  ///
  /// - Complexity: That of ``LiveView/follow(_:_:_:)``.
  /// - Throws: `overflow`, which leaves the view unchanged.
  mutating func follow(
    _ deltas: [SourceDelta], inView name: [UInt8], _ sources: [[UInt8]]
  ) throws(ListFailure) -> (ListChange, TreeDelta?) {
    let marks = recordsModifications ? lists[name]!.marks : nil
    var tree = takeTree(of: name)
    var view = lists[name]!.live.take()!
    var deltas = deltas
    if !view.exchangedKeys.isEmpty {
      for index in deltas.indices {
        deltas[index].delta.rename(items: view.exchangedKeys.viewKey)
      }
    }
    let cursorKey = lists[name]!.cursor.flatMap(tree.key(ofRow:))
    view.sourceStarts = starts(of: sources)
    // The name of a source without items may have got another key.
    if view.rules.sortsBySource { view.sourceIndices = indices(of: sources) }
    let change: ViewChange
    if var all = view.all {
      view.all = nil
      for index in deltas.indices { tree.addRepeats(of: deltas.span[index].delta) }
      change = view.follow(deltas, &all, &ids)
      if !view.definition.selectsInSources { all.applySelectionRules() }
      all.forgetMarks(change.removed)
      tree.show(view, all, change)
      view.all = all
    } else {
      change = view.follow(deltas, &tree, &ids)
    }
    view.marked = change.marked
    tree.force(change)
    pairRepeats(in: &tree, of: &view)
    if let overflow = ids.overflow {
      tree.undoChange()
      view.undoChange()
      lists[name]!.tree = tree
      lists[name]!.live = view
      throw .overflow(overflow)
    }
    warn(ofCycles: change.cyclic, in: name)
    let request = request(raising: cursorKey, in: tree, view)
    let before = lists[name]!
    lists[name]!.live = view
    return commit(before, marks, consume tree, request)
  }

  /// Returns a request that moves the cursor with its item or, if that item of an outline was
  /// collapsed, to its nearest ancestor that is shown.
  func request(
    raising cursor: UInt32?, in shown: ListTree, _ view: LiveView
  ) -> ChangeRequest {
    var request = ChangeRequest()
    guard view.outline != nil, let all = view.all, let cursor, all.contains(cursor) else {
      return request
    }
    let raised = view.shownItem(above: cursor, in: all)
    if raised != cursor, shown.location(of: raised).flatMap(shown.firstRow(of:)) != nil {
      request.cursor = .id(raised, occurrence: 0, source: nil)
    }
    return request
  }

  /// Gives a list the trees of a view that was evaluated, with the marks of items of the sources. `anchor` is the
  /// item of the sources to which the window is to be anchored, with the map that it has to follow. All items of
  /// the view are known then if it `isComplete` or has marks; otherwise the first ones may be. If `isStopped`, the
  /// list has any items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources; O(*k* log *n*) more if the view has a
  ///   window or is an outline, where *k* is the number of items that are shown.
  /// - Returns: The keys of the items of the sources.
  mutating func setTrees(
    of list: inout NamedList, _ evaluated: EvaluatedView, anchor: (item: Int?, toNew: [Int32]?),
    _ marks: SourceMarks, isComplete: Bool = false, isStopped: () -> Bool = { false }
  ) -> [UInt32] {
    var view = evaluated
    let repeats = makeDistinct(&view.items.snapshot, madeOf: list.sources)
    let keys = view.items.snapshot.arrangement.rows
    let (rules, texts) = view.rules.itemRules(view.memory)
    let isShared = view.rules.selectsInSources
    let selected = isShared ? selectedInSources(of: list, view.items.sourceStarts) : []
    let isAnchored = view.rules.window?.isAnchored == true
    let isShort =
      !isComplete && !isAnchored && marks.isEmpty && selected.isEmpty && repeats.isEmpty
    // Each part of the items would be sorted by itself.
    if !isShort { _ = view.arrangement.sortAll { false } }
    let count = isShort ? view.arrangement.first.count : view.arrangement.count
    let countBehind = view.arrangement.count - count
    func snapshot(of items: Range<Int>, _ texts: ShownTexts) -> Snapshot {
      self.snapshot(
        of: items, view.arrangement, from: view.items.snapshot,
        hidesEmptySections: view.rules.hidesEmptySections, texts, isStopped: isStopped)
    }
    // Those with parts have texts, which their parts have, too.
    let items = snapshot(
      of: 0..<count, view.showsSome && !view.items.snapshot.hasParts ? .omitted : .shared)
    if isStopped() { return [] }
    var all = ListTree(
      items, of: list.name, universe: ids.universe, withTexts: !view.showsSome,
      hidden: view.arrangement.outline?.hidden ?? [])
    all.repeats = repeats
    var own = marks
    if isShared { own.selected = selected }
    all.mark(own, keys, byRules: !isShared)
    list.live = LiveView(
      view, of: list, rules, texts: texts, all: nil,
      behind: countBehind > 0 ? ItemsBehind(count: countBehind) : nil, repeats, selected: selected,
      sourceIndices: indices(of: list.sources ?? []), &ids)
    if !view.showsSome {
      list.tree = all
    } else {
      let isIndexed = !own.selected.isEmpty || isComplete
      if isIndexed || isAnchored { all.indexKeys() }
      list.live!.all = all
      list.live!.setFirstAnchor(anchor.item, anchor.toNew, keys)
      let isOutline = view.arrangement.outline != nil
      let items =
        isOutline ? Snapshot() : snapshot(of: list.live!.range(of: all), .copied)
      var shown = ListTree(items, of: list.name, universe: ids.universe)
      shown.repeats = repeats
      if isIndexed { shown.indexKeys() }
      if isOutline {
        shown.show(list.live!, all, ViewChange(), isStopped: isStopped)
      } else {
        shown.select(own.selected.map { keys[$0] }, as: all)
      }
      shown.finishChange()
      _ = shown.gather(isStopped: isStopped)
      if isStopped() { return [] }
      list.tree = shown
    }
    list.view = list.live!.state(showing: list.tree!)
    return keys
  }

  /// Returns the index of each source, by the key of its name.
  private func indices(of sources: [[UInt8]]) -> [UInt32: Int] {
    var indices: [UInt32: Int] = [:]
    for (index, source) in sources.enumerated() {
      if let key = source.withUnsafeBytes({ ids.find(.string, $0) }) { indices[key] = index }
    }
    return indices
  }

  /// Returns, for each source, the number of items before it.
  private func starts(of sources: [[UInt8]]) -> [Int] {
    var count = 0
    return sources.map { source in
      defer { count += lists[source]?.itemCount ?? 0 }
      return count
    }
  }
}

extension ListTree {
  /// Removes the marks of items that a change has deleted.
  mutating func forgetMarks(_ removed: [UInt32]) {
    if change.marks == nil { change.marks = marks }
    if let anchor = marks.anchor, !contains(anchor) { marks.anchor = nil }
    for key in removed where !contains(key) { marks.extended.remove(key) }
  }
  /// Gives a new tree the marks of those items that it has, and that may have them by its own rules. `keys` are
  /// those of all items that the marks may name.
  fileprivate mutating func mark(_ items: SourceMarks, _ keys: [UInt32], byRules: Bool) {
    if items.isEmpty { return }
    indexKeys()
    select(items.selected.compactMap { location(of: keys[$0]) }, byRules: byRules)
    marks.anchor = items.anchor.map { keys[$0] }.flatMap { contains($0) ? $0 : nil }
    marks.extended = Set(items.extended.map { keys[$0] }.filter(contains))
    finishChange()
  }

  /// Gives a new tree the marks of its items, except those that may not be selected.
  mutating func mark(_ items: SourceMarks) {
    if items.isEmpty { return }
    select(items.selected.compactMap(location(at:)), byRules: true)
    if items.anchor != nil || !items.extended.isEmpty { indexKeys() }
    marks.anchor = items.anchor.flatMap(key(at:))
    marks.extended = Set(items.extended.compactMap(key(at:)))
    finishChange()
  }

  private mutating func select(_ items: [Location], byRules: Bool) {
    for item in items where !byRules || isSelectable(item) { setSelected(true, at: item) }
    if byRules { applySelectionRules() }
  }
}
