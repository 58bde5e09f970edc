/// What a list that is a view has beside its items.
package struct ViewState: Sendable {
  /// The definition.
  package let rules: any ViewRules

  /// The numbers of the view that are sent to clients.
  package var numbers = ViewNumbers()

  /// The index in the sources of the item to which the window is anchored.
  package var anchorItem: Int?

  /// A number that changes with the expansion of an outline.
  var expansionNumber = 0
}

/// What a view prepares of the items of its sources to follow edits item by item, whatever its definition
/// is.
struct PreparedSources: Sendable {
  /// The items. Some may be selected.
  var tree: ListTree

  /// The number of the prepared text of each item; `nil` if it is the index of the item, or if there are
  /// none.
  var texts: LeafTable?

  /// The parents that items name by the same member.
  var outline: LiveOutline?
}

/// The items of a view that was evaluated at once: the order of all of them, and those of an outline that are not
/// collapsed.
///
/// Items are indices among the items of the sources, positions are indices among all items of the view.
struct EvaluatedView: Sendable {
  let rules: any ViewRules
  var items: ViewItems
  var arrangement: ViewArrangement

  /// The data that the rules have prepared for the items.
  var memory: (any ViewMemory)?

  /// What views of the same items have prepared.
  var prepared: PreparedSources?

  /// The items that somebody has expanded or collapsed. None of them has the state `none`.
  private(set) var states: [Int: ExpansionState] = [:]

  /// A number that changes with the states.
  var stateNumber = 0

  init(_ rules: any ViewRules, _ items: ViewItems, _ arrangement: ViewArrangement) {
    self.rules = rules
    self.items = items
    self.arrangement = arrangement
  }

  /// Whether the view may have items that are not shown.
  var showsSome: Bool { rules.window != nil || arrangement.outline != nil }

  /// Shows the items of an outline that the states show.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items; O(1) if the view is not an outline.
  mutating func show(_ states: [Int: ExpansionState]) {
    guard arrangement.outline != nil else { return }
    self.states = states
    var shown: [(position: Int, state: ExpansionState)] = []
    if !states.isEmpty {
      for (position, item) in arrangement.order.enumerated() {
        if let state = states[Int(item)] { shown.append((position, state)) }
      }
    }
    arrangement.outline!.show(shown)
    rules.describeSections(of: &arrangement, items.snapshot)
  }

  /// The keys of the items of an outline that are their own ancestors.
  var cyclicKeys: [UInt32] {
    (arrangement.outline?.cyclic ?? []).map { items.snapshot.arrangement.rows[Int($0)] }
  }
}

/// A list that has got the trees of a view that was evaluated, and is not stored yet.
struct MadeView {
  var list: NamedList

  /// The keys of the items of an outline that are their own ancestors.
  let cyclic: [UInt32]

  /// The keys of the items of the sources, each of which has its own.
  var keys: [UInt32] = []
}
