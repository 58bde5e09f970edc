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

  /// The items that are shown, by the same indices.
  var range: Range<Int>

  /// What is told of the view.
  package var numbers: ViewNumbers {
    ViewNumbers(
      start: range.lowerBound, matched: arrangement.order.count, total: items.snapshot.itemCount)
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

  /// Shows the part of the items that a window is; `positions` are needed if it is anchored.
  mutating func showWindow(_ window: ViewWindow, _ positions: [Int32]? = nil) {
    var index: Int?
    if case .item(let item) = anchor { index = Int((positions ?? self.positions)[item]) }
    range = window.range(of: arrangement.order.count, anchor: index)
  }

  /// What of the selection is shown, by the indices of the shown items.
  var shownSelection: Selection {
    var shown = Selection(count: range.count)
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
