import ListDiff

extension ListStore {
  /// Updates a view after changes of its sources, each given with the number of sections before it.
  ///
  /// - Complexity: That of ``LiveView/follow(_:_:_:)``; O(*n*) if the view is kept as snapshots.
  /// - Throws: `overflow`, which leaves the view unchanged.
  mutating func follow(
    _ deltas: [(delta: TreeDelta, head: Int)], inView name: [UInt8], _ sources: [[UInt8]]
  ) throws(ListFailure) -> (EditChange, TreeDelta?) {
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
      for (delta, _) in deltas { tree.addRepeats(of: delta) }
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

  /// Converts a list and all of its composites and views, each after its sources, to trees, so that
  /// they follow edits item by item. Nothing may have changed yet.
  mutating func makeLive(_ names: [[UInt8]]) {
    for name in names where lists[name]?.tree == nil {
      if lists[name]?.view == nil { makeTree(of: name) } else { makeLiveView(name) }
    }
  }

  private mutating func makeLiveView(_ name: [UInt8]) {
    flattenRepeats(inCompositesOf: name)
    var list = lists[name]!
    let repeats = makeDistinct(&list)
    let state = list.view!
    let (rules, texts) = state.rules.itemRules(state.memory)
    let indices = indices(of: list.sources ?? [])
    let selected = state.rules.selectsInSources ? selectedInSources(of: list) : []
    let isSimple = repeats.isEmpty && selected.isEmpty && !state.selection.hasMarks
    let count = isSimple ? state.arrangement.first.count : state.arrangement.count
    let countBehind = state.arrangement.count - count
    let all = state.showsSome ? allTree(of: list, state, repeats, count: count) : nil
    let view = LiveView(
      list, rules, texts: texts, all: all,
      behind: countBehind > 0 ? ItemsBehind(count: countBehind) : nil, repeats, selected: selected,
      sourceIndices: indices,
      &ids)
    // Without a window, the list shows the items that have the marks.
    var tree = ListTree(
      list.snapshot, all == nil ? state.selection : list.selection, of: name,
      universe: ids.universe)
    tree.repeats = repeats
    tree.indexKeys()
    list.snapshot = Snapshot()
    list.view = ViewState(view, state.range, matched: state.arrangement.count)
    list.tree = tree
    list.live = view
    lists[name] = list
  }

  /// Gives the items of a view keys of their own, which correspond to those of its sources.
  mutating func makeDistinct(_ list: inout NamedList) -> RepeatedItems {
    let repeats = makeDistinct(
      &list.view!.items.snapshot, madeOf: (list.sources ?? []).map { lists[$0] })
    if repeats.isEmpty { return repeats }
    let view = list.view!
    let keys = view.items.snapshot.arrangement.rows
    if let outline = view.arrangement.outline {
      let order = view.arrangement.order
      list.snapshot.arrangement.rows = outline.shown[view.range].map { keys[Int(order[Int($0)])] }
    } else {
      list.snapshot.arrangement.rows = view.arrangement.items(in: view.range).map { keys[Int($0)] }
    }
    return repeats
  }

  /// Returns the first items of a view, with the collapsed ones marked as hidden.
  mutating func allTree(
    of list: NamedList, _ view: ViewState, _ repeats: RepeatedItems, count: Int
  ) -> ListTree {
    // Those with parts have texts, which their parts have, too.
    let items = snapshot(
      of: 0..<count, view.arrangement, from: view.items.snapshot,
      hidesEmptySections: view.rules.hidesEmptySections,
      view.items.snapshot.hasParts ? .shared : .omitted)
    var hidden: [Int] = []
    if let outline = view.arrangement.outline {
      var next = 0
      for position in outline.shown {
        hidden += next..<Int(position)
        next = Int(position) + 1
      }
      hidden += next..<count
    }
    var all = ListTree(
      items, view.selection, of: list.name, universe: ids.universe, withTexts: false,
      hidden: hidden)
    all.repeats = repeats
    return all
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
      defer { count += summary(of: source)?.items ?? 0 }
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
}
