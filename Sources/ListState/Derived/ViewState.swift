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

/// The items of a view that was evaluated at once: the order of all of them, and those that are shown.
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

  /// The item to which the window is anchored.
  private(set) var anchor: Int?

  /// The range of the window among the items that would be shown without it: for an outline those
  /// that are not collapsed, otherwise all.
  private(set) var range = 0..<0

  init(_ rules: any ViewRules, _ items: ViewItems, _ arrangement: ViewArrangement) {
    self.rules = rules
    self.items = items
    self.arrangement = arrangement
  }

  /// The number of items that would be shown without a window.
  private var shownCount: Int { arrangement.outline?.shown.count ?? arrangement.count }

  /// Whether the view may have items that are not shown.
  var showsSome: Bool { rules.window != nil || arrangement.outline != nil }

  /// The items that are shown, in their order.
  var shownItems: [Int32] {
    guard let shown = arrangement.outline?.shown else { return Array(arrangement.items(in: range)) }
    return shown[range].map { arrangement.order[Int($0)] }
  }

  /// The numbers of the view that are sent to clients.
  var numbers: ViewNumbers {
    let outline = arrangement.outline
    return ViewNumbers(
      start: range.lowerBound, matched: outline?.matched ?? arrangement.count,
      total: items.snapshot.itemCount, shown: outline?.shown.count)
  }

  /// The position of each item; -1 for those that the view does not have.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  private var positions: [Int32] {
    var positions = [Int32](repeating: -1, count: items.snapshot.itemCount)
    for (position, item) in arrangement.order.enumerated() {
      positions[Int(item)] = Int32(truncatingIfNeeded: position)
    }
    return positions
  }

  /// Shows the items of the window, in an outline those that the states show.
  ///
  /// An anchored window stays at `anchor` or, if the view does not have that item, moves to the next
  /// item in the order of the sources that it has, otherwise to the one before. `toNew` maps the item of the
  /// anchor, and all others before the change, to the present ones; `nil` if they are the same. `anchor` is
  /// `nil` if the view was empty.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items; O(1) if the view is not an outline and its window
  ///   not anchored.
  mutating func show(
    _ states: [Int: ExpansionState], anchor: Int?, _ toNew: [Int32]?
  ) {
    let isAnchored = rules.window?.isAnchored == true
    if isAnchored { _ = arrangement.sortAll { false } }
    let positions = isAnchored || arrangement.outline != nil ? self.positions : []
    if arrangement.outline != nil {
      self.states = states
      arrangement.outline!.show(states, positions)
      rules.describeSections(of: &arrangement, items.snapshot)
    }
    range = 0..<shownCount
    guard let window = rules.window else { return }
    var index: Int?
    if isAnchored, let first = arrangement.order.first {
      let item = anchor.map { kept($0, toNew, positions) ?? Int(first) } ?? Int(first)
      var position = Int(positions[item])
      if let outline = arrangement.outline {
        position = outline.shownAncestor(of: position)
        index = outline.shownCount(before: position)
      } else {
        index = position
      }
      self.anchor = Int(arrangement.order[position])
    }
    range = window.range(of: shownCount, anchor: index)
  }

  /// Returns the item that takes the place of an anchor; `nil` if there is none.
  private func kept(_ old: Int, _ toNew: [Int32]?, _ positions: [Int32]) -> Int? {
    func isKept(_ item: Int) -> Bool { positions[item] >= 0 }
    func new(_ item: Int) -> Int? {
      guard let toNew else { return item }
      return toNew[item] < 0 ? nil : Int(toNew[item])
    }
    if let now = new(old) {
      return (now..<positions.count).first(where: isKept) ?? (0..<now).last(where: isKept)
    }
    let oldCount = toNew?.count ?? positions.count
    let candidates = [Array(old..<oldCount), (0..<old).reversed()].joined()
    return candidates.lazy.compactMap(new).first(where: isKept)
  }
}
