import ListDiff

extension ListStore {
  /// Returns the items that a request selects in a snapshot of a list, and the flat row of the
  /// cursor that it sets; `nil` for what it does not set. The row must satisfy `isShown`.
  ///
  /// - Throws: `itemsNotFound` with all missing items, `notSelectable`, `revisionNotFound`.
  mutating func resolve(
    selected: [ItemReference]?, cursor: ItemReference?, in snapshot: Snapshot, of list: NamedList,
    isShown: (Int) -> Bool = { _ in true }
  ) throws(ListFailure) -> (items: [Int]?, cursor: Int?) {
    var row = try cursor.flatMap { reference throws(ListFailure) in
      try cursorRow(reference, in: snapshot, of: list)
    }
    if let found = row, !isShown(found) { row = nil }
    let isLost = cursor != nil && row == nil
    var items: [Int]?
    do throws(ListFailure) {
      items = try selected.map { references throws(ListFailure) in
        try resolve(references, in: snapshot, of: list)
      }
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
  /// - Throws: `itemsNotFound` with all missing items, `revisionNotFound`, and, if `selectable`,
  ///   `notSelectable` with all items that are not selectable.
  package mutating func resolve(
    _ references: [ItemReference], in snapshot: Snapshot, of list: NamedList,
    selectable: Bool = true
  ) throws(ListFailure) -> [Int] {
    var itemIndex = ItemIndex(
      of: snapshot, forReferences: references.count, isComposite: list.sources != nil, keyIndices,
      ids)
    var pasts: [Int: PastSnapshot] = [:]
    var items: [Int] = []
    var missing: [Int] = []
    for (index, reference) in references.enumerated() {
      if let item = try item(reference, in: snapshot, of: list, &itemIndex, &pasts) {
        items.append(item)
      } else {
        missing.append(index)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing) }
    let barred =
      list.view?.rules.selectsInSources == true
      ? notSelectable(items, of: list)
      : items.indices.filter { selectable && !snapshot.isSelectable(items[$0]) }
    guard barred.isEmpty else { throw .notSelectable(barred) }
    return items
  }

  /// Returns the flat row that a reference names, which is the row at a path or the first row of an
  /// item, or `nil` if there is none.
  ///
  /// - Throws: `revisionNotFound`.
  package mutating func cursorRow(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList
  ) throws(ListFailure) -> Int? {
    if case .path(let section, let row, nil) = reference {
      if let row = snapshot.row(section: section, row) { return row }
    } else if case .path(let section, let row, let revision) = reference {
      let past = try list.snapshot(of: revision, isStopped: isCancelled)
      if let row = past.row(section: section, row) {
        let items = match(past, snapshot)
        if engine.matching.rowsToNew[row] >= 0 { return Int(engine.matching.rowsToNew[row]) }
        let item = Int(items.rowsToNew[past.item(ofRow: row)])
        if item >= 0, let first = snapshot.rows(ofItem: item).first { return first }
      }
    } else {
      var index = ItemIndex(
        of: snapshot, forReferences: 1, isComposite: list.sources != nil, keyIndices, ids)
      var pasts: [Int: PastSnapshot] = [:]
      if let item = try item(reference, in: snapshot, of: list, &index, &pasts),
        let first = snapshot.rows(ofItem: item).first
      {
        return first
      }
    }
    return nil
  }

  /// Returns the item that a reference names. `pasts` caches the older revisions.
  mutating func item(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList,
    _ index: inout ItemIndex, _ pasts: inout [Int: PastSnapshot]
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      guard index.isOfOriginals else {
        return index.item(
          keys(of: id, in: list, source: source), occurrence: occurrence, keyIndices)
      }
      var passing: UInt32?
      if let source, source != list.name {
        passing = source.withUnsafeBytes { ids.find(.string, $0) }
        if passing == nil { return nil }
      }
      return index.item(original: id, occurrence: occurrence, passing: passing, ids)
    case .path(let section, let row, nil):
      return snapshot.row(section: section, row).map(snapshot.item)
    case .path(let section, let row, let revision?):
      return try past(revision, of: list, in: snapshot, &pasts)
        .item(section: section, row: row)?.index
    }
  }

  /// Returns an older revision of a list, matched with a snapshot. `pasts` caches the result.
  mutating func past(
    _ revision: Int, of list: NamedList, in snapshot: Snapshot, _ pasts: inout [Int: PastSnapshot]
  ) throws(ListFailure) -> PastSnapshot {
    if let past = pasts[revision] { return past }
    let old = try list.snapshot(of: revision, isStopped: isCancelled)
    let past = PastSnapshot(snapshot: old, itemsToNew: match(old, snapshot).rowsToNew)
    pasts[revision] = past
    return past
  }
}

/// The items of an older revision, as items of a later snapshot.
struct PastSnapshot {
  let snapshot: Snapshot
  let itemsToNew: [Int32]

  /// Returns the key of the item at a section and row, and its index in the later snapshot, or
  /// `nil` if it was deleted.
  func item(section: Int, row: Int) -> (key: UInt32, index: Int?)? {
    guard let row = snapshot.row(section: section, row) else { return nil }
    let old = snapshot.item(ofRow: row)
    let item = Int(itemsToNew[old])
    return (snapshot.arrangement.rows[old], item < 0 ? nil : item)
  }
}
