import ListDiff

extension ListStore {
  /// Changes the selection of a list that has a selection of its own, its cursor, or both.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected or
  ///   deselected and *n* the number of items.
  /// - Throws: the errors of ``select(_:_:)``.
  mutating func selectTree(
    _ name: [UInt8], _ request: SelectRequest
  ) throws(ListFailure) -> SelectionChange {
    let (named, section) = try resolve(request, of: name)
    finishEdits()
    var open = beginSelection(of: name)
    if request.action != nil || request.items != nil {
      open.all.apply(request.action ?? .toggle, to: named.items ?? [], in: section)
    }
    return endSelection(consume open, setsCursor: request.setsCursor, cursor: named.cursor)
  }

  /// Finds the items and the section that a request names. The trees of the list must have no other
  /// reference when they are changed.
  private mutating func resolve(
    _ request: SelectRequest, of name: [UInt8]
  ) throws(ListFailure) -> (TreeSelection, section: Int?) {
    let list = lists[name]!
    let all = list.allTree!
    var section: Int?
    if let key = request.section {
      section = key.flatMap(all.section(withKey:))
      if section == nil { throw .sectionNotFound }
    }
    var known = try knownItems(of: list, for: request)
    let named = try resolve(
      request.items, cursor: request.cursor, in: list, all, &known, isSelectable: all.isSelectable)
    if let section, let items = named.items {
      let others = Self.others(items.indices, request.action, hasAnchor: all.marks.anchor != nil) {
        all.section(ofLeaf: items[$0].leaf) == section
      }
      guard others.isEmpty else { throw .itemsOutsideSection(others) }
    }
    return (named, section)
  }

  /// Finds the items that a request names among all items of a list, and the row of the cursor
  /// among the rows that are shown.
  func resolve(
    _ items: [ItemReference]?, cursor: ItemReference?, in list: NamedList, _ all: ListTree,
    _ known: inout KnownItems, isSelectable: (ListTree.Location) -> Bool
  ) throws(ListFailure) -> TreeSelection {
    let row = cursor.flatMap { self.row(of: $0, in: list, &known) }
    let found = items?.map { location(of: $0, in: list, &known) }
    return try all.resolve(
      found, row: row, isLost: cursor != nil && row == nil, isSelectable: isSelectable)
  }

  /// Pairs the older revisions to which a request refers with all items of a list.
  ///
  /// - Complexity: O(*n*) for each of them.
  /// - Throws: `revisionNotFound`, `cancelled`.
  mutating func knownItems(
    of list: NamedList, for request: SelectRequest
  ) throws(ListFailure) -> KnownItems {
    var known = KnownItems()
    for reference in (request.cursor.map { [$0] } ?? []) + (request.items ?? []) {
      try addPast(of: reference, in: list, to: &known)
    }
    return known
  }

  /// Pairs the older revision to which a reference refers likewise, unless that is known; if `now` is given,
  /// with all items of that list.
  mutating func addPast(
    of reference: ItemReference, in list: NamedList, to known: inout KnownItems,
    as now: NamedList? = nil
  ) throws(ListFailure) {
    guard case .path(_, _, let revision?) = reference, known.pasts[revision] == nil else { return }
    let old = try list.snapshot(of: revision, isStopped: isCancelled)
    known.pasts[revision] = paired(old, with: (now ?? list).allItems)
  }

  /// Takes the trees of a list out of the store, to change its selection.
  mutating func beginSelection(of name: [UInt8]) -> OpenSelection {
    let marks = recordsModifications ? lists[name]!.marks : nil
    var live = lists[name]!.live.take()
    live?.findItemsBehind()
    let shown = takeTree(of: name)
    let before = lists[name]!
    guard let all = live?.all.take() else {
      return OpenSelection(before: before, marks: marks, live: live, all: shown)
    }
    return OpenSelection(before: before, marks: marks, live: live, all: all, shown: shown)
  }

  /// Stores the list again, with `cursor` if that `setsCursor`.
  mutating func endSelection(
    _ open: consuming OpenSelection, setsCursor: Bool = false, cursor: Int? = nil
  ) -> SelectionChange {
    var list = open.before
    let name = list.name
    if setsCursor { list.cursor = cursor }
    touch(edited: open.before, name, open.marks, nil)
    var tree = open.all
    if var shown = open.shown.take() {
      let (selected, deselected) = tree.selectionChange
      shown.select(selected + deselected, as: tree)
      swap(&tree, &shown)
      open.live!.all = shown
    }
    let change = SelectionChange(
      of: tree, name, revision: list.revision, cursor: list.cursor, before: open.before.cursor)
    list.live = open.live
    list.tree = tree
    lists[name] = list
    return change
  }
}

/// A list while its selection changes.
struct OpenSelection {
  /// The list, without its trees.
  fileprivate let before: NamedList
  var name: [UInt8] { before.name }

