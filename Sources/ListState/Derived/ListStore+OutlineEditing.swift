import ListDiff

/// The result of edits of an outline.
package struct OutlineChange: Sendable {
  /// The change of the outline, followed by those of the lists that depend on it.
  package var changes: [ListChange]

  /// The changes of selections that the request made, to be reported before its other changes.
  package var selections: [SelectionChange] = []

  /// The expanded items whose children have yet to be added.
  package var awaited: [AwaitedItem] = []
}

/// An item of an outline whose children a client should add to the source.
package struct AwaitedItem: Sendable {
  /// The key of the item in the ordinary list that it comes from.
  package var key: UInt32

  /// The number of preceding items with the same key, and whether any other item has that key.
  package var occurrence: Int
  package var isAmbiguous: Bool

  /// The path of its row; `nil` if it is not shown.
  package var path: Path?
}

extension ListStore {
  /// Returns whether a list is an outline.
  package func isOutline(_ name: [UInt8]) -> Bool {
    peek(name)?.isOutline == true
  }

  /// Expands and collapses items of an outline as one change.
  ///
  /// - Complexity: That of ``LiveView/make(_:_:_:)``; O(*n*) for the first edit after an evaluation, where *n* is
  ///   the number of items, and with references to older revisions.
  /// - Throws: `readOnly` if there is an edit of another kind; `edit` with the reason of the first
  ///   edit that cannot be made; and what ``compose(_:of:as:_:)`` throws.
  package mutating func editOutline(
    _ name: [UInt8], _ edits: [Edit], _ request: ChangeRequest
  ) throws(ListFailure) -> OutlineChange {
    let edits = try outlineEdits(edits, of: name)
    try checkBase(of: lists[name]!, request)
    try makeOwnersDistinct(of: lists[name]!, lists[name]!.viewRules)
    finishEdits()
    let composites = dependents(of: name)
    try makeDistinct(composites)
    let known = try knownItems(for: edits, request, in: lists[name]!)
    let marks = recordsModifications ? lists[name]!.marks : nil
    var tree = takeTree(of: name)
    var view = lists[name]!.live.take()!
    view.outline!.link()
    // Read after the trees were taken out, so that they are not copied.
    let before = lists[name]!
    let cursorKey = before.cursor.flatMap(tree.key(ofRow:))
    let (itemCount, rowCount) = (tree.itemCount, tree.rowCount)
    var own: ChangeRequest
    let selected: [ListTree.Location]?
    let awaited: [Int]
    do throws(ListFailure) {
      awaited = try make(edits, in: before, known, &view, &tree)
      pairRepeats(in: &tree, of: &view)
      let isFollowed = request.cursorPolicy == .follow && !request.clearsCursor
      own = self.request(raising: isFollowed ? cursorKey : nil, in: tree, view)
      own.cursorPolicy = request.cursorPolicy
      own.clearsCursor = request.clearsCursor
      let named = try resolve(request, in: before, known, view, tree)
      selected = named.items
      if let path = named.cursor.flatMap(tree.path(ofRow:)) {
        own.cursor = .path(section: path.section, row: path.row, revision: nil)
      }
      try checkComposites(of: name, growth: tree.growth(from: itemCount, rowCount))
    } catch {
      tree.undoChange()
      view.undoChange()
      lists[name]!.tree = tree
      lists[name]!.live = view
      throw error
    }
    lists[name]!.live = view
    var shared: [[UInt8]: SelectionChange] = [:]
    if let selected {
      shared = select(selected, in: name, &view, &tree)
      lists[name]!.live = view
    }
    var deltas: [[UInt8]: TreeDelta] = [:]
    for (name, change) in shared where change.changesMarks {
      deltas[name] = selectionDelta(of: name)
    }
    var result = OutlineChange(
      changes: try commit(
        before, marks, consume tree, own, followedBy: composites, selected: deltas))
    if !shared.isEmpty {
      // Those that depend on the outline follow it.
      let others = Set(dependents(of: [name]))
      result.selections = followSelections(shared, of: name, except: others)
    }
    result.awaited = awaitedItems(awaited, of: lists[name]!)
    return result
  }

  /// Returns the edits of an outline.
  private func outlineEdits(
    _ edits: [Edit], of name: [UInt8]
  ) throws(ListFailure) -> [OutlineEdit] {
    guard let list = lists[name] else { throw .listNotFound(name) }
    var outlineEdits: [OutlineEdit] = []
    for edit in edits {
      guard list.isOutline, case .outline(let edit) = edit else {
        throw .readOnly(name, sources: list.sources ?? [])
      }
      outlineEdits.append(edit)
    }
    return outlineEdits
  }

