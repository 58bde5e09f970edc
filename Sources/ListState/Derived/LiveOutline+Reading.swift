extension LiveOutline: ExpandableTree {
  /// Returns the node of a key.
  func node(of key: UInt32) -> Int? { numbers[key] }

  /// Returns the number of the name that items give to an identity as their parent, if any does.
  func name(of identity: UInt32) -> Int? { nameNumbers[identity] }

  /// Returns the parent below which a node is linked, or -1 for a root. A change may not have
  /// updated it yet.
  func linkedParent(of node: Int) -> Int { Int(owners[siblings.tree(of: node)]) }

  func has(_ trait: Traits, _ node: Int) -> Bool { nodes[node].traits.contains(trait) }
  func isLinked(_ node: Int) -> Bool { siblings.contains(node) }

  /// Returns the parent of a node, or -1 for a root.
  func parent(of node: Int) -> Int { has(.cyclic, node) ? -1 : namedParent(of: node) }

  /// Returns the node that stands for the parent that a node names, even if the node is its own ancestor;
  /// -1 if there is none.
  func namedParent(of node: Int) -> Int {
    let name = Int(nodes[node].named)
    return name < 0 ? -1 : Int(names[name].first)
  }

  /// Returns the number of children that are in the view.
  func childCount(of node: Int) -> Int {
    let tree = Int(nodes[node].children)
    return tree < 0 ? 0 : siblings.sums(ofTree: tree).elements
  }

  /// The nodes in the view that have children there.
  var itemsWithChildren: [Int] {
    nodes.indices.filter { isLinked($0) && childCount(of: $0) > 0 }
  }

  func firstChild(of node: Int) -> Int? {
    nodes[node].children < 0 ? nil : siblings.first(ofTree: Int(nodes[node].children))
  }

  func lastChild(of node: Int) -> Int? {
    nodes[node].children < 0 ? nil : siblings.last(ofTree: Int(nodes[node].children))
  }

  /// Returns the best rank of an item and its descendants, if siblings are sorted by that.
  func rank(of key: UInt32) -> ItemRank? {
    isRanked ? node(of: key).map { ranks[$0] } : nil
  }

  /// Returns the best rank of the children of a node in the view and their descendants.
  ///
  /// - Complexity: O(log *k*) if the first child has it, else O(*k*), where *k* is the number of children.
  func bestRank(ofChildrenOf node: Int, isFirst: Bool) -> ItemRank {
    guard let first = firstChild(of: node) else { return .none }
    if isFirst { return ranks[first] }
    return sequence(first: first) { siblings.element(after: $0) }.lazy.map { ranks[$0] }.max()!
  }

  /// Returns whether the children of an item would be shown if the item were.
  func isExpanded(_ node: Int) -> Bool {
    // Each descendant in the view, or one of its own descendants, matches.
    if expandsAncestors, childCount(of: node) > 0 { return true }
    return switch states.isEmpty ? .none : states[node] ?? .none {
    case .expanded: true
    case .collapsed: false
    case .none:
      !isUnread(node) && nodes[node].level < openLevels
    }
  }

  /// Returns whether an item has no children in the view, and may get some.
  func isUnread(_ node: Int) -> Bool { has(.lazy, node) && childCount(of: node) == 0 }

  /// Returns what the row of an item shows.
  func row(of node: Int) -> OutlineRow {
    let count = childCount(of: node)
    return OutlineRow(
      level: Int(nodes[node].level), childCount: count,
      isExpanded: count > 0 || has(.lazy, node) ? has(.open, node) : nil)
  }

  /// The identities that items name as their parent although no item of the sources has them.
  var missingKeys: some Sequence<UInt32> {
    names.lazy.filter { $0.first < 0 && $0.firstNaming >= 0 }.map(\.key)
  }

  /// Visits a linked node and its descendants, parents first. The body returns whether the
  /// descendants of the node are visited.
  func walk(from top: Int, _ body: (_ node: Int, _ depth: Int) -> Bool) {
    var path = [top]
    while let last = path.last {
      if body(last, path.count - 1), let child = firstChild(of: last) {
        path.append(child)
        continue
      }
      while let done = path.popLast(), !path.isEmpty {
        guard let next = siblings.element(after: done) else { continue }
        path.append(next)
        break
      }
    }
  }

  /// Returns the nodes that have a name for their parent.
  func naming(_ name: Int) -> some Sequence<Int> {
    sequence(first: Int(names[name].firstNaming)) { Int(nodes[$0].nextNaming) }.lazy.prefix {
      $0 >= 0
    }
  }

  /// Finds the end of the block of a linked node, which is the node and its descendants: returns
  /// either its last node, or the linked node that follows it (`nil` at the end of the section),
  /// whichever is found first.
  ///
  /// - Complexity: O(min(*a*, *d*) log *k*), where *a* is the number of ancestors that are last
  ///   children, *d* that of descendants that are last children, and *k* that of siblings.
  func end(ofBlock node: Int) -> (last: Int?, next: Int?) {
    var (last, above) = (node, node)
    while true {
      if let next = siblings.element(after: above) { return (nil, next) }
      above = parent(of: above)
      if above < 0 { return (nil, nil) }
      guard let child = lastChild(of: last) else { return (last, nil) }
      last = child
    }
  }
}
