import ListDiff

extension NamedList {
  /// The selection, of a view also that of items which its window does not show.
  package var fullSelection: Selection {
    get { view?.selection ?? selection }
    set {
      view?.selection = newValue
      selection = view?.shownSelection ?? newValue
    }
  }
}

extension ListStore {
  /// All items of a list, of a view also those that its window does not show.
  ///
  /// - Complexity: O(*n* + *s*), where *n* is the number of items and *s* that of sections; O(1) if the
  ///   list is not a view with a window.
  package mutating func allItems(of list: NamedList) -> Snapshot {
    guard let view = list.view, view.rules.window != nil else { return list.snapshot }
    return snapshot(
      of: 0..<view.arrangement.order.count, view.arrangement, from: view.items.snapshot,
      hidesEmptySections: view.rules.hidesEmptySections, copiesTexts: false)
  }

  /// The items that a request selects among all items of a list, by their indices there, and the flat row
  /// that it puts the cursor on, which is shown; `nil` for what it does not name. Paths lead to shown rows.
  ///
  /// - Throws: as ``resolve(selected:cursor:in:of:rows:)``.
  mutating func resolve(
    selected: [ItemReference]?, cursor: ItemReference?, among all: Snapshot, of list: NamedList
  ) throws(ListFailure) -> (items: [Int]?, cursor: Int?) {
    let rows = list.shownRows(of: all)
    let named = try resolve(
      selected: selected.map { $0.map { list.reference($0, in: all) } },
      cursor: cursor.map { list.reference($0, in: all) }, in: all, of: list, rows: rows)
    return (named.items, named.cursor.map { $0 - rows.lowerBound })
  }
}

extension NamedList {
  /// The items that are shown, by their indices among all items.
  var shownItems: Range<Int> { view?.range ?? 0..<snapshot.itemCount }

  /// The rows that are shown, by their indices among those of all items.
  func shownRows(of all: Snapshot) -> Range<Int> {
    guard let view, view.rules.window != nil, !view.range.isEmpty else {
      return 0..<snapshot.rowCount
    }
    let first = all.rows(ofItem: view.range.lowerBound).lowerBound
    return first..<first + snapshot.rowCount
  }

  /// A reference to an item as one among all items; a path leads to a shown row.
  func reference(_ reference: ItemReference, in all: Snapshot) -> ItemReference {
    guard view?.rules.window != nil, case .path(let section, let row, nil) = reference else {
      return reference
    }
    guard let row = snapshot.row(section: section, row) else {
      return .id(nil, occurrence: 0, source: nil)
    }
    let path = all.path(ofRow: shownRows(of: all).lowerBound + row)
    return .path(section: path.section, row: path.row, revision: nil)
  }
}
