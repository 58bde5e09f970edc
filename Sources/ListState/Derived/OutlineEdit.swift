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
    // The last edit of an item decides, so that later edits are made first, and an earlier one does
    // not visit items whose ancestors, or descendants, all have got their states.
    var done: [Int: Done] = [:]
    var isAllDone = false
    /// Gives an item a state unless a later edit does. Returns false if `parts` are done already.
    func set(_ state: ExpansionState, of item: Int, _ parts: Done = []) -> Bool {
      let before = Done.add([.itself, parts], to: &done[item, default: []])
      if !before.contains(.itself) { states.append((item, state)) }
      return !before.isSuperset(of: parts)
    }
    for (edit, items) in edits.reversed() {
      switch edit {
      case .expandItems(_, let deep), .collapseItems(_, let deep):
        let state: ExpansionState = if case .expandItems = edit { .expanded } else { .collapsed }
        for item in items { _ = set(state, of: item) }
        for item in deep && !isAllDone ? items : [] {
          tree.walk(from: item) { other, _ in
            tree.childCount(of: other) > 0 && set(state, of: other, .below)
          }
        }
      case .revealItems:
        for item in isAllDone ? [] : items {
          var ancestor = tree.parent(of: item)
          while ancestor >= 0, set(.expanded, of: ancestor, .above) {
            ancestor = tree.parent(of: ancestor)
          }
        }
      case .expandAll, .collapseAll:
        let state: ExpansionState = if case .expandAll = edit { .expanded } else { .collapsed }
        for item in isAllDone ? [] : tree.itemsWithChildren { _ = set(state, of: item) }
        isAllDone = true
      }
    }
    edits = []
    return states
  }
}

/// What has got its state: an item, all of its ancestors and itself, its descendants and itself.
private struct Done: OptionSet {
  let rawValue: UInt8

  static let itself = Done(rawValue: 1)
  static let above = Done(rawValue: 2)
  static let below = Done(rawValue: 4)

  /// Adds parts. Returns what was done before.
  static func add(_ parts: Done, to done: inout Done) -> Done {
    let before = done
    done.formUnion(parts)
    return before
  }
}
