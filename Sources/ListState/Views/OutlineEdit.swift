/// An edit of the expansion of an outline.
package enum OutlineEdit: Sendable {
  /// Expands items, with `deep` also all of their descendants that have children.
  case expandItems([ItemReference], deep: Bool)

  /// Collapses items, with `deep` also all of their descendants that have children.
  case collapseItems([ItemReference], deep: Bool)

  /// Expands all ancestors of items.
  case revealItems([ItemReference])

  /// Expands all items that have children.
  case expandAll

  /// Collapses all items that have children.
  case collapseAll

  /// The items that the edit names.
  var items: [ItemReference] {
    switch self {
    case .expandItems(let items, _), .collapseItems(let items, _), .revealItems(let items): items
    case .expandAll, .collapseAll: []
    }
  }
}

extension OutlineEdit {
  /// Applies the edit to the states of items. `positions` are those of the named items, and `order`
  /// has the item at each position, `count` items in the sources.
  ///
  /// - Complexity: O(*k* + *d*), where *k* is the number of named items and *d* that of their ancestors or
  ///   descendants that are visited; O(*n*) for all items.
  func make(
    _ expansion: inout Expansion, _ outline: Outline, at positions: [Int], order: [Int32],
    among count: Int
  ) {
    func set(_ state: ExpansionState, _ position: Int) {
      expansion.set(state, of: Int(order[position]), among: count)
    }
    func set(_ state: ExpansionState, below range: Range<Int>) {
      for position in range where outline.childCounts[position] > 0 { set(state, position) }
    }
    switch self {
    case .expandItems(_, let deep), .collapseItems(_, let deep):
      let state: ExpansionState = if case .expandItems = self { .expanded } else { .collapsed }
      // The descendants of an item that is named together with an ancestor are visited only once.
      var visited = 0
      for position in deep ? positions.sorted() : positions {
        set(state, position)
        guard deep else { continue }
        let end = Int(outline.ends[position])
        set(state, below: max(visited, position)..<max(visited, end))
        visited = max(visited, end)
      }
    case .revealItems:
      var visited = BitSet(bound: outline.count)
      for position in positions {
        var ancestor = Int(outline.parents[position])
        while ancestor >= 0, visited.insert(ancestor) {
          set(.expanded, ancestor)
          ancestor = Int(outline.parents[ancestor])
        }
      }
    case .expandAll: set(.expanded, below: 0..<outline.count)
    case .collapseAll: set(.collapsed, below: 0..<outline.count)
    }
  }
}
