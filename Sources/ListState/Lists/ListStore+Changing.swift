import ListDiff

extension ListStore {
  /// Makes a snapshot the current one of a list, which is created if necessary.
  ///
  /// A snapshot that equals the current one does not replace it. `same` names items that are known
  /// to be equal, byte by byte, in the current snapshot and the new one.
  ///
  /// - Complexity: O(*n* + *r* log *r*), where *n* is the number of rows and sections of both
  ///   snapshots and *r* the number of runs of rows that are out of order.
  /// - Throws: `staleRevision`, `revisionNotFound`, `itemsNotFound`, `notSelectable`,
  ///   `compositeTooLarge`.
  /// - Returns: The change, followed by the changes of the composites of this list.
  package mutating func replace(
    _ name: [UInt8], with snapshot: Snapshot, _ request: ChangeRequest,
    same: consuming [MatchedRun] = []
  ) throws(ListFailure) -> [ListChange] {
    let list = try flattenedUnlessCancelled(peek(name) ?? NamedList(name: name))
    try checkWritable(list)
    try checkBase(of: list, request)
    try checkComposites(of: name, from: list.snapshot, to: snapshot)
    let comparison = try compareUnlessCancelled(list.snapshot, snapshot, same: consume same)
    let saved = savedLists(beforeChanging: name, madeOf: [SourceIDs(snapshot)], isComposite: false)
    let change = try commit(consume list, comparison, to: snapshot, request)
    let isFollowed =
      change.isRevision || !snapshot.forcedUpdates.isEmpty
      || change.changesMarks && sharesSelection(name)
    let changes = followed(consume change, if: isFollowed)
    try checkOverflow(rollingBackTo: saved)
    return changes
  }

  /// - Throws: `readOnly` if the list is a composite.
  func checkWritable(_ list: NamedList) throws(ListFailure) {
    if let sources = list.sources { throw .readOnly(list.name, sources: sources) }
  }

  /// - Throws: `staleRevision` if the list is not at the base revision of the request.
  func checkBase(of list: NamedList, _ request: ChangeRequest) throws(ListFailure) {
    if let base = request.baseRevision, base != list.revision {
      throw .staleRevision(list.name, base: base, current: list.revision)
    }
  }

  /// Commits a computed change, with the selection and the cursor carried over.
  mutating func commit(
    _ before: consuming NamedList, _ change: consuming SnapshotChange, to snapshot: Snapshot,
    _ request: ChangeRequest
  ) throws(ListFailure) -> ListChange {
    let (name, baseRevision) = (before.name, before.revision)
    var old = before.snapshot
    let selectionBefore = before.selection
    let isNew = baseRevision == 0 || !leavesContentUnchanged(change, old, snapshot)
    let new = isNew ? snapshot.withoutForcedUpdates : old
    let itemsToNew = change.items.rowsToNew

    var selection = selectionBefore.carried(by: itemsToNew, to: new)
    let named = try resolve(
      selected: request.selected, cursor: request.cursor, in: new, of: before,
      past: PastRevisions(of: copy before))
    if let items = named.items {
      selection.replace(with: items, in: new)
    }
    let cursor = named.cursor ?? cursor(before.cursor, in: old, new, request, change)
    let deselected = selectionBefore.items.members.compactMap { item -> Deselected? in
      let partner = Int(itemsToNew[item])
      if partner >= 0, selection.items.contains(partner) { return nil }
      return Deselected(item: item, isDeleted: partner < 0)
    }
    let changesMarks = selectionBefore.items != selection.items || before.cursor != cursor
    #if DEBUG
      new.checkInvariants()
      selection.checkInvariants(in: new)
    #endif
    let revision = isNew ? nextRevision(of: before) : baseRevision
    let index = beginChange(of: before)
    let kept =
      isNew ? KeptItems(change, old, new, comparesParts: recordsModifications) : nil
    if let kept {
      lists[at: index].advance(to: revision, new, keeping: kept, historyBytes: historyBytes)
      recordEdits(of: name, from: baseRevision, old, to: new, keeping: kept)
    }
    lists[at: index].mark(selection, cursor: cursor)
    keepAsTree(at: index, isNew: isNew)
    if let kept {
      recordHistory(at: index)
      // The answer is written into the memory of the text before.
      if kept.areAll { old.share(new, kept.partners) }
    }
    return ListChange(
      name: name, baseRevision: baseRevision, revision: revision, old: consume old,
      new: consume new, changes: consume change, deselected: deselected,
      changesMarks: changesMarks, selectionBefore: selectionBefore,
      forcedUpdates: snapshot.forcedUpdates)
  }

