import ListDiff

extension ListStore {
  /// Returns the items that a request selects in a snapshot of a list, and the flat row of the
  /// cursor that it sets; `nil` for what it does not set. `past` has the list as it was before the request.
  ///
  /// - Throws: `itemsNotFound` with all missing items, `notSelectable`, `revisionNotFound`.
  mutating func resolve(
    selected: [ItemReference]?, cursor: ItemReference?, in snapshot: Snapshot, of list: NamedList,
    past: consuming PastRevisions
  ) throws(ListFailure) -> (items: [Int]?, cursor: Int?) {
    var past = past
    var row: Int?
    if let cursor { row = try cursorRow(cursor, in: snapshot, of: list, &past) }
    let isLost = cursor != nil && row == nil
    var items: [Int]?
    do throws(ListFailure) {
      if let selected { items = try resolve(selected, in: snapshot, of: list, &past) }
    } catch .itemsNotFound(let missing, _) {
      throw .itemsNotFound(missing, cursor: isLost)
    } catch .notSelectable where isLost {
      throw .itemsNotFound([], cursor: true)
    }
    if isLost { throw .itemsNotFound([], cursor: true) }
    return (items, row)
  }

  /// Returns the items that references name in a snapshot of a list.
  ///
  /// A path with a revision is mapped from that revision to the snapshot by identity.
  ///
  /// - Throws: `itemsNotFound` with all missing items, `revisionNotFound`, and `notSelectable` with all items
  ///   that are not selectable.
  private mutating func resolve(
    _ references: [ItemReference], in snapshot: Snapshot, of list: NamedList,
    _ past: inout PastRevisions
  ) throws(ListFailure) -> [Int] {
    var itemIndex = ItemIndex(
      of: snapshot, forReferences: references.count, isComposite: list.sources != nil, &keyIndices,
      ids)
    var items: [Int] = []
    var missing: [Int] = []
    for (index, reference) in references.enumerated() {
      if let item = try item(reference, in: snapshot, of: list, &itemIndex, &past) {
        items.append(item)
      } else {
        missing.append(index)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing) }
    let barred = items.indices.filter { !snapshot.isSelectable(items[$0]) }
    guard barred.isEmpty else { throw .notSelectable(barred) }
    return items
  }

  /// Returns the flat row that a reference names, which is the row at a path or the first row of an
  /// item, or `nil` if there is none.
  ///
  /// - Throws: `revisionNotFound`.
  private mutating func cursorRow(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList,
    _ past: inout PastRevisions
  ) throws(ListFailure) -> Int? {
    if case .path(let section, let row, nil) = reference {
      if let row = snapshot.row(section: section, row) { return row }
    } else if case .path(let section, let row, let revision?) = reference {
      let old = try past.snapshot(of: revision, isStopped: isCancelled)
      if let row = old.row(section: section, row) {
        let items = match(old, snapshot)
        if engine.matching.rowsToNew[row] >= 0 { return Int(engine.matching.rowsToNew[row]) }
        let item = Int(items.rowsToNew[old.item(ofRow: row)])
        if item >= 0, let first = snapshot.rows(ofItem: item).first { return first }
      }
    } else {
      var index = ItemIndex(
        of: snapshot, forReferences: 1, isComposite: list.sources != nil, &keyIndices, ids)
      if let item = try item(reference, in: snapshot, of: list, &index, &past),
        let first = snapshot.rows(ofItem: item).first
      {
        return first
      }
    }
    return nil
  }

  /// Returns the item that a reference names.
  mutating func item(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList,
    _ index: inout ItemIndex, _ past: inout PastRevisions
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      guard index.isOfOriginals else {
        return index.item(
          keys(of: id, in: list, source: source), occurrence: occurrence, keyIndices)
      }
      return index.item(
        original: id, occurrence: occurrence, passing: source == list.name ? nil : source,
        keyIndices
      ) { path(ofItem: $0, in: list) }
    case .path(let section, let row, nil):
      return snapshot.row(section: section, row).map(snapshot.item)
    case .path(let section, let row, let revision?):
      return try self.past(revision, in: snapshot, &past).item(section: section, row: row)?.index
    }
  }

  /// Returns a revision of a list, matched with a snapshot.
  mutating func past(
    _ revision: Int, in snapshot: Snapshot, _ past: inout PastRevisions
  ) throws(ListFailure) -> PastSnapshot {
    if let known = past.matched[revision] { return known }
    let old = try past.snapshot(of: revision, isStopped: isCancelled)
    let matched = PastSnapshot(snapshot: old, itemsToNew: match(old, snapshot).rowsToNew)
    past.matched[revision] = matched
    return matched
  }
}

/// The revisions that the references of a request may name: those of its list as it was before the
/// request. Its steps lead back from the items that it had then, and from no others.
package struct PastRevisions {
  private let list: NamedList

  /// The revisions that were matched with the items after the request.
  fileprivate var matched: [Int: PastSnapshot] = [:]

  /// Creates the revisions of a list as it was before the request.
  package init(of list: NamedList) { self.list = list }

  /// Returns the snapshot of a revision.
  ///
  /// - Throws: `revisionNotFound`, `cancelled` if it `isStopped`.
  func snapshot(
    of revision: Int, isStopped: () -> Bool
  ) throws(ListFailure) -> Snapshot {
    try list.snapshot(of: revision, isStopped: isStopped)
  }
}

/// The items of an older revision, as items of a later snapshot.
struct PastSnapshot {
  let snapshot: Snapshot
  let itemsToNew: [Int32]
  var rowsToNew: [Int32] = []

  /// Returns the key of the item at a section and row, and its index in the later snapshot, or
  /// `nil` if it was deleted.
  func item(section: Int, row: Int) -> (key: UInt32, index: Int?)? {
    guard let row = snapshot.row(section: section, row) else { return nil }
    let old = snapshot.item(ofRow: row)
    let item = Int(itemsToNew[old])
    return (snapshot.arrangement.rows[old], item < 0 ? nil : item)
  }

  /// Returns the flat row among `shown` items of the row at a section and row or, if that part of the item was
  /// deleted, of the first row of the item; `all` are the items with which the revision is paired.
  func row(section: Int, _ row: Int, in all: ListTree, shown: ListTree) -> Int? {
    guard let old = snapshot.row(section: section, row) else { return nil }
    let item = itemsToNew[snapshot.item(ofRow: old)]
    let part = rowsToNew[old] < 0 ? nil : all.location(ofRow: Int(rowsToNew[old]))
    guard item >= 0, let location = part?.item ?? all.location(at: Int(item)) else { return nil }
    return shown.location(of: all.key(at: location)).flatMap(shown.firstRow(of:))
      .map { $0 + (part?.row ?? 0) }
  }
}
