import ListDiff
import ListStages

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
    finishEdits()
    let list = peek(name) ?? NamedList(name: name)
    try checkWritable(list)
    try checkBase(of: list, request)
    let old = list.shownItems(isStopped: isCancelled)
    if isCancelled() { throw .cancelled }
    try checkComposites(of: name, from: old, to: snapshot)
    let comparison = try compareUnlessCancelled(old, snapshot, same: consume same)
    let saved = savedLists(beforeChanging: name, madeOf: [SourceIDs(snapshot)], isComposite: false)
    let change = try commit(consume list, comparison, from: old, to: snapshot, request)
    let isFollowed = change.made.isRevision || change.changesMarks && sharesSelection(name)
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

  /// Commits a computed change of a list that is not a view, with the selection and the cursor carried over.
  mutating func commit(
    _ before: consuming NamedList, _ change: consuming SnapshotChange, from old: consuming Snapshot,
    to snapshot: Snapshot, _ request: ChangeRequest
  ) throws(ListFailure) -> ComparedChange {
    let toNew = change.items.rowsToNew
    return try commit(
      consume before, nil, consume change, from: consume old, to: snapshot, toNew: toNew, request
    ).change
  }

  /// Commits a computed change of a list, which is `made` as a view unless that is `nil`. `toNew` maps the items of the
  /// list or, of a view, those of its sources to their new indices; `nil` if these are unchanged.
  ///
  /// - Returns: The change, and those of other lists if these have the selection.
  mutating func commit(
    _ before: consuming NamedList, _ made: MadeView?,
    _ change: consuming SnapshotChange, from old: consuming Snapshot, to snapshot: Snapshot,
    toNew: [Int32]?, _ request: ChangeRequest
  ) throws(ListFailure) -> (change: ComparedChange, shared: [SelectionChange]) {
    let (name, baseRevision) = (before.name, before.revision)
    let isNew = baseRevision == 0 || !leavesContentUnchanged(change, old, snapshot)
    let new = isNew ? snapshot : old
    let namesItems = request.selected != nil || request.cursor != nil
    let (marks, selectedBefore) = (before.sourceMarks.mapped(by: toNew), before.selectedItems)
    let (oldCursor, oldNumbers) = (before.cursor, before.viewNumbers)
    let revision = isNew ? nextRevision(of: before) : baseRevision
    let oldRows = keepsOldContents(of: name) ? before.tree.map { ListRows($0) } : nil
    // A list that is in the table, and that nothing below refers to as it was, is changed without a copy.
    var taken: ListTable.Index?
    if made == nil, !namesItems, !before.isView, let index = lists.index(of: name),
      lists[at: index].isIdentical(to: before)
    {
      taken = index
      touch(name)
      lists.take(at: index)
    }
    let earlier = taken == nil ? copy before : nil
    var list = consume before
    if let made {
      list = made.list
    } else {
      setTree(of: &list, new, marks, isComplete: namesItems)
    }
    let keys = made?.keys ?? []
    var named = TreeSelection()
    if let earlier {
      named = try resolve(request, in: list, earlier)
      named.cursor = named.cursor ?? raisedCursor(of: earlier, in: list, keys, toNew, request)
    }
    list.cursor = named.cursor ?? cursor(oldCursor, in: old, new, request, change)
    var shared: [SelectionChange] = []
    if let items = named.items { shared = select(items, in: &list) }
    let deselected = deselected(selectedBefore, of: earlier, old, in: list, keys, toNew)
    let changesMarks = selectedBefore != list.selectedItems || oldCursor != list.cursor
    let runs =
      isNew && shownLists.contains(name)
      ? RowRuns(
        copy change, (copy old, Set(selectedBefore)), (new, Set(list.selectedItems))) : nil
    let operations = operations(of: change, old, snapshot, isRevision: isNew)
    let reported = ListChange(
      operations, to: list, since: baseRevision, revision: revision,
      old: oldRows, deselected: deselected,
      marking: !isNew && changesMarks ? SelectionChange(of: list, selectedBefore) : nil,
      changesNumbers: oldNumbers != list.viewNumbers, runs: runs)
    if let earlier, let made { warn(ofCycles: made.cyclic, in: list, after: earlier) }
    #if DEBUG
      new.checkInvariants()
    #endif
    let kept =
      isNew
      ? KeptItems(
        change, old, new, comparesParts: recordsModifications && list.sources == nil) : nil
    if let kept {
      list.advance(to: revision, from: copy old, new, keeping: kept, historyBytes: historyBytes)
    }
    if let taken { lists.put(consume list, at: taken) } else { store(consume list) }
    if let kept {
      recordEdits(of: name, from: baseRevision, old, to: new, keeping: kept)
      recordHistory(at: lists.index(of: name)!)
    }
    return (
      ComparedChange(
        made: reported, changes: consume change, changesMarks: changesMarks),
      shared
    )
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
    let contents = ContentComparison(old: old, new: new, rules: rules)
    let last = contentStage(contents, &same)
    if !last.ops.isEmpty { stages.append(last) }
    return SnapshotChange(
      stages: stages, matching: engine.matching, same: same, items: items,
      movement: engine.movement)
  }

  /// Returns the operations of a change between two snapshots. Changes the matching of the engine if items have
  /// parts.
  ///
  /// - Complexity: O(*k*), where *k* is the number of operations and of updated items; as of
  ///   ``replace(_:with:_:same:)`` if items have parts.
  mutating func operations(
    of change: borrowing SnapshotChange, _ old: Snapshot, _ new: Snapshot, isRevision: Bool
  ) -> ListOperations {
    let hasParts = old.hasParts || new.hasParts
    var operations = ListOperations(
      stages: change.stages, itemStages: hasParts ? itemStages(old, new) : nil,
      rows: change.movement.rowCounts, sections: change.movement.sectionCounts,
      changesContent: isRevision)
    /// The items with updated parts.
    var updated = Set<Int>()
    for op in change.stages.last?.ops ?? [] {
      switch op {
      case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
        for section in at..<at + count {
          let before = Int(change.items.sectionsToOld[section])
          let own = Array(old.bytes(of: old.sections[before].own))
          operations.changedSections.append((section, own))
        }
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        if hasParts {
          let first = Int(new.rowStarts[at.section]) + at.row
          updated.formUnion((first..<first + count).lazy.map(new.item(ofRow:)))
          continue
        }
        let first = Int(new.arrangement.starts[at.section]) + at.row
        operations.changedItems += first..<first + count
      default: break
      }
    }
    if hasParts {
      let contents = ContentComparison(old: old, new: new, rules: rules)
      var known = UnchangedItems(change.same)
      for (item, before) in change.items.rowsToOld.enumerated() where before >= 0 {
        if known.contains(Int(before), item) { continue }
        if updated.contains(item) || !contents.isSameItem(Int(before), item) {
          operations.changedItems.append(item)
        }
      }
    } else if operations.changedItems.count > 1 {
      // Reloaded rows precede the others.
      operations.changedItems.sort()
    }
    return operations
  }

  /// Returns the deletes, inserts and moves between two snapshots, in items instead of rows.
  ///
  /// - Complexity: As of ``replace(_:with:_:)``.
  private mutating func itemStages(_ old: Snapshot, _ new: Snapshot) -> [Stage] {
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
    change.stages.isEmpty && keepsHiddenContents(old, new)
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
