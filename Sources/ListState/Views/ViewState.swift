import ListDiff

/// The anchor of a window.
enum ViewAnchor: Hashable, Sendable {
  /// An item, by its index in the sources.
  case item(Int)

  /// The first item that the view will have when it is not empty any more.
  case none
}

/// What a view prepares of the items of its sources to follow edits item by item, whatever its definition
/// is.
struct PreparedSources: Sendable {
  /// The items. Some may be selected.
  var tree: ListTree

  /// The number of the prepared text of each item; `nil` if it is the index of the item, or if there are
  /// none.
  var texts: LeafTable?
}

/// The definition and the items of a list that is a view.
///
/// It is one reference, so that it is cheap to pass on. Copies share its content until one of them is changed.
package struct ViewState: Sendable {
  private struct Content: Sendable {
    let rules: any ViewRules
    var items: ViewItems
    var arrangement: ViewArrangement
    var anchor: ViewAnchor?
    var memory: (any ViewMemory)?
    var prepared: PreparedSources?
    var selection: Selection
    var range: Range<Int>
    var liveNumbers: ViewNumbers?
    var expansion = Expansion()
    var expansionNumber = 0
  }

  // Changed only while uniquely referenced, so that accesses never overlap.
  private final class SharedView: @unchecked Sendable {
    @exclusivity(unchecked) var content: Content

    init(_ content: consuming Content) { self.content = consume content }
  }

  private var shared: SharedView

  init(
    rules: any ViewRules, items: ViewItems, arrangement: ViewArrangement,
    anchor: ViewAnchor? = nil, memory: (any ViewMemory)? = nil, selection: Selection,
    range: Range<Int>
  ) {
    shared = SharedView(
      Content(
        rules: rules, items: items, arrangement: arrangement, anchor: anchor, memory: memory,
        selection: selection, range: range))
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&shared) { shared = SharedView(shared.content) }
  }

  /// The definition.
  package var rules: any ViewRules { shared.content.rules }

  var items: ViewItems {
    _read { yield shared.content.items }
    _modify {
      makeUnique()
      yield &shared.content.items
    }
  }

  var arrangement: ViewArrangement {
    _read { yield shared.content.arrangement }
    _modify {
      makeUnique()
      yield &shared.content.arrangement
    }
  }

  var anchor: ViewAnchor? {
    _read { yield shared.content.anchor }
    _modify {
      makeUnique()
      yield &shared.content.anchor
    }
  }

  /// The data that the rules have prepared for the items.
  var memory: (any ViewMemory)? {
    _read { yield shared.content.memory }
    _modify {
      makeUnique()
      yield &shared.content.memory
    }
  }

  /// The trees of the items, if they have followed edits item by item.
  var prepared: PreparedSources? {
    _read { yield shared.content.prepared }
    _modify {
      makeUnique()
      yield &shared.content.prepared
    }
  }

  /// The selected items, by their indices in the view without its window.
  var selection: Selection {
    _read { yield shared.content.selection }
    _modify {
      makeUnique()
      yield &shared.content.selection
    }
  }

  /// The range of the window among the items that would be shown without it: for an outline those
  /// that are not collapsed, otherwise all.
  var range: Range<Int> {
    _read { yield shared.content.range }
    _modify {
      makeUnique()
      yield &shared.content.range
    }
  }

  /// The numbers of a view that follows edits item by item, whose items and arrangement are not
  /// here; otherwise `nil`.
  var liveNumbers: ViewNumbers? {
    _read { yield shared.content.liveNumbers }
    _modify {
      makeUnique()
      yield &shared.content.liveNumbers
    }
  }

  /// The expanded and collapsed items; empty if the view follows edits item by item.
  var expansion: Expansion {
    _read { yield shared.content.expansion }
    _modify {
      makeUnique()
      yield &shared.content.expansion
    }
  }

  /// A number that changes with the expansion of an outline that follows edits item by item.
  var expansionNumber: Int {
    _read { yield shared.content.expansionNumber }
    _modify {
      makeUnique()
      yield &shared.content.expansionNumber
    }
  }

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

  /// For an outline, the positions of the items that are not collapsed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the view.
  var shownPositions: BitSet? {
    arrangement.outline.map { outline in
      var positions = BitSet(bound: outline.count)
      for position in outline.shown { positions.insert(Int(position)) }
      return positions
    }
  }

  /// Returns the index in the view of a shown item.
  func position(ofShown item: Int) -> Int {
    let index = range.lowerBound + item
    if let shown = arrangement.outline?.shown { return Int(shown[index]) }
    return index
  }

  /// Returns the index among the shown items of an item of the view; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items of the view.
  func shownItem(at position: Int) -> Int? {
    let index =
      if let outline = arrangement.outline { outline.shownIndex(of: position) } else { position }
    guard let index, range.contains(index) else { return nil }
    return index - range.lowerBound
  }

  /// The index in the sources of the item to which the window is anchored.
  package var anchorItem: Int? {
    if case .item(let item) = anchor { item } else { nil }
  }

  /// The index in the view of each item of the sources; -1 for those that it does not have.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items of the sources.
  var positions: [Int32] {
    var positions = [Int32](repeating: -1, count: items.snapshot.itemCount)
    for (position, item) in arrangement.order.enumerated() {
      positions[Int(item)] = Int32(truncatingIfNeeded: position)
    }
    return positions
  }

  /// Shows all items; for an outline, those that an expansion shows.
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

  /// Shows the items of a window. `positions` are required if the window is anchored.
  mutating func showWindow(_ window: ViewWindow, _ positions: [Int32]? = nil) {
    var index: Int?
    if case .item(let item) = anchor {
      let position = Int((positions ?? self.positions)[item])
      index = arrangement.outline.map { $0.shownCount(before: position) } ?? position
    }
    range = window.range(of: shownCount, anchor: index)
  }

  /// The shown part of the selection, by the indices of the shown items.
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
  /// Returns the anchor after a change of the view: the same item or, if the view does not have it
  /// any more, the next item in the order of the sources that it has, otherwise the one before.
  ///
  /// `toNew` maps the items of the sources; `positions` maps the new items to the view.
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
  /// Returns the anchor at an item that is shown: if its item is collapsed, at its nearest ancestor
  /// that is shown.
  func raised(in arrangement: ViewArrangement, _ positions: [Int32]) -> ViewAnchor {
    guard let outline = arrangement.outline, case .item(let item) = self else { return self }
    let position = outline.shownAncestor(of: Int(positions[item]))
    return .item(Int(arrangement.order[position]))
  }
}

extension BitSet {
  /// Returns the members in a range, ascending.
  func members(in range: Range<Int>) -> some Sequence<Int> {
    sequence(state: range.lowerBound) { (next: inout Int) -> Int? in
      guard let member = first(from: next), member < range.upperBound else { return nil }
      next = member + 1
      return member
    }
  }
}
