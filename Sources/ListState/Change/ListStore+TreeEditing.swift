import ListDiff

extension ListStore {
  /// Makes edits of a list as one change; if `revision` is not `nil`, the list takes the content of that revision
  /// with the edits made, and items and sections that the edits touch are not updates. Returns `nil` and does
  /// nothing if the steps of the history do not lead to the revision or change many items. Removes the edits that
  /// were made from `edits`.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that the steps to the revision
  ///   and the edits name and insert and *n* the number of items; if the steps insert, delete or
  ///   move sections O(*s* log *s*) more, where *s* is the number of sections; O(*n*) for the first
  ///   edit of a snapshot, and with references to older revisions. Each composite that the list is
  ///   part of costs as much again.
  /// - Throws: `listNotFound`, `readOnly`, `staleRevision`, `revisionNotFound`, `itemsNotFound`,
  ///   `notSelectable`, `compositeTooLarge`, `cancelled`, `overflow`, and `edit` with the failure of the first
  ///   edit that cannot be made.
  /// - Returns: The change, followed by the changes of the composites.
  package mutating func edit(
    _ name: [UInt8], from revision: Int? = nil, _ edits: inout Edits, _ request: ChangeRequest
  ) throws(ListFailure) -> [ListChange]? {
    guard let index = lists.index(of: name) else { throw .listNotFound(name) }
    try checkWritable(lists[at: index])
    try checkBase(of: lists[at: index], request)
    let composites = dependents(of: name)
    let start = revision ?? lists[at: index].revision
    guard var route = try route(to: edits, request, from: start, of: lists[at: index]) else {
      return nil
    }
    route.forcesUpdates = revision == nil
    finishEdits()
    let marks = recordsModifications ? lists[at: index].marks : nil
    try makeDistinct(composites, behind: name)
    var tree = takeTree(at: index)
    let before = lists[at: index]
    let (itemCount, rowCount) = (tree.itemCount, tree.rowCount)
    var request = request
    var isMade = false
    do throws(ListFailure) {
      isMade = try follow(route, in: &tree, of: before)
      if isMade {
        if pairRepeats(in: &tree) { tree.undoExceptForcedUpdates() }
        request.pasts = try pasts(of: request, route.pasts, in: tree, of: before)
        _ = try tree.resolve(request)
        try checkComposites(of: name, composites, growth: tree.growth(from: itemCount, rowCount))
      }
    } catch {
      tree.undoChange()
      lists[name]!.tree = tree
      throw error
    }
    guard isMade else {
      tree.undoChange()
      lists[name]!.tree = tree
      return nil
    }
    // Many edits take more memory than their result, which is compared now.
    edits = Edits()
    route.edits = Edits()
    return try commit(consume before, marks, consume tree, request, followedBy: composites)
  }

  /// Returns the older revisions to which a change request refers, paired with the items of the changed tree of a
  /// list. `known` are those that are kept.
  ///
  /// - Complexity: O(*k*), where *k* is the number of references, and O(*n*) for each older revision, where *n* is
  ///   the number of items.
  /// - Throws: `revisionNotFound`.
  private mutating func pasts(
    of request: ChangeRequest, _ known: [Int: Snapshot], in tree: ListTree, of list: NamedList
  ) throws(ListFailure) -> [Int: PastSnapshot] {
    var pasts: [Int: PastSnapshot] = [:]
    for reference in request.references {
      guard case .path(_, _, let revision?) = reference, pasts[revision] == nil else { continue }
      guard let old = known[revision] else {
        throw .revisionNotFound(
          list.name, revision: revision, oldest: list.oldestRevision, current: list.revision)
      }
      pasts[revision] = paired(old, with: tree.snapshot(isTidy: false))
    }
    return pasts
  }

