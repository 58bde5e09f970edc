import ListDiff

extension ListStore {
  /// Returns the change of a list from an earlier revision to the current one, or `nil` if the
  /// earlier revision is not kept. `marks` are the selected items and the row of the cursor at that revision;
  /// unless given, they are the present ones. The change has runs if it `hasRuns`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of both revisions and of the changes
  ///   between them.
  package mutating func change(
    of list: NamedList, since revision: Int, marks: (selected: [Int], cursor: Int?)? = nil,
    changesNumbers: Bool = false, hasRuns: Bool = false
  ) -> ListChange? {
    guard let old = try? list.snapshot(of: revision) else { return nil }
    let new = list.shownItems
    let change = compare(old, new)
    let now = Set(list.selectedItems)
    let partners = change.items.rowsToNew
    var deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = []
    for item in marks?.selected ?? [] {
      let partner = Int(partners[item])
      let key = old.arrangement.rows[item]
      if partner >= 0, now.contains(partner) { continue }
      // A view may not show an item any more that is selected.
      if partner < 0, list.isView, isSelected(key, of: list) { continue }
      deselected.append((key, old.path(ofItem: item), partner < 0))
    }
    let isRevision = revision != list.revision
    let operations = operations(of: change, old, new, isRevision: isRevision)
    var marking: SelectionChange?
    if !isRevision, let marks, marks != (list.selectedItems, list.cursor) {
      marking = SelectionChange(of: list, marks.selected)
    }
    return ListChange(
      operations, to: list, since: revision, revision: list.revision,
      old: keepsOldContents(of: list.name) ? ListRows(old) : nil,
      deselected: deselected, marking: marking, changesNumbers: changesNumbers,
      runs: hasRuns ? RowRuns(change, (old, Set(marks?.selected ?? [])), (new, now)) : nil)
  }

  /// Returns the change between two snapshots, with the contents before and with runs if it has these. Stops if
  /// the request is cancelled.
  ///
  /// - Complexity: As of ``replace(_:with:_:same:)``.
  /// - Throws: `cancelled`.
  package mutating func change(
    from old: Snapshot, to new: Snapshot, hasOld: Bool, hasRuns: Bool
  ) throws(ListFailure) -> ListChange {
    let change = try compareUnlessCancelled(old, new)
    let isSame = leavesContentUnchanged(change, old, new)
    let operations = operations(of: change, old, new, isRevision: !isSame)
    return ListChange(
      operations, of: [], since: 0, revision: 0, new: ListRows(isSame ? old : new),
      old: hasOld ? ListRows(old) : nil,
      runs: hasRuns ? RowRuns(change, (old, []), (new, [])) : nil)
  }
}
