import ListDiff

extension ListStore {
  /// Returns the change of a list from an earlier revision to the current one, or `nil` if the
  /// earlier revision is not kept. `selected` and `cursor` are the selected items and the cursor at
  /// that revision.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of both revisions and of the changes
  ///   between them.
  package mutating func change(
    of list: NamedList, since revision: Int, selected: BitSet, cursor: Int?
  ) -> ListChange? {
    var selection = Selection(count: selected.bound)
    selection.items = selected
    guard var change = change(of: list, since: revision, selectionBefore: selection) else {
      return nil
    }
    change.changesMarks = selected != list.selection.items || cursor != list.cursor
    let partners = change.changes.items.rowsToNew
    let keys = change.old.arrangement.rows
    var kept = KeptSelections()
    for item in selected.members {
      let now = Int(partners[item])
      if now >= 0, list.selection.items.contains(now) { continue }
      // A view may not show an item any more that is selected.
      if now < 0, list.view != nil, kept.contains(keys[item], of: list, &self) { continue }
      change.deselected.append(Deselected(item: item, isDeleted: now < 0))
    }
    return change
  }
}
