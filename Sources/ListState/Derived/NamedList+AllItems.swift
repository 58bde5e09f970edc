extension NamedList {
  /// The selected items among all items; for a view, including items outside its window.
  package var allSelectedItems: [Int] { knownTree?.selectedIndices ?? [] }

  /// All items, also those that a view does not show. Those of a view with a window, or of an outline, may
  /// have no texts.
  package var allItems: Snapshot { allTree?.snapshot(isTidy: false) ?? Snapshot() }

  /// Returns the index of a shown row among the rows of all items.
  func rowOfAll(_ row: Int) -> Int {
    guard let all = live?.allItems, let found = tree?.location(ofRow: row),
      let item = all.location(of: tree!.key(at: found.item)), let first = all.firstRow(of: item)
    else { return row }
    return first + found.row
  }
}

extension ListStore {
  /// Returns the index among all items of a view of the item that a reference to the present revision names.
  package func item(_ reference: ItemReference, of list: NamedList) -> Int? {
    var known = KnownItems()
    return location(of: reference, in: list, &known).flatMap { list.allTree?.index(of: $0) }
  }
}

extension NamedList {
  /// Returns the text of an item of a view, shown or not.
  package func text(ofItem item: Int) -> [UInt8] {
    outlineText(ofItem: item) ?? Array(allRows.bytes(ofItem: item))
  }

  /// Returns the text of an item of an outline, shown or not, as its row shows
  /// it or would show it; `nil` for other lists.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items, and the size of the text.
  package func outlineText(ofItem item: Int) -> [UInt8]? {
    guard let view = live, let outline = view.outline, let all = view.all,
      let location = all.location(at: item)
    else { return nil }
    let record = all.record(at: location)
    guard let node = outline.node(of: record.key) else { return nil }
    var text: [UInt8] = []
    let bytes = view.sources.bytes(of: view.source(of: record).payload)
    let row = outline.unlinked?.outline.row(item) ?? outline.row(of: node)
    view.definition.append(bytes, row, to: &text)
    return text
  }
}
