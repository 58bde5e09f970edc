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

/// A tree whose items are expanded and collapsed.
protocol ExpandableTree {
  /// Returns the parent of an item, or -1 for a root.
  func parent(of item: Int) -> Int

  /// Returns the number of children of an item.
  func childCount(of item: Int) -> Int

  /// Visits an item and its descendants, parents first. The body returns whether the descendants of
  /// the item are visited.
  func walk(from item: Int, _ body: (_ item: Int, _ depth: Int) -> Bool)

  /// The items that have children.
  var itemsWithChildren: [Int] { get }
}

/// Edits of an outline in their order, with the items that they name.
struct OutlineEdits {
  private var edits: [(edit: OutlineEdit, items: [Int])] = []

  /// When each item was expanded by name, if it was not collapsed by name since then.
  private var expansions: [Int: Int] = [:]
  private var expansionCount = 0

  /// Whether there are no edits whose states were not taken.
  var isEmpty: Bool { edits.isEmpty }

  /// The items that were expanded by name and not collapsed by name since then, in that order.
  var expanded: [Int] { expansions.sorted { $0.value < $1.value }.map { $0.key } }

  mutating func append(_ edit: OutlineEdit, of items: [Int]) {
    edits.append((edit, items))
    switch edit {
    case .expandItems:
      for item in items where expansions[item] == nil {
        expansions[item] = expansionCount
        expansionCount += 1
      }
    case .collapseItems: for item in items { expansions[item] = nil }
    case .revealItems, .expandAll, .collapseAll: break
    }
  }

  /// Removes the edits, and returns the items to which they give a state, each once.
  ///
  /// - Complexity: O(*k* + *d*), where *k* is the number of items that the edits name and *d* that of all
  ///   of their ancestors or descendants that are expanded or collapsed with them; O(*n*) for edits of
  ///   all items.
  mutating func takeStates(
    in tree: some ExpandableTree
  ) -> [(item: Int, state: ExpansionState)] {
    var states: [(item: Int, state: ExpansionState)] = []
    var known: Set<Int> = []
    func set(_ state: ExpansionState, of item: Int) {
      if known.insert(item).inserted { states.append((item, state)) }
    }
    // The last edit of an item decides, so that later edits are made first, and an earlier one does
    // not visit items whose ancestors, or descendants, all have got their states.
    var isAboveDone: Set<Int> = []
    var isBelowDone: Set<Int> = []
    var isAllDone = false
    for (edit, items) in edits.reversed() {
      switch edit {
      case .expandItems(_, let deep), .collapseItems(_, let deep):
        let state: ExpansionState = if case .expandItems = edit { .expanded } else { .collapsed }
        for item in items { set(state, of: item) }
        for item in deep && !isAllDone ? items : [] {
          tree.walk(from: item) { other, _ in
            guard tree.childCount(of: other) > 0, isBelowDone.insert(other).inserted else {
              return false
            }
            set(state, of: other)
            return true
          }
        }
      case .revealItems:
        for item in isAllDone ? [] : items {
          var ancestor = tree.parent(of: item)
          while ancestor >= 0, isAboveDone.insert(ancestor).inserted {
            set(.expanded, of: ancestor)
            ancestor = tree.parent(of: ancestor)
          }
        }
      case .expandAll, .collapseAll:
        let state: ExpansionState = if case .expandAll = edit { .expanded } else { .collapsed }
        for item in isAllDone ? [] : tree.itemsWithChildren { set(state, of: item) }
        isAllDone = true
      }
    }
    edits = []
    return states
  }
}