  /// Pairs the older revisions to which a request refers, as far as they are kept, with all items of an
  /// outline.
  ///
  /// - Throws: `cancelled`.
  private mutating func knownItems(
    for edits: [OutlineEdit], _ request: ChangeRequest, in list: NamedList
  ) throws(ListFailure) -> KnownItems {
    var known = KnownItems()
    let references = (request.selected ?? []) + (request.cursor.map { [$0] } ?? [])
    for reference in edits.flatMap({ $0.items }) + references {
      do throws(ListFailure) { try addPast(of: reference, in: list, to: &known) } catch {
        if case .revisionNotFound = error { continue }
        throw error
      }
    }
    return known
  }

  /// Finds the items that a request selects among all items of an outline, and the row of the cursor that it
  /// sets among the rows that are shown after the edits.
  private func resolve(
    _ request: ChangeRequest, in list: NamedList, _ known: KnownItems, _ view: LiveView,
    _ tree: ListTree
  ) throws(ListFailure) -> TreeSelection {
    if request.selected == nil, request.cursor == nil { return TreeSelection() }
    let all = view.all!
    var row: Int?
    if let cursor = request.cursor {
      try checkRevision(of: cursor, in: list, known)
      if case .path(let section, let index, let revision?) = cursor {
        row = known.pasts[revision]!.row(section: section, index, in: all, shown: tree)
      } else {
        let item = location(of: cursor, in: list, known, view, tree).map(all.key(at:))
        row = tree.row(of: cursor, at: item.flatMap(tree.location(of:)))
      }
    }
    var found: [ListTree.Location?]?
    for reference in request.selected ?? [] {
      try checkRevision(of: reference, in: list, known)
      found = (found ?? []) + [location(of: reference, in: list, known, view, tree)]
    }
    if request.selected?.isEmpty == true { found = [] }
    let owners = SelectionOwners(self, lists[list.name]!, all, view.exchangedKeys)
    return try all.resolve(found, row: row, isLost: request.cursor != nil && row == nil) {
      guard view.definition.selectsInSources else { return all.isSelectable($0) }
      return owners.modeBefore(owners.owner(of: all.index(of: $0), ids), self) != .none
    }
  }

  /// - Throws: `revisionNotFound` if a reference is to an older revision that is not known.
  private func checkRevision(
    of reference: ItemReference, in list: NamedList, _ known: KnownItems
  ) throws(ListFailure) {
    guard case .path(_, _, let revision?) = reference, known.pasts[revision] == nil else { return }
    throw .revisionNotFound(
      list.name, revision: revision, oldest: list.oldestRevision, current: list.revision)
  }

  /// Selects items of an outline that is being edited, and no others that are not collapsed. Returns the changes
  /// of other lists that have their selection, by name.
  private mutating func select(
    _ items: [ListTree.Location], in name: [UInt8], _ view: inout LiveView, _ tree: inout ListTree
  ) -> [[UInt8]: SelectionChange] {
    var all = view.all.take()!
    var changes: [[UInt8]: SelectionChange] = [:]
    if view.definition.selectsInSources {
      var owners = SelectionOwners(self, lists[name]!, all, view.exchangedKeys)
      let positions = items.map(all.index(of:))
      all.setMarks(owners.apply(.replace, to: positions, in: 0..<all.itemCount, &self))
      changes = owners.store(in: &self)
      let deltas = selectionDeltas(changes, in: name) ?? []
      view.marked = view.selectSources(as: deltas.span)
      view.showSelection(ofSources: view.marked, in: &all)
    } else {
      all.apply(.replace, to: items, in: nil)
      let (selected, deselected) = all.selectionChange
      view.marked = selected + deselected
    }
    tree.select(view.marked, as: all)
    view.all = all
    return changes
  }

