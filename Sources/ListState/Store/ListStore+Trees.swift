import ListDiff

/// The sizes of a list.
package struct ListSummary: Sendable {
  package var name: [UInt8]
  package var revision: Int
  package var sections: Int
  package var items: Int
  package var rows: Int
  package var selected: Int
  package var sources: [[UInt8]]?
}

extension ListStore {
  /// Reports whether there is a list with a name.
  package func contains(_ name: [UInt8]) -> Bool { lists.index(of: name) != nil }

  /// Returns the sizes of a list.
  ///
  /// - Complexity: O(1).
  package func summary(of name: [UInt8]) -> ListSummary? {
    guard let list = lists[name] else { return nil }
    return ListSummary(
      name: name, revision: list.revision, sections: list.tree?.sectionCount ?? 0,
      items: list.itemCount, rows: list.rowCount, selected: list.knownTree?.selectedCount ?? 0,
      sources: list.sources)
  }

  /// Returns the location of an item among all items of a list. A path in
  /// `reference` is one of the shown items. `known` has the older revisions, and caches the result.
  ///
  /// - Complexity: O(*k* log *n*), where *n* is the number of items and *k* the number of those that
  ///   have the identifier; in a composite O(*s*) more, where *s* is the number of sources on all
  ///   paths to ordinary lists.
  func location(
    of reference: ItemReference, in list: NamedList, _ known: inout KnownItems
  ) -> ListTree.Location? {
    guard let tree = list.allTree else { return nil }
    if case .path(let section, let row, let revision?) = reference {
      let item = known.pasts[revision]?.item(section: section, row: row)?.index
      return item.flatMap(tree.location(at:))
    }
    guard list.sources != nil, case .id(let id?, let occurrence, let source) = reference else {
      guard list.live?.all != nil, let shown = list.tree else {
        return tree.location(of: reference, &known)
      }
      return shown.location(of: reference, &known).flatMap {
        tree.location(of: shown.record(at: $0).key)
      }
    }
    return location(ofID: id, occurrence: occurrence, source: source, in: list, tree, &known)
  }

  /// Returns the location in a tree of a composite or view of the item that an identifier names.
  func location(
    ofID id: UInt32, occurrence: Int, source: [UInt8]?, in list: NamedList, _ tree: ListTree,
    _ known: inout KnownItems
  ) -> ListTree.Location? {
    known.item(id, source == list.name ? nil : source, occurrence: occurrence) {
      locations(ofIdentity: id, in: list, tree)
    } path: {
      path(ofItem: tree.identity(of: tree.key(at: $0)), in: list)
    }
  }

  /// Returns the locations of the items that have an identifier, in the tree of a list and in order.
  func locations(
    ofIdentity id: UInt32, in list: NamedList, _ tree: ListTree
  ) -> [ListTree.Location] {
    let found = keys(of: id, in: list).flatMap { tree.locations(ofIdentity: $0) }
    guard found.count > 1 else { return found }
    return found.map { (tree.index(of: $0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the location of the same item among the shown items.
  func location(
    ofShown reference: ItemReference, in list: NamedList, _ known: inout KnownItems
  ) -> ListTree.Location? {
    let location = location(of: reference, in: list, &known)
    guard let all = list.live?.allItems, let shown = list.tree else { return location }
    return location.flatMap { shown.location(of: all.record(at: $0).key) }
  }

  /// Returns the flat row that a reference names among the shown rows, which is the row at a path or
  /// the first row of an item, or `nil` if there is none.
  func row(
    of reference: ItemReference, in list: NamedList, _ known: inout KnownItems
  ) -> Int? {
    if case .path(let section, let row, let revision?) = reference {
      return known.pasts[revision]?.row(
        section: section, row, in: list.allTree!, shown: list.tree!)
    }
    return list.tree!.row(of: reference, at: location(ofShown: reference, in: list, &known))
  }

  /// Ends a request. Unless the lists are recorded, it cannot fail any more, and the content that snapshots
  /// have replaced is released.
  package mutating func endRequest() {
    guard !recordsModifications else { return }
    var edit = 0
    while edit < openEdits.count {
      let name = openEdits[edit].name
      guard let index = lists.index(of: name), lists[at: index].isAdopting else {
        edit += 1
        continue
      }
      openEdits.removeAll { $0.name == name }
      lists[at: index].finishChange()
      moveTexts(of: name)
    }
  }

  /// Finishes the edits of the previous request.
  mutating func finishEdits() {
    if openEdits.isEmpty { return }
    // The lists as they were before would share the memory that changes.
    for edit in openEdits.indices { openEdits[edit].before = nil }
    for edit in openEdits.indices {
      guard let index = lists.index(of: openEdits[edit].name) else { continue }
      lists[at: index].finishChange()
    }
    for edit in openEdits.indices { moveTexts(of: openEdits[edit].name) }
    openEdits.removeAll(keepingCapacity: true)
  }
}
