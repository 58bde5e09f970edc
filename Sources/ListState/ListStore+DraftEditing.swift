import ListDiff

extension ListStore {
  /// The number of selected items up to which a list stays in pieces while it is edited.
  private static let selectionLimit = 64

  /// Makes edits of a list as one change in time that follows the edits, where that can be done;
  /// else nothing is done and `nil` returned.
  ///
  /// It can be done where each item is a row with an identity of its own, the list is part of no
  /// other, and few items are selected.
  ///
  /// - Complexity: O(*s* + *p* log *p*), where *s* is the number of sections and *p* that of pieces
  ///   that edits have cut the list into; O(*n*) for the first edit of a snapshot and once in some
  ///   hundred edits, where *n* is the number of items.
  /// - Throws: as ``edit(_:_:_:)``.
  package mutating func editDraft(
    _ name: [UInt8], _ edits: Edits, _ request: ChangeRequest
  ) throws(ListFailure) -> DraftChange? {
    guard let list = peek(name), canStayDraft(list, edits, request) else { return nil }
    try checkBase(of: list, request)
    var before =
      list.draft
      ?? Draft(
        list.snapshot, of: name, number: list.revision,
        KeyIndex(list.snapshot, universe: ids.universe))
    before.forgetTouched()
    var after = before
    after.bring(edits.brought)
    for (index, edit) in edits.edits.enumerated() {
      do throws(EditFailure) {
        try after.make(edit) { (revision) throws(EditFailure) in
          throw .revisionNotFound(
            revision, oldest: list.oldestRevision, current: list.revision)
        }
      } catch { throw .edit(index: index, error) }
    }
    guard !after.repeatsItems(since: before) else { return nil }
    return commit(list, before, after, request)
  }

  private func canStayDraft(
    _ list: NamedList, _ edits: Edits, _ request: ChangeRequest
  ) -> Bool {
    list.sources == nil && dependents(of: list.name).isEmpty && request.selected == nil
      && request.cursor == nil
      && list.selection.items.count <= Self.selectionLimit
      && (list.draft != nil
        || list.snapshot.parts == nil && !list.snapshot.arrangement.hasRepeats)
      && edits.arePlain && !edits.areMany(besides: list.itemCount)
  }

  private mutating func commit(
    _ before: NamedList, _ old: Draft, _ new: Draft, _ request: ChangeRequest
  ) -> DraftChange {
    let comparison = DraftComparison(old, new)
    let oldPlaces = DraftPlaces(old)
    let newPlaces = DraftPlaces(new)
    var change = tell(
      comparison, old, new, DraftRows(old, oldPlaces), DraftRows(new, newPlaces), of: before)
    let map = DraftMap(comparison, engine.matching)
    var list = before
    list.carryMarks(map, old, new, newPlaces, request.cursorPolicy)
    for item in before.selection.items.members {
      let place = map.place(of: item)
      if let place, list.selection.items.contains(place) { continue }
      change.deselected.append(
        (old.key(ofItem: item, oldPlaces), oldPlaces.path(of: item), place == nil))
    }
    change.isMarked = list.selection.items != before.selection.items || list.cursor != before.cursor
    if change.revision != change.baseRevision {
      if new.isWorn {
        list.advance(to: change.revision, new.snapshot(), historyBytes: historyBytes)
      } else {
        list.advance(to: change.revision, new, historyBytes: historyBytes)
      }
    } else if list.draft == nil {
      list.draft = old
    }
    change.selection = newPlaces.ranges(of: list.selection.items)
    change.cursor = list.cursor.map(newPlaces.path)
    store(list)
    note(edited: old, new)
    return change
  }

  /// Computes the change between two states of a draft.
  private mutating func tell(
    _ comparison: DraftComparison, _ old: Draft, _ new: Draft, _ oldRows: DraftRows,
    _ newRows: DraftRows, of list: NamedList
  ) -> DraftChange {
    let before = comparison.old
    let after = comparison.new
    engine.rowWeights = before.rows.map { Int32(truncatingIfNeeded: $0.length) }
    defer { engine.rowWeights = [] }
    engine.match(
      before.arrangement(of: old), after.arrangement(of: new),
      universe: max(ids.universe, comparison.universe))
    engine.findMoves(oldStarts: before.starts, newStarts: after.starts)
    var stages = engine.structuralStages(oldStarts: before.starts, newStarts: after.starts)
    let isStructural = !stages.isEmpty
    var changedItems: [Int] = []
    var changedSections: [(old: Int, new: Int)] = []
    let contents = DraftContents(old: old, new: new, rules: rules)
    let offsets = after.offsets
    let last = engine.contentStage(newStarts: after.starts) { from, to in
      let change = contents.section(from, to)
      if change != .none { changedSections.append((from, to)) }
      return max(change, new.touchedSections[new.sections[to].key] ?? .none)
    } row: { from, to in
      let change = contents.item(before.rows[from].handle, after.rows[to].handle)
      if change != .none { changedItems.append(offsets[to]) }
      return max(change, new.touchedItems[after.rows[to].handle] ?? .none)
    }
    if !last.ops.isEmpty { stages.append(last) }
    var lengths = RowLengths(before.lengths)
    let isNew = isStructural || !changedItems.isEmpty || !changedSections.isEmpty
    return DraftChange(
      name: list.name, baseRevision: list.revision,
      revision: isNew ? nextRevision(of: list) : list.revision,
      stages: stages.map { lengths.expand($0) }, rows: counts(before, after),
      sections: engine.movement.sectionCounts, old: oldRows, new: newRows,
      changedItems: changedItems, changedSections: changedSections, selection: [], cursor: nil,
      deselected: [], isMarked: false)
  }

  /// Counts items instead of the rows that stand for them.
  private func counts(_ before: DraftComparison.Side, _ after: DraftComparison.Side) -> Counts {
    var counts = Counts(updates: engine.movement.rowCounts.updates)
    for (row, partner) in engine.matching.rowsToNew.enumerated() {
      if partner < 0 { counts.deletes += before.rows[row].length }
      if engine.movement.movedRows[row] { counts.moves += before.rows[row].length }
    }
    for (row, partner) in engine.matching.rowsToOld.enumerated() where partner < 0 {
      counts.inserts += after.rows[row].length
    }
    return counts
  }
}

/// Says what items and sections that edits have given new content need.
private struct DraftContents {
  let old: Draft
  let new: Draft
  let rules: ContentRules

  func section(_ before: Int, _ after: Int) -> ContentChange {
    let a = old.sections[before]
    let b = new.sections[after]
    if a.source == b.source, a.index == b.index { return .none }
    let from = old.sources[a.source].sections[a.index]
    let to = new.sources[b.source].sections[b.index]
    if rules.isSameSection(
      old.sources[a.source].bytes(of: from.own), new.sources[b.source].bytes(of: to.own))
    {
      return .none
    }
    return from.headerTemplate == to.headerTemplate && from.footerTemplate == to.footerTemplate
      ? .reconfigure : .reload
  }

  func item(_ before: Draft.Handle, _ after: Draft.Handle) -> ContentChange {
    if before == after { return .none }
    let from = old.sources[before.source]
    let to = new.sources[after.source]
    if rules.isSameItem(
      from.bytes(of: from.payloads[before.item]), to.bytes(of: to.payloads[after.item]))
    {
      return .none
    }
    return from.template(ofItem: before.item) == to.template(ofItem: after.item)
      ? .reconfigure : .reload
  }
}