  fileprivate let marks: Marks?
  fileprivate var live: LiveView?

  /// All items of the list.
  var all: ListTree

  /// The rows that are shown, if these are not all.
  fileprivate var shown: ListTree?
}

extension SelectionChange {
  /// Creates the selection change of a list whose items are unchanged. `before` is the cursor before.
  init(
    of tree: ListTree, _ name: [UInt8], revision: Int, cursor: Int?, before oldCursor: Int?
  ) {
    var (deselected, selected) = ([Int](), [Int]())
    for saved in tree.change.leaves {
      let (before, now) = (saved.before.selected, tree.leaves[saved.leaf].selected)
      if before == now { continue }
      let start = tree.index(of: ListTree.Location(leaf: saved.leaf, index: 0))
      before.forEachIndex { if !now[$0] { deselected.append(start + $0) } }
      now.forEachIndex { if !before[$0] { selected.append(start + $0) } }
    }
    deselected.sort()
    selected.sort()
    self.init(
      name: name, revision: revision, deselected: tree.ranges(of: deselected),
      selected: tree.ranges(of: selected), deselectedItems: deselected,
      selection: tree.selectedRanges, cursor: cursor.flatMap(tree.path(ofRow:)),
      changesMarks: !deselected.isEmpty || !selected.isEmpty || cursor != oldCursor)
  }
}

/// The items of a tree that a request selects, and the row for the cursor.
struct TreeSelection {
  var items: [ListTree.Location]?
  var cursor: Int?
}

extension ListTree {
  /// Finds the items that a change request selects and the row of the cursor that it sets.
  ///
  /// - Throws: `itemsNotFound` with all missing items, `notSelectable` with all items that are not
  ///   selectable.
  func resolve(_ request: ChangeRequest) throws(ListFailure) -> TreeSelection {
    if request.selected == nil, request.cursor == nil { return TreeSelection() }
    var known = KnownItems()
    known.pasts = request.pasts
    let found = request.selected?.map { location(of: $0, &known) }
    let row = request.cursor.flatMap { cursor in
      if case .path(let section, let row, let revision?) = cursor {
        return known.pasts[revision]?.row(section: section, row, in: self, shown: self)
      }
      return self.row(of: cursor, at: location(of: cursor, &known))
    }
    return try resolve(
      found, row: row, isLost: request.cursor != nil && row == nil, isSelectable: isSelectable)
  }

  /// Checks the items that a request selects, `nil` for missing ones, and the row of the cursor.
  ///
  /// - Throws: `itemsNotFound` with all missing items, and whether the row `isLost`; `notSelectable`
  ///   with all items that are not selectable.
  func resolve(
    _ found: [Location?]?, row: Int?, isLost: Bool, isSelectable: (Location) -> Bool
  ) throws(ListFailure) -> TreeSelection {
    let missing = found?.indices.filter { found![$0] == nil } ?? []
    guard missing.isEmpty, !isLost else { throw .itemsNotFound(missing, cursor: isLost) }
    let items = found?.compactMap(\.self)
    let barred = items?.indices.filter { !isSelectable(items![$0]) } ?? []
    guard barred.isEmpty else { throw .notSelectable(barred) }
    return TreeSelection(items: items, cursor: row)
  }

  /// Selects the items that a change request names, which must exist, and returns the row for the
  /// cursor.
  mutating func select(_ request: ChangeRequest) -> Int? {
    guard let named = try? resolve(request) else {
      preconditionFailure("the request was resolved before")
    }
    if let items = named.items { apply(.replace, to: items, in: nil) }
    return named.cursor
  }

  /// Removes the marks of items that a change has deleted.
  mutating func forgetMarks(of comparison: TreeComparison, itemsToNew: [Int32]) {
    if marks.anchor == nil, marks.extended.isEmpty { return }
    if change.marks == nil { change.marks = marks }
    if let anchor = marks.anchor, !contains(anchor) { marks.anchor = nil }
    if !marks.extended.isEmpty {
      for (entry, partner) in itemsToNew.enumerated() where partner < 0 {
        marks.extended.remove(comparison.old.entries[entry].key)
      }
    }
  }

  /// Returns the rows of ascending item indices as maximal ranges within sections.
  func ranges(of indices: [Int]) -> [(at: Path, count: Int)] {
    var ranges: [(at: Path, count: Int)] = []
    for index in indices {
      guard let location = location(at: index) else { continue }
      let path = path(of: location)
      let count = rowCount(of: record(at: location))
      if let last = ranges.last, last.at.advanced(by: last.count) == path {
        ranges[ranges.count - 1].count += count
      } else if count > 0 {
        ranges.append((path, count))
      }
    }
    return ranges
  }
}

extension ItemReference {
  /// Whether the reference is not to a row of an older revision.
  var isCurrent: Bool {
    if case .path(_, _, _?) = self { false } else { true }
  }
}
