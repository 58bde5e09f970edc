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
  /// All items of a list, of a view also those that it does not show, which are outside its window or
  /// collapsed. Those of an outline are as they are in its sources.
  ///
  /// - Complexity: O(*n* + *s*), where *n* is the number of items and *s* that of sections; O(1) if the
  ///   list is not an outline or a view with a window.
  package mutating func allItems(of list: NamedList) -> Snapshot {
    guard let view = list.view, view.showsSome else { return list.snapshot }
    return snapshot(
      of: 0..<view.arrangement.count, view.arrangement, from: view.items.snapshot,
      hidesEmptySections: view.rules.hidesEmptySections, copiesTexts: false)
  }

  /// The items that a request selects among all items of a list, by their indices there, and the flat row
  /// that it puts the cursor on, which is shown; `nil` for what it does not name. Paths lead to shown rows.
  ///
  /// - Throws: as ``resolve(selected:cursor:in:of:rows:)``.
  mutating func resolve(
    selected: [ItemReference]?, cursor: ItemReference?, among all: Snapshot, of list: NamedList
  ) throws(ListFailure) -> (items: [Int]?, cursor: Int?) {
    let named = try resolve(
      selected: selected.map { $0.map { list.reference($0, in: all) } },
      cursor: cursor.map { list.reference($0, in: all) }, in: all, of: list
    ) { list.shownRow(ofRow: $0, in: all) != nil }
    return (named.items, named.cursor.flatMap { list.shownRow(ofRow: $0, in: all) })
  }
}

extension ViewState {
  /// Whether the view may have items that it does not show.
  var showsSome: Bool { rules.window != nil || arrangement.outline != nil }
}

extension NamedList {
  /// The index among all items of one that is shown.
  func position(ofShown item: Int) -> Int { view?.position(ofShown: item) ?? item }

  /// The index among the shown items of one of all; `nil` if it is not shown.
  func shownItem(at position: Int) -> Int? {
    if let view { return view.shownItem(at: position) }
    return position
  }

  /// The index among the rows of all items of one that is shown.
  func row(ofShown row: Int, in all: Snapshot) -> Int {
    guard let view, view.showsSome else { return row }
    let item = snapshot.item(ofRow: row)
    return all.rows(ofItem: view.position(ofShown: item)).lowerBound + row
      - snapshot.rows(ofItem: item).lowerBound
  }

  /// The index among the shown rows of one of all items; `nil` if it is not shown.
  func shownRow(ofRow row: Int, in all: Snapshot) -> Int? {
    guard let view, view.showsSome else { return row }
    let position = all.item(ofRow: row)
    return view.shownItem(at: position).map {
      snapshot.rows(ofItem: $0).lowerBound + row - all.rows(ofItem: position).lowerBound
    }
  }

  /// A reference to an item as one among all items; a path leads to a shown row.
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