  /// Commits a change of a tree, and applies it to the composites of the list, with changes of the selections
  /// of others of their sources.
  ///
  /// - Throws: `overflow`. Nothing has changed then.
  mutating func commit(
    _ before: consuming NamedList, _ marks: Marks?, _ tree: consuming ListTree,
    _ request: ChangeRequest, followedBy composites: [[UInt8]],
    selected: [[UInt8]: TreeDelta] = [:]
  ) throws(ListFailure) -> [ListChange] {
    let isUndoable = recordsModifications || !composites.isEmpty
    let name = before.name
    let (change, delta) = commit(
      consume before, marks, consume tree, request, isUndoable: isUndoable)
    guard let delta,
      change.isReported || delta.changesMarks && sharesSelection(name) || !selected.isEmpty
    else { return [change] }
    var changes = [change]
    do { try follow(delta, of: name, in: composites, selected: selected, to: &changes) } catch {
      rollBack()
      throw error
    }
    return changes
  }

  /// Returns the snapshots of the older revisions to which edits and a request refer, without those that are not
  /// kept.
  ///
  /// - Throws: `cancelled`.
  func pastSnapshots(
    of list: NamedList, _ edits: [Edit], _ request: ChangeRequest = ChangeRequest()
  ) throws(ListFailure) -> [Int: Snapshot] {
    var pasts: [Int: Snapshot] = [:]
    func add(_ reference: ItemReference) throws(ListFailure) {
      guard case .path(_, _, let revision?) = reference, pasts[revision] == nil else { return }
      do throws(ListFailure) {
        pasts[revision] = try list.snapshot(of: revision, isStopped: isCancelled)
      } catch .revisionNotFound {
        return
      }
    }
    for reference in request.references { try add(reference) }
    let all = edits.span
    for index in all.indices {
      for item in all[index].referencedItems { try add(item) }
      if let anchor = all[index].itemAnchor { try add(anchor.item) }
    }
    return pasts
  }

  /// Removes the tree from a list and returns it. If the list kept a reference, changing the tree would copy
  /// it.
  mutating func takeTree(of name: [UInt8]) -> ListTree {
    takeTree(at: lists.index(of: name)!)
  }

  /// Does the same for the list at an index of ``lists``, which is valid while no list is added or
  /// removed.
  mutating func takeTree(at index: ListTable.Index) -> ListTree {
    lists[at: index].indexKeys()
    let tree = lists[at: index].tree.take()!
    keepOldContents(of: tree)
    return tree
  }

