import ListDiff

extension ListStore {
  /// Moves or resizes the window of a view, if the request changes nothing else of it. Otherwise
  /// changes nothing and returns `nil`.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are in one of the windows
  ///   only and *n* that of all items.
  /// - Throws: What ``compose(_:of:as:_:)`` throws.
  /// - Returns: The change, followed by those of the lists that depend on the view.
  package mutating func moveWindow(
    of name: [UInt8], _ sources: [[UInt8]], _ view: ViewRequest, _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange]? {
    guard canMoveWindow(of: name, sources, view, request) else { return nil }
    try checkBase(of: lists[name]!, request)
    finishEdits()
    let composites = dependents(of: name)
    try makeDistinct(composites)
    let marks = recordsModifications ? lists[name]!.marks : nil
    var tree = takeTree(of: name)
    var live = lists[name]!.live.take()!
    let (itemCount, rowCount) = (tree.itemCount, tree.rowCount)
    live.definition = view.rules
    live.outline?.link()
    var all = live.all.take()!
    live.fill(&all)
    live.all = all
    var isLost = false
    if view.rules.window?.isAnchored != true {
      live.anchor = nil
    } else if let reference = view.anchor {
      let key = anchor(reference, lists[name]!, live, tree)
      isLost = key == nil
      live.setAnchor(key, live.all!)
    }
    if !isLost {
      tree.show(live, live.all!, ViewChange())
      pairRepeats(in: &tree, of: &live)
    }
    do throws(ListFailure) {
      if isLost { throw .anchorNotFound }
      try checkComposites(of: name, growth: tree.growth(from: itemCount, rowCount))
    } catch {
      tree.undoChange()
      live.undoChange()
      lists[name]!.tree = tree
      lists[name]!.live = live
      throw error
    }
    let before = lists[name]!
    lists[name]!.live = live
    let (change, delta) = commit(before, marks, consume tree, request)
    guard let delta, change.isReported else { return [change] }
    var changes = [change]
    do { try follow(delta, of: name, in: composites, to: &changes) } catch {
      rollBack()
      throw error
    }
    return changes
  }

  private func canMoveWindow(
    of name: [UInt8], _ sources: [[UInt8]], _ view: ViewRequest, _ request: ChangeRequest
  ) -> Bool {
    guard let list = lists[name], let rules = list.view?.rules else { return false }
    return list.sources == sources && rules.window != nil && view.rules.window != nil
      && rules.sourceWithoutWindow == view.rules.sourceWithoutWindow
      && request.selected == nil && request.cursor == nil && view.anchor?.isCurrent != false
  }

  /// Returns the item of the sources that a reference names, or `nil` if there is none. The
  /// reference is not to an earlier revision; a path refers to the rows that are shown.
  private func anchor(
    _ reference: ItemReference, _ list: NamedList, _ view: LiveView, _ shown: ListTree
  ) -> UInt32? {
    var known = KnownItems()
    guard case .id(let id, let occurrence, let source) = reference else {
      return shown.location(of: reference, &known).map { shown.record(at: $0).key }
    }
    return id.flatMap {
      location(
        ofID: $0, occurrence: occurrence, source: source, in: list, view.sources, &known)
    }.map(view.sources.key(at:))
  }
}
