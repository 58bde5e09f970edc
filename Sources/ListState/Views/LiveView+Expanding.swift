extension LiveView {
  /// Returns whether an item of an outline is hidden because an ancestor is collapsed.
  func isHidden(_ node: Int, in all: ListTree) -> Bool {
    all.record(at: all.location(of: outline!.nodes[node].key)!).traits.contains(.hidden)
  }

  /// Returns an item of an outline if it is shown, otherwise its nearest ancestor that is.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of ancestors up to that item.
  func shownItem(above key: UInt32, in all: ListTree) -> UInt32 {
    guard let outline, var node = outline.node(of: key) else { return key }
    while isHidden(node, in: all) { node = outline.parent(of: node) }
    return outline.nodes[node].key
  }

  /// Moves the anchor to an item that is shown.
  mutating func raiseAnchor(_ all: ListTree) {
    if outline != nil, let item = anchor { anchor = shownItem(above: item, in: all) }
  }

  /// Shows or hides the descendants of an item if it was expanded or collapsed.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are shown or hidden.
  mutating func updateOpen(_ node: Int, _ all: inout ListTree, _ change: inout ViewChange) {
    let isOpen = outline!.isExpanded(node)
    guard outline!.has(.open, node) != isOpen else { return }
    outline!.set(.open, isOpen, of: node)
    change.refreshed.append(outline!.nodes[node].key)
    guard !isHidden(node, in: all) else { return }
    outline!.walk(from: node) { other, depth in
      guard depth > 0 else { return true }
      let key = outline!.nodes[other].key
      let location = all.location(of: key)!
      all.setHidden(!isOpen, at: location)
      change.touched.insert(all.section(ofLeaf: location.leaf))
      if isOpen { change.inserted.append(key) } else { change.removed.append(key) }
      return outline!.has(.open, other)
    }
  }

  /// Applies an edit to the items of the outline that it names.
  ///
  /// - Complexity: O((*k* + *d* + *r*) log *n*), where *k* is the number of items, *d* that of
  ///   descendants or ancestors that are expanded or collapsed with them, and *r* that of items
  ///   that are shown or hidden; O(*n*) for edits of all items.
  mutating func make(
    _ edit: OutlineEdit, of items: [Int], _ all: inout ListTree, _ change: inout ViewChange
  ) {
    func set(_ state: ExpansionState, of nodes: [Int]) {
      for node in nodes {
        outline!.set(state, of: node)
        updateOpen(node, &all, &change)
      }
    }
    switch edit {
    case .expandItems(_, let deep), .collapseItems(_, let deep):
      let state: ExpansionState = if case .expandItems = edit { .expanded } else { .collapsed }
      set(state, of: deep ? parents(below: items) : [])
      set(state, of: items)
    case .revealItems:
      var ancestors: [Int] = []
      var known: Set<Int> = []
      for item in items {
        var ancestor = outline!.parent(of: item)
        while ancestor >= 0, known.insert(ancestor).inserted {
          ancestors.append(ancestor)
          ancestor = outline!.parent(of: ancestor)
        }
      }
      set(.expanded, of: ancestors)
    case .expandAll, .collapseAll:
      let nodes = outline!.nodes.indices.filter {
        outline!.isLinked($0) && outline!.childCount(of: $0) > 0
      }
      if case .expandAll = edit { set(.expanded, of: nodes) } else { set(.collapsed, of: nodes) }
    }
  }

  /// Returns those of some items and their descendants that have children.
  private func parents(below items: [Int]) -> [Int] {
    var found: [Int] = []
    var known: Set<Int> = []
    for item in items where !known.contains(item) {
      outline!.walk(from: item) { node, _ in
        guard outline!.childCount(of: node) > 0, known.insert(node).inserted else { return false }
        found.append(node)
        return true
      }
    }
    return found
  }

  /// Updates the descriptions of groups whose number of shown items has changed.
  mutating func describeGroups(
    _ all: inout ListTree, _ change: inout ViewChange, _ ids: borrowing IDTable
  ) {
    if case .groups = rules.division { finishGroups(change.touched, &all, &change, ids) }
  }
}