  /// Commits a change of a tree, with the selection and the cursor carried over. Also returns the change
  /// by value if there are composites. The list of a view already has its changed `live` state, which
  /// `before` does not have.
  ///
  /// A list that need not be `isUndoable` is changed in place.
  mutating func commit(
    _ before: consuming NamedList, _ marks: Marks?, _ edited: consuming ListTree,
    _ request: ChangeRequest, isUndoable: Bool = true
  ) -> (ListChange, TreeDelta?) {
    var tree = consume edited
    let (name, oldCursor, isView) = (before.name, before.cursor, before.isView)
    let index = lists.index(of: name)!
    if !lists[at: index].selectsInSources { tree.applySelectionRules() }
    // What is read of the view in the list would be a copy.
    var live = isView ? lists[at: index].live.take() : nil
    let named = tree.select(request)
    var comparison = compare(tree)
    let (operations, pairs) = report(comparison, tree)
    comparison.finishPairing()
    let delta =
      composition.composites(of: name).isEmpty ? nil : TreeDelta(comparison, pairs, tree)
    let rowCount = tree.rowCount
    let cursor =
      request.clearsCursor
      ? nil
      : named
        ?? request.cursorPolicy.row(
          of: oldCursor, count: rowCount,
          TreeMap(
            comparison, rowsToNew: engine.matching.rowsToNew, itemsToNew: pairs.matching.rowsToNew,
            count: rowCount))
    var deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = []
    for item in comparison.deselected {
      var isDeleted = item.isDeleted
      if let view = live {
        // An item that the view does not show any more may still be selected.
        if view.definition.selectsInSources {
          let source = view.sourceKeyBefore(of: item.key)
          if view.isSelected(view.exchangedKeys.viewKey(of: source)) { continue }
          if isSelected(source, of: before) { continue }
        } else if view.isSelected(item.key) {
          continue
        }
        if let all = view.all { isDeleted = !view.has(item.key, all, ids) }
      }
      deselected.append((tree.identity(of: item.key), item.at, isDeleted))
    }
    tree.forgetMarks(of: comparison, itemsToNew: pairs.matching.rowsToNew)
    let revision = operations.changesContent ? nextRevision(of: before) : before.revision
    var journaled: EditStep?
    var step: PackedStep?
    var marking: SelectionChange?
    var runs: RowRuns?
    if operations.changesContent {
      if shownLists.contains(name) { runs = RowRuns(comparison, engine.matching, tree) }
      if recordsModifications {
        journaled = EditStep(comparison, pairs.matching, toOld: false, tree)
      }
      step = PackedStep(comparison, pairs.matching, tree)
    } else {
      tree.undoChange()
      _ = tree.select(request)
      if isView {
        if let all = live!.all { tree.deselect(deselectedIn: all) }
        tree.select(live!.marked, as: live!.all ?? live!.sources)
      }
      let change = SelectionChange(
        of: tree, name, revision: revision, cursor: cursor, before: oldCursor)
      if change.changesMarks { marking = change }
    }
    let state = live?.state(showing: tree)
    let numbers = state?.numbers
    let change = ListChange(
      operations, of: name, since: before.revision, revision: revision, new: ListRows(tree),
      old: takeOldContents(of: name), selection: tree.selectedRanges,
      cursor: cursor.flatMap(tree.path(ofRow:)),
      deselected: deselected, marking: marking, numbers: numbers,
      changesNumbers: numbers != nil && numbers != before.viewNumbers, runs: runs)
    touch(edited: isUndoable ? before : nil, name, marks, journaled)
    // The list is copied now if it is undoable.
    _ = consume before
    if let step {
      lists[at: index].advance(to: revision, step, historyBytes: historyBytes)
    }
    lists[at: index].set(consume tree, cursor: cursor)
    if isView {
      lists[at: index].view = state
      lists[at: index].live = live.take()
    }
    if step != nil { recordHistory(at: index) }
    if comparison.isSmall { lastComparison = consume comparison }
    return (change, delta)
  }

  /// Compares a tree with its state before the current change, in the memory of the last comparison.
  private mutating func compare(_ tree: borrowing ListTree) -> TreeComparison {
    var comparison = lastComparison.take() ?? TreeComparison()
    comparison.compare(tree, universe: ids.universe)
    return comparison
  }
}

extension ListTree {
  /// Makes edits of a list, of which `pasts` are the older revisions to which they refer. Stops if
  /// the identifier table overflows.
  ///
  /// - Throws: `edit` with the failure of the first edit that cannot be made.
  mutating func make(
    _ edits: Edits, _ pasts: [Int: PastItems], of list: NamedList, _ ids: inout IDTable
  ) throws(ListFailure) {
    change.newContent = edits.newContent
    change.main = edits.main
    let all = edits.edits.span
    for index in all.indices where ids.overflow == nil {
      do throws(EditFailure) {
        try make(all[index], &ids) { (revision, section, row) throws(EditFailure) in
          guard let past = pasts[revision] else {
            throw .revisionNotFound(revision, oldest: list.oldestRevision, current: list.revision)
          }
          return past.item(section: section, row: row)
        }
      } catch { throw .edit(index: index, error) }
    }
  }
}

extension Edit {
  /// The items that the edit deletes, moves or touches.
  var referencedItems: [ItemReference] {
    switch self {
    case .deleteItems(let items), .touchItems(let items, _), .moveItemsToSection(let items, _),
      .moveItems(let items, _):
      items
    default: []
    }
  }

  /// The item beside which the edit inserts or moves items.
  var itemAnchor: AnchoredItem? {
    switch self {
    case .insertItems(_, let anchor), .moveItems(_, let anchor): anchor
    default: nil
    }
  }
}
