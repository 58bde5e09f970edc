import ListDiff

/// Where a window is that goes with an item.
enum ViewAnchor: Hashable, Sendable {
  /// At an item, by its index in the sources.
  case item(Int)

  /// At the first item that the view has when it has one again.
  case none
}

/// What a list that is a view is made of, and what it has beside what it shows.
package struct ViewState: Sendable {
  package let rules: any ViewRules
  var items: ViewItems
  var arrangement: ViewArrangement
  var anchor: ViewAnchor?

  /// What the rules have prepared of the items.
  var memory: (any ViewMemory)?

  /// The selected items, by their indices in the view without its window.
  var selection: Selection

  /// The items that are shown, by their indices among those that would be shown without a window: of an
  /// outline those that are not collapsed, else all.
  var range: Range<Int>

  /// The numbers of a view that follows edits item by item, which keeps neither items nor an arrangement
  /// here; otherwise `nil`.
  var liveNumbers: ViewNumbers?

  /// What somebody has expanded and collapsed; nothing if the view follows edits item by item.
  var expansion = Expansion()

  /// A number that was different before the last change of an outline that follows edits item by item.
  var expansionNumber = 0

  /// The keys of the items of an outline that are their own ancestors.
  var cyclicKeys: [UInt32] {
    (arrangement.outline?.cyclic ?? []).map { items.snapshot.arrangement.rows[Int($0)] }
  }

  /// The numbers of the view that are sent to clients.
  package var numbers: ViewNumbers {
    if let liveNumbers { return liveNumbers }
    let outline = arrangement.outline
    return ViewNumbers(
      start: range.lowerBound, matched: outline?.matched ?? arrangement.count,
      total: items.snapshot.itemCount, shown: outline?.shown.count)
  }

  /// The number of items that would be shown without a window.
  var shownCount: Int { arrangement.outline?.shown.count ?? arrangement.count }

  /// Of an outline the positions of the items that are not collapsed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the view.
  var shownPositions: BitSet? {
    arrangement.outline.map { outline in
      var positions = BitSet(bound: outline.count)
      for position in outline.shown { positions.insert(Int(position)) }
      return positions
    }
  }

  /// The index in the view of a shown item.
  func position(ofShown item: Int) -> Int {
    let index = range.lowerBound + item
    if let shown = arrangement.outline?.shown { return Int(shown[index]) }
    return index
  }

  /// The index among the shown items of one of the view; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items of the view.
  func shownItem(at position: Int) -> Int? {
    let index =
      if let outline = arrangement.outline { outline.shownIndex(of: position) } else { position }
    guard let index, range.contains(index) else { return nil }
    return index - range.lowerBound
  }

  /// The item that the window is anchored to, by its index in the sources.
  package var anchorItem: Int? {
    if case .item(let item) = anchor { item } else { nil }
  }

  /// The indices in the view of the items of the sources, -1 for those that it does not have.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  var positions: [Int32] {
    var positions = [Int32](repeating: -1, count: items.snapshot.itemCount)
    for (position, item) in arrangement.order.enumerated() {
      positions[Int(item)] = Int32(truncatingIfNeeded: position)
    }
    return positions
  }

  /// Shows all items, of an outline those that an expansion says.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  mutating func show(_ expansion: Expansion) {
    if arrangement.outline != nil {
      self.expansion = expansion
      arrangement.outline!.show(expansion, arrangement.order)
      rules.describeSections(of: &arrangement, items.snapshot)
    }
    range = 0..<shownCount
  }

  /// Shows the part of the items that a window is; `positions` are needed if it is anchored.
  mutating func showWindow(_ window: ViewWindow, _ positions: [Int32]? = nil) {
    var index: Int?
    if case .item(let item) = anchor {
      let position = Int((positions ?? self.positions)[item])
      index = arrangement.outline.map { $0.shownCount(before: position) } ?? position
    }
    range = window.range(of: shownCount, anchor: index)
  }

  /// What of the selection is shown, by the indices of the shown items.
  var shownSelection: Selection {
    var shown = Selection(count: range.count)
    if arrangement.outline != nil {
      for position in selection.items.members {
        if let item = shownItem(at: position) { shown.items.insert(item) }
      }
      return shown
    }
    for item in selection.items.members(in: range) { shown.items.insert(item - range.lowerBound) }
    return shown
  }
}

extension ViewAnchor {
  /// The anchor after a change of the view: the same item, or if it has left the view the next one in
  /// the order of the sources that has not, else the one before.
  ///
  /// `toNew` maps the items of the sources; `positions` says which of the new ones the view has.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources; O(1) if the item stays.
  func carried(by toNew: [Int32]?, _ positions: [Int32], _ arrangement: ViewArrangement)
    -> ViewAnchor
  {
    guard let first = arrangement.order.first else { return .none }
    guard case .item(let old) = self else { return .item(Int(first)) }
    let oldCount = toNew?.count ?? positions.count
    func new(_ item: Int) -> Int? {
      guard let toNew else { return item }
      return toNew[item] < 0 ? nil : Int(toNew[item])
    }
    func kept(_ item: Int) -> Int? { new(item).flatMap { positions[$0] < 0 ? nil : $0 } }
    if let now = new(old) {
      if positions[now] >= 0 { return .item(now) }
      let next = (now..<positions.count).first { positions[$0] >= 0 }
      return .item(next ?? (0..<now).last { positions[$0] >= 0 } ?? Int(first))
    }
    for item in old..<oldCount { if let item = kept(item) { return .item(item) } }
    for item in (0..<old).reversed() { if let item = kept(item) { return .item(item) } }
    return .item(Int(first))
  }
}

extension ViewAnchor {
  /// The anchor at an item that is shown: of one that is collapsed its nearest ancestor that is.
  func raised(in arrangement: ViewArrangement, _ positions: [Int32]) -> ViewAnchor {
    guard let outline = arrangement.outline, case .item(let item) = self else { return self }
    let position = outline.shownAncestor(of: Int(positions[item]))
    return .item(Int(arrangement.order[position]))
  }
}

extension BitSet {
  /// The members in a range, ascending.
  func members(in range: Range<Int>) -> some Sequence<Int> {
    sequence(state: range.lowerBound) { (next: inout Int) -> Int? in
      guard let member = first(from: next), member < range.upperBound else { return nil }
      next = member + 1
      return member
    }
  }
}
