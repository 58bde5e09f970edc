import ListDiff

extension NamedList {
  /// The selection; for a view, including items outside its window.
  package var fullSelection: Selection {
    get { view?.selection ?? selection }
    set {
      view?.selection = newValue
      selection = view?.shownSelection ?? newValue
    }
  }
}

extension ListStore {
  /// Returns all items of a list; for a view, including those that are outside its window or
  /// collapsed. Items of an outline are returned as they are in its sources.
  ///
  /// - Complexity: O(*n* + *s*), where *n* is the number of items and *s* that of sections; O(1) if the
  ///   list is not an outline or a view with a window.
  package mutating func allItems(of list: NamedList) -> Snapshot {
    allItems(of: list, isStopped: { false })
  }

  /// Returns the same for a request that may be cancelled.
  ///
  /// - Throws: `cancelled`.
  package mutating func allItemsUnlessCancelled(
    of list: NamedList
  ) throws(ListFailure) -> Snapshot {
    try allItemsUnlessCancelled(of: list, isStopped: isCancelled)
  }

  /// - Throws: `cancelled` if it `isStopped`.
  mutating func allItemsUnlessCancelled(
    of list: NamedList, isStopped: () -> Bool
  ) throws(ListFailure) -> Snapshot {
    let all = allItems(of: list, isStopped: isStopped)
    if isStopped() { throw .cancelled }
    return all
  }

  /// If `isStopped`, returns any snapshot.
  private mutating func allItems(of list: NamedList, isStopped: () -> Bool) -> Snapshot {
    guard let view = list.view, view.showsSome,
      view.arrangement.sortAll(isStopped: isStopped)
    else { return list.snapshot }
    return snapshot(
      of: 0..<view.arrangement.count, view.arrangement, from: view.items.snapshot,
      hidesEmptySections: view.rules.hidesEmptySections, .shared, isStopped: isStopped)
  }

  /// Returns the items that a request selects, as indices among all items of a list, and the row
  /// for the cursor, which must be shown; `nil` for either that the request does not have. Paths
  /// refer to shown rows; `past` has the list as it was before the request.
  ///
  /// - Throws: What ``resolve(selected:cursor:in:of:rows:)`` throws.
  mutating func resolve(
    selected: [ItemReference]?, cursor: ItemReference?, among all: Snapshot, of list: NamedList,
    past: consuming PastRevisions
  ) throws(ListFailure) -> (items: [Int]?, cursor: Int?) {
    let named = try resolve(
      selected: selected.map { $0.map { list.reference($0, in: all) } },
      cursor: cursor.map { list.reference($0, in: all) }, in: all, of: list, past: past
    ) { list.shownRow(ofRow: $0, in: all) != nil }
    return (named.items, named.cursor.flatMap { list.shownRow(ofRow: $0, in: all) })
  }
}

extension ViewState {
  /// Whether the view may have items that are not shown.
  var showsSome: Bool { rules.window != nil || arrangement.outline != nil }
}

extension NamedList {
  /// Returns the index of a shown item among all items.
  func position(ofShown item: Int) -> Int { view?.position(ofShown: item) ?? item }

  /// Returns the index of an item among the shown ones; `nil` if it is not shown.
  func shownItem(at position: Int) -> Int? {
    if let view { return view.shownItem(at: position) }
    return position
  }

  /// Returns the index of a shown row among the rows of all items.
  func row(ofShown row: Int, in all: Snapshot) -> Int {
    guard let view, view.showsSome else { return row }
    let item = snapshot.item(ofRow: row)
    return all.rows(ofItem: view.position(ofShown: item)).lowerBound + row
      - snapshot.rows(ofItem: item).lowerBound
  }

  /// Returns the index of a row of all items among the shown rows; `nil` if it is not shown.
  func shownRow(ofRow row: Int, in all: Snapshot) -> Int? {
    guard let view, view.showsSome else { return row }
    let position = all.item(ofRow: row)
    return view.shownItem(at: position).map {
      snapshot.rows(ofItem: $0).lowerBound + row - all.rows(ofItem: position).lowerBound
    }
  }

  /// Converts a reference to one among all items. A path refers to a shown row.
  func reference(_ reference: ItemReference, in all: Snapshot) -> ItemReference {
    guard view?.showsSome == true, case .path(let section, let row, nil) = reference else {
      return reference
    }
    guard let row = snapshot.row(section: section, row) else {
      return .id(nil, occurrence: 0, source: nil)
    }
    let path = all.path(ofRow: self.row(ofShown: row, in: all))
    return .path(section: path.section, row: path.row, revision: nil)
  }
}
