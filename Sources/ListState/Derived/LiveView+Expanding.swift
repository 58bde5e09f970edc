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

  /// Makes edits of the outline, as if one after the other.
  ///
  /// - Complexity: That of ``OutlineEdits/takeStates(in:)``, and O(*r* log *n*), where *r* is the number of
  ///   items that are shown or hidden.
  mutating func make(
    _ edits: inout OutlineEdits, _ all: inout ListTree, _ change: inout ViewChange
  ) {
    let states = edits.takeStates(in: outline!)
    for (node, state) in states { outline!.set(state, of: node) }
    // No item is hidden twice or shown twice if all that are collapsed are hidden first.
    for isOpen in [false, true] {
      for (node, _) in states where outline!.isExpanded(node) == isOpen {
        updateOpen(node, &all, &change)
      }
    }
  }
}
