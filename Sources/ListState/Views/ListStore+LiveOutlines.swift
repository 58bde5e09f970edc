/// The result of edits of an outline that is kept as trees.
package struct LiveOutlineChange: Sendable {
  /// The change of the outline, followed by those of the lists that depend on it.
  package var changes: [EditChange]

  /// The expanded items whose children have yet to be added.
  package var awaited: [AwaitedItem]
}

extension ListStore {
  /// Expands and collapses items of an outline as one change, in time proportional to the change.
  /// Returns `nil` and changes nothing if the outline cannot be edited this way.
  ///
  /// - Complexity: That of ``LiveView/make(_:_:_:)``; O(*n*) for the first edit of an outline
  ///   that is kept as
  ///   snapshots.
  /// - Throws: What ``editOutline(_:_:_:)`` throws.
  package mutating func editLiveOutline(
    _ name: [UInt8], _ edits: [Edit], _ request: ChangeRequest
  ) throws(ListFailure) -> LiveOutlineChange? {
    guard let edits = outlineEdits(edits, of: name, request) else { return nil }
    try checkBase(of: lists[name]!, request)
    finishEdits()
    let composites = dependents(of: name)
    makeLive([name] + composites)
    let marks = recordsModifications ? lists[name]!.marks : nil
    var tree = takeTree(of: name)
    var view = lists[name]!.live.take()!
    // Read after the trees were taken out, so that they are not copied.
    let before = lists[name]!
    let cursorKey = before.cursor.flatMap(tree.key(ofRow:))
    let (itemCount, rowCount) = (tree.itemCount, tree.rowCount)
    var own: ChangeRequest
    let awaited: [Int]
    do throws(ListFailure) {
      awaited = try make(edits, in: before, &view, &tree)
      let isFollowed = request.cursorPolicy == .follow && !request.clearsCursor
      own = self.request(raising: isFollowed ? cursorKey : nil, in: tree, view)
      own.cursorPolicy = request.cursorPolicy
      own.clearsCursor = request.clearsCursor
      if let cursor = request.cursor {
        own.cursor = cursor
        var known = KnownItems()
        if !cursor.isPath {
          let key = location(of: cursor, in: before, view, tree).map {
            view.all!.record(at: $0).key
          }
          own.cursor = .id(key, occurrence: 0, source: nil)
        }
        guard tree.row(of: own.cursor!, at: tree.location(of: own.cursor!, &known)) != nil else {
          throw .itemsNotFound([], cursor: true)
        }
      }
      try checkComposites(of: name, growth: tree.growth(from: itemCount, rowCount))
    } catch {
      tree.undoChange()
      view.undoChange()
      lists[name]!.tree = tree
      lists[name]!.live = view
      throw error
    }
    let (change, delta) = commit(lists[name]!, marks, consume tree, own, view: view)
    var changes = [change]
    if let delta, change.isReported {
      do { changes += try follow(delta, of: name, in: composites) } catch {
        rollBack()
        throw error
      }
    }
    return LiveOutlineChange(changes: changes, awaited: awaitedItems(awaited, of: lists[name]!))
  }

  /// Returns the edits of the outline, or `nil` if any edit is of another kind or needs the
  /// snapshots.
  private func outlineEdits(
    _ edits: [Edit], of name: [UInt8], _ request: ChangeRequest
  ) -> [OutlineEdit]? {
    guard isOutline(name), request.selected == nil, request.cursor?.isCurrent != false,
      canMakeLive(lists[name]!), canFollow(dependents(of: name))
    else { return nil }
    var outlineEdits: [OutlineEdit] = []
    for case .outline(let edit) in edits where edit.items.allSatisfy(\.isCurrent) {
      outlineEdits.append(edit)
    }
    return outlineEdits.count == edits.count ? outlineEdits : nil
  }

  /// Makes edits and shows their result. Returns the nodes of the items whose children are awaited.
  private mutating func make(
    _ edits: [OutlineEdit], in list: NamedList, _ view: inout LiveView, _ tree: inout ListTree
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
        if let location = location(of: reference, in: list, view, tree) {
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
    view.describeGroups(&all, &change, ids)
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
    of reference: ItemReference, in list: NamedList, _ view: LiveView, _ tree: ListTree
  ) -> ListTree.Location? {
    guard case .id(let id, let occurrence, let source) = reference else {
      var known = KnownItems()
      return tree.location(of: reference, &known).flatMap {
        view.all!.location(of: tree.record(at: $0).key)
      }
    }
    guard let id else { return nil }
    let found = locations(ofItemsWith: keys(of: id, in: list, source: source), in: view.all!)
    return occurrence < found.count ? found[occurrence] : nil
  }

  private func locations(
    ofItemsWith keys: [UInt32], in all: ListTree
  ) -> [ListTree.Location] {
    let found = keys.compactMap(all.location(of:))
    return found.count < 2 ? found : found.sorted { all.index(of: $0) < all.index(of: $1) }
  }

  /// Returns the descriptions of items whose children are awaited, for notifications.
  private func awaitedItems(_ nodes: [Int], of list: NamedList) -> [AwaitedItem] {
    guard !nodes.isEmpty, let view = list.live, let all = view.all, let tree = list.tree else {
      return []
    }
    return nodes.map { node in
      let key = view.outline!.nodes[node].key
      let original = ids.original(key)
      let found = locations(ofItemsWith: keys(of: original, in: list, source: nil), in: all)
      return AwaitedItem(
        key: original, occurrence: found.firstIndex { all.record(at: $0).key == key } ?? 0,
        isAmbiguous: found.count != 1, path: tree.location(of: key).map(tree.path(of:)))
    }
  }
}
