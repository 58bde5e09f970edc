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
    var text: [UInt8] = []
    view.appendText(of: all.record(at: location), outline, all, at: location, to: &text)
    return text
  }
}

extension LiveView {
  /// Appends the text of an item of an outline, given its location among `all` items, as its row shows it or would
  /// show it.
  func appendText(
    of record: ItemRecord, _ outline: LiveOutline, _ all: ListTree, at location: ListTree.Location,
    to text: inout [UInt8]
  ) {
    let row =
      outline.unlinked.map { $0.outline.row(all.index(of: location)) }
      ?? outline.row(of: outline.node(of: record.key)!)
    definition.append(sources.bytes(of: source(of: record).payload), row, to: &text)
  }
}
