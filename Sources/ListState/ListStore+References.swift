import ListDiff

extension ListStore {
  /// The items that a request selects in a snapshot of a list, and the flat row that it puts the
  /// cursor on; `nil` for what it does not name. The cursor is on a row that `isShown`.
  ///
  /// - Throws: `itemsNotFound` with all that are missing, `notSelectable`, `revisionNotFound`.
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

  /// The items that references name in a snapshot of a list.
  ///
  /// A path with a revision is carried from that revision to the snapshot by identity.
  ///
  /// - Throws: `itemsNotFound` with all that are missing, `revisionNotFound`, and where
  ///   `selectable` is asked for `notSelectable` with all that are not.
  package mutating func resolve(
    _ references: [ItemReference], in snapshot: Snapshot, of list: NamedList,
    selectable: Bool = true
  ) throws(ListFailure) -> [Int] {
    var index = ItemIndex(
      of: snapshot, forReferences: references.count, isComposite: list.sources != nil, places, ids)
    var pasts: [Int: PastSnapshot] = [:]
    var items: [Int] = []
    var missing: [Int] = []
    for (place, reference) in references.enumerated() {
      if let item = try item(reference, in: snapshot, of: list, &index, &pasts) {
        items.append(item)
      } else {
        missing.append(place)
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

  /// The flat row that a reference names: the row at a path, or the first one of an item; `nil`
  /// where there is none.
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
        of: snapshot, forReferences: 1, isComposite: list.sources != nil, places, ids)
      var pasts: [Int: PastSnapshot] = [:]
      if let item = try item(reference, in: snapshot, of: list, &index, &pasts),
        let first = snapshot.rows(ofItem: item).first
      {
        return first
      }
    }
    return nil
  }

  /// Returns for each of some items how many items before it a reference to it could mean as well:
  /// in a composite those from other sources, too.
  ///
  /// - Complexity: O(*n*) where items repeat or come from sources, else O(1) an item, where *n* is the
  ///   number of items of the list.
  package mutating func occurrences(ofItems items: [Int], of list: NamedList) -> [Int] {
    let all = allItems(of: list)
    let keys = all.arrangement.rows
    let isComposite = list.sources != nil
    let items = items.map { list.position(ofShown: $0) }
    guard let last = items.max(), isComposite || all.arrangement.hasRepeats else {
      return items.map { _ in 0 }
    }
    var counts: [UInt32: Int] = [:]
    for item in items { counts[isComposite ? ids.original(keys[item]) : keys[item]] = 0 }
    let wanted = Set(items)
    var found: [Int: Int] = [:]
    for item in 0...last {
      let key = isComposite ? ids.original(keys[item]) : keys[item]
      guard let count = counts[key] else { continue }
      counts[key] = count + 1
      if wanted.contains(item) { found[item] = count }
    }
    return items.map { found[$0] ?? 0 }
  }

  /// The item that a reference names; `pasts` has the older revisions that were matched before.
  mutating func item(
    _ reference: ItemReference, in snapshot: Snapshot, of list: NamedList,
    _ index: inout ItemIndex, _ pasts: inout [Int: PastSnapshot]
  ) throws(ListFailure) -> Int? {
    switch reference {
    case .id(let id, let occurrence, let source):
      guard let id else { return nil }
      guard index.isOfOriginals else {
        return index.item(
          keys(of: id, in: list, source: source), occurrence: occurrence, places)
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

  /// The items of an older revision of a list as items of a snapshot, matched once.
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