  /// The number of rows that are compared so fast that a cancellation is only noticed afterwards.
  private static let rowsComparedAtOnce = 4096

  /// Returns the smallest change between two snapshots. Stops if the request is cancelled.
  ///
  /// - Complexity: As of ``replace(_:with:_:same:)``.
  /// - Throws: `cancelled`.
  package mutating func compareUnlessCancelled(
    _ old: Snapshot, _ new: Snapshot, same: consuming [MatchedRun] = []
  ) throws(ListFailure) -> SnapshotChange {
    let isLong = old.rowCount + new.rowCount > Self.rowsComparedAtOnce
    if isLong { engine.isStopped = isCancelled }
    let change = compare(old, new, same: consume same)
    if isLong { engine.isStopped = { false } }
    if isCancelled() { throw .cancelled }
    return change
  }

  /// Returns the smallest change between two snapshots.
  ///
  /// - Complexity: As of ``replace(_:with:_:)``.
  package mutating func compare(
    _ old: Snapshot, _ new: Snapshot, same: consuming [MatchedRun] = []
  ) -> SnapshotChange {
    let items = match(old, new)
    if engine.isStopped() { return SnapshotChange() }
    engine.findMoves(oldStarts: old.rowStarts, newStarts: new.rowStarts)
    if engine.isStopped() { return SnapshotChange() }
    var stages = engine.structuralStages(oldStarts: old.rowStarts, newStarts: new.rowStarts)
    var isOfContent = !stages.isEmpty
    let contents = ContentComparison(old: old, new: new, rules: rules)
    let last = contentStage(contents, &same)
    // Forced updates alone do not change the content.
    if !last.ops.isEmpty, !isOfContent {
      isOfContent = new.forcedUpdates.isEmpty || contents.differs(engine.matching)
    }
    if !last.ops.isEmpty { stages.append(last) }
    return SnapshotChange(
      stages: stages, matching: engine.matching, same: same, items: items,
      movement: engine.movement, isOfContent: isOfContent)
  }

  /// Returns the deletes, inserts and moves between two snapshots, in items instead of rows.
  ///
  /// - Complexity: As of ``replace(_:with:_:)``.
  package mutating func itemStages(_ old: Snapshot, _ new: Snapshot) -> [Stage] {
    let oldStarts = old.arrangement.starts
    let newStarts = new.arrangement.starts
    engine.match(
      old.arrangement, new.arrangement, universe: ids.universe,
      shown: (old.parts?.items, new.parts?.items))
    engine.findMoves(oldStarts: oldStarts, newStarts: newStarts)
    return engine.structuralStages(oldStarts: oldStarts, newStarts: newStarts)
  }

  /// Pairs the rows of two snapshots, in the engine, and returns the pairs of items.
  mutating func match(_ old: Snapshot, _ new: Snapshot) -> Matching {
    engine.match(
      old.arrangement, new.arrangement, universe: ids.universe,
      shown: (old.parts?.items, new.parts?.items))
    return engine.matchRows(of: old.parts?.items, new.parts?.items)
  }

  /// Reports whether a change between two snapshots leaves the content unchanged.
  ///
  /// - Complexity: O(1) if no item has parts; else that of comparing the snapshots.
  package func leavesContentUnchanged(_ change: SnapshotChange, _ old: Snapshot, _ new: Snapshot)
    -> Bool
  {
    !change.isOfContent && keepsHiddenContents(old, new)
  }

  /// Reports whether the items without rows are equal in two snapshots whose rows are equal.
  func keepsHiddenContents(_ old: Snapshot, _ new: Snapshot) -> Bool {
    guard old.parts != nil || new.parts != nil else { return true }
    guard old.arrangement == new.arrangement else { return false }
    let contents = ContentComparison(old: old, new: new, rules: rules)
    return (0..<new.itemCount).allSatisfy {
      !new.rows(ofItem: $0).isEmpty || contents.isSameItem($0, $0)
    }
  }

  /// Returns the row of the cursor after a change that does not set it.
  func cursor(
    _ cursor: Int?, in old: Snapshot, _ new: Snapshot, _ request: ChangeRequest,
    _ change: SnapshotChange
  ) -> Int? {
    if request.clearsCursor { return nil }
    return request.cursorPolicy.row(
      of: cursor, rowsToNew: change.matching.rowsToNew, newCount: new.rowCount
    ) { row in
      let item = Int(change.items.rowsToNew[old.item(ofRow: row)])
      return item < 0 ? nil : new.rows(ofItem: item).first
    }
  }
}