  /// Makes edits and shows their result. Returns the nodes of the items whose children are awaited.
  private mutating func make(
    _ edits: [OutlineEdit], in list: NamedList, _ known: KnownItems, _ view: inout LiveView,
    _ tree: inout ListTree
  ) throws(ListFailure) -> [Int] {
    var pending = OutlineEdits()
    // Whether each lazy item without children was expanded before the edits that name it.
    var wasExpanded: [Int: Bool] = [:]
    let anchor = view.anchor
    for (index, edit) in edits.enumerated() {
      // Paths refer to the rows that are shown after the preceding edits.
      if !pending.isEmpty, edit.items.contains(where: { $0.isPath }) {
        show(&pending, anchor, &view, &tree)
      }
      var nodes: [Int] = []
      var missing: [Int] = []
      for (position, reference) in edit.items.enumerated() {
        if case .path(_, _, let revision?) = reference, known.pasts[revision] == nil {
          throw .edit(
            index: index,
            .revisionNotFound(revision, oldest: list.oldestRevision, current: list.revision))
        }
        if let location = location(of: reference, in: list, known, view, tree) {
          nodes.append(view.outline!.node(of: view.all!.record(at: location).key)!)
        } else {
          missing.append(position)
        }
      }
      guard missing.isEmpty else { throw .edit(index: index, .itemsNotFound(missing)) }
      for node in nodes where view.outline!.isUnread(node) && wasExpanded[node] == nil {
        wasExpanded[node] = view.outline!.isExpanded(node)
      }
      pending.append(edit, of: nodes)
    }
    show(&pending, anchor, &view, &tree)
    return pending.expanded.filter { wasExpanded[$0] == false }
  }

  /// Makes edits of an outline, and shows the items that are expanded then. `anchor` is the item to
  /// which the window was anchored before the request.
  private func show(
    _ edits: inout OutlineEdits, _ anchor: UInt32?, _ view: inout LiveView,
    _ tree: inout ListTree
  ) {
    var change = ViewChange()
    var all = view.all.take()!
    view.make(&edits, &all, &change)
    if case .groups = view.rules.division { view.describeGroups(change.touched, &all, &change) }
    view.anchor = anchor
    if view.window?.isAnchored == true { view.raiseAnchor(all) }
    tree.show(view, all, change)
    // Rows that were shown only between edits need no texts any more.
    tree.texts.releaseUnusedNew()
    view.all = all
  }

  /// Returns the location, among all items of an outline, of the item that a reference names.
  /// `tree` has the items that the outline shows.
  private func location(
    of reference: ItemReference, in list: NamedList, _ known: KnownItems, _ view: LiveView,
    _ tree: ListTree
  ) -> ListTree.Location? {
    if case .path(let section, let row, let revision?) = reference {
      let item = known.pasts[revision]?.item(section: section, row: row)?.index
      return item.flatMap(view.all!.location(at:))
    }
    var known = known
    guard case .id(let id, let occurrence, let source) = reference else {
      return tree.location(of: reference, &known).flatMap {
        view.all!.location(of: tree.record(at: $0).key)
      }
    }
    return id.flatMap {
      location(ofID: $0, occurrence: occurrence, source: source, in: list, view.all!, &known)
    }
  }

  /// Returns the items of an outline whose children are awaited, among those with some keys in the
  /// ordinary lists.
  package mutating func awaited(_ keys: Set<UInt32>, in name: [UInt8]) -> [AwaitedItem] {
    lists[name]?.live?.outline?.link()
    lists[name]?.indexKeys()
    guard let list = lists[name], list.isOutline else { return [] }
    let (live, all) = (lists[name]!.live!, lists[name]!.live!.all!)
    let indices = keys.flatMap { locations(ofIdentity: $0, in: list, all).map(all.index(of:)) }
    let nodes = indices.sorted().map { live.outline!.node(of: all.key(at: $0)!)! }
    return awaitedItems(
      nodes.filter { live.outline!.isUnread($0) && live.outline!.isExpanded($0) }, of: lists[name]!)
  }

  /// Returns the descriptions of items whose children are awaited, for notifications.
  private func awaitedItems(_ nodes: [Int], of list: NamedList) -> [AwaitedItem] {
    guard !nodes.isEmpty, let view = list.live, let all = view.all, let tree = list.tree else {
      return []
    }
    return nodes.map { node in
      let key = view.outline!.nodes[node].key
      let original = ids.original(key)
      let found = locations(ofIdentity: original, in: list, all)
      return AwaitedItem(
        key: original, occurrence: found.firstIndex { all.record(at: $0).key == key } ?? 0,
        isAmbiguous: found.count != 1, path: tree.location(of: key).map(tree.path(of:)))
    }
  }
}

extension ItemReference {
  /// Whether the reference is a path in the current revision.
  var isPath: Bool {
    if case .path(_, _, nil) = self { true } else { false }
  }
}
