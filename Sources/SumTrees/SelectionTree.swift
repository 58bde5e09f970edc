/// A list whose items can be selected: its sections are the elements of one tree, and the leaves of
/// each section, which have the items, are the elements of another tree.
///
/// The sums of both trees count items and selected items. In complexities, *n* is the number of
/// items.
@usableFromInline package protocol SelectionTree {
  /// What identifies an item.
  associatedtype Key: Hashable

  /// The sections, in tree 0.
  var order: SumForest { get }

  /// The leaves of each section, in the tree with the section's number.
  var forest: SumForest { get }

  /// The marks beside the selected items.
  var marks: SelectionMarks<Key> { get set }

  /// Returns how many items of a section may be selected.
  func selectionRule(ofSection section: Int) -> SelectionRule

  /// Returns the location of an item, or `nil` if it is not in the list.
  func location(of key: Key) -> ItemLocation?

  /// Returns the key of an item.
  func key(at location: ItemLocation) -> Key

  /// Reports whether an item is selected.
  func isSelected(_ location: ItemLocation) -> Bool

  /// Reports whether an item is not shown, so that only requests that name it affect it.
  func isHidden(_ location: ItemLocation) -> Bool

  /// Reports whether an item may be selected as far as it is concerned, and not its section.
  func allowsSelection(_ location: ItemLocation) -> Bool

  /// Selects or deselects an item, whatever the rules are, and changes the sums.
  mutating func setSelected(_ isSelected: Bool, at location: ItemLocation)
}

/// The location of an item: its leaf and its index there. Invalid after a change of the leaf's
/// items.
@frozen @usableFromInline package struct ItemLocation: Hashable, Sendable {
  @usableFromInline package var leaf: Int
  @usableFromInline package var index: Int

  /// Creates the location of the item at an index of a leaf.
  @inlinable package init(leaf: Int, index: Int) {
    self.leaf = leaf
    self.index = index
  }
}

/// The marks of a list beside its selected items, by key.
@frozen @usableFromInline package struct SelectionMarks<Key: Hashable>: Hashable {
  /// The item that was last toggled, selected or replaced. An extension starts there.
  @usableFromInline package var anchor: Key?

  /// The items that the last extension added.
  @usableFromInline package var extended: Set<Key> = []

  /// Creates marks of nothing.
  @inlinable package init() {}
}

extension SelectionMarks: Sendable where Key: Sendable {}

/// How many items of a section may be selected.
@frozen @usableFromInline package struct SelectionRule: Hashable, Sendable {
  /// The maximum number of selected items: 0, 1 or `Int.max`.
  @usableFromInline package var limit: Int

  /// Whether the last selected item can be deselected.
  @usableFromInline package var allowsEmpty: Bool

  /// Creates the rule of a section in which up to `limit` items may be selected.
  @inlinable package init(limit: Int, allowsEmpty: Bool = true) {
    self.limit = limit
    self.allowsEmpty = allowsEmpty
  }
}

extension SelectionTree {
  /// Reports whether an item may be selected.
  @inlinable package func isSelectable(_ location: ItemLocation) -> Bool {
    allowsSelection(location) && rule(at: location).limit > 0
  }

  @inlinable func rule(at location: ItemLocation) -> SelectionRule {
    selectionRule(ofSection: forest.tree(of: location.leaf))
  }

  // MARK: Named items

  /// Selects an item that is not selected, and deselects one that is, if its section allows it.
  @inlinable package mutating func toggle(_ item: ItemLocation) {
    guard isSelected(item) else { return select(item) }
    let rule = rule(at: item)
    if rule.limit > 1 || rule.allowsEmpty { deselect(item) }
  }

  /// Selects an item that is selectable. In a section with single selection it replaces the one that
  /// was selected.
  @inlinable package mutating func select(_ item: ItemLocation) {
    if rule(at: item).limit == 1 { deselectAll(in: forest.tree(of: item.leaf)) }
    setSelected(true, at: item)
  }

  /// Deselects an item, unless it is the last selected one and its section needs one.
  @inlinable package mutating func deselect(_ item: ItemLocation) {
    let section = forest.tree(of: item.leaf)
    let isNeeded = !selectionRule(ofSection: section).allowsEmpty
    if isNeeded, isSelected(item), forest.sums(ofTree: section).selected == 1 { return }
    setSelected(false, at: item)
  }

  /// Selects named items that are selectable, and deselects all others of a section or of the list
  /// that are not hidden.
  @inlinable package mutating func replace(_ section: Int?, with named: [ItemLocation]) {
    deselectAll(in: section, leavesHidden: true)
    for item in named { select(item) }
  }

  /// Selects the items from the anchor to an item that is selectable, and deselects what the last
  /// extension added. Without an anchor, the item replaces those of a section or of the list.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items in between.
  @inlinable package mutating func extend(to item: ItemLocation, _ section: Int?) {
    guard let anchor = marks.anchor.flatMap(location(of:)) else {
      replace(section, with: [item])
      marks.anchor = key(at: item)
      return
    }
    for key in marks.extended {
      guard let location = location(of: key), !isHidden(location) else { continue }
      setSelected(false, at: location)
    }
    marks.extended = []
    if rule(at: item).limit == 1 {
      if !isSelected(item) { marks.extended = [key(at: item)] }
      return select(item)
    }
    let (first, last) = (index(of: anchor), index(of: item))
    var added: Set<Key> = []
    changeMultiple(in: nil, min(first, last)..<max(first, last) + 1) { _ in
      true
    } added: {
      added.insert($0)
    }
    marks.extended = added
  }

  /// Returns the index of an item in the list.
  ///
  /// - Complexity: O(log *n*).
  @inlinable package func index(of location: ItemLocation) -> Int {
    let (section, before) = forest.position(of: location.leaf)
    return order.position(of: section).before.items + before.items + location.index
  }

  // MARK: Ranges

  /// Deselects all items of a section or of the list.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  @inlinable package mutating func deselectAll(in section: Int?, leavesHidden: Bool = false) {
    for section in section.map({ [$0] }) ?? selectedSections {
      forEachSelected(in: section) { tree, location in
        if !leavesHidden || !tree.isHidden(location) { tree.setSelected(false, at: location) }
      }
    }
  }

  /// Selects or deselects the items of a range that may be selected, are not hidden, and are in
  /// sections with multiple selection; `isSelected` returns which, given whether an item is selected.
  /// Calls `added` with the items that become selected.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items of the range.
  @inlinable package mutating func changeMultiple(
    in section: Int?, _ items: Range<Int>, _ isSelected: (Bool) -> Bool,
    added: (Key) -> Void = { _ in }
  ) {
    var next = items.lowerBound
    while next < items.upperBound, let (listed, before) = order.find(next, .items, inTree: 0) {
      let end = before.items + forest.sums(ofTree: listed).items
      let isAffected = section.map { $0 == listed } ?? true
      if isAffected, selectionRule(ofSection: listed).limit > 1 {
        change(
          listed, next - before.items..<min(end, items.upperBound) - before.items, isSelected, added
        )
      }
      next = end
    }
  }

  @inlinable mutating func change(
    _ section: Int, _ items: Range<Int>, _ isSelected: (Bool) -> Bool, _ added: (Key) -> Void
  ) {
    var item = items.lowerBound
    while item < items.upperBound, let (leaf, before) = forest.find(item, .items, inTree: section) {
      let end = min(before.items + forest.sums(of: leaf).items, items.upperBound)
      for index in item - before.items..<end - before.items {
        let location = ItemLocation(leaf: leaf, index: index)
        let was = self.isSelected(location)
        guard allowsSelection(location), !isHidden(location), isSelected(was) != was else {
          continue
        }
        setSelected(!was, at: location)
        if !was { added(key(at: location)) }
      }
      item = end
    }
  }

  /// Deselects all but the first items that a section may have selected.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items, if there are too many.
  @inlinable package mutating func keepAllowed(inSection section: Int) {
    var left = selectionRule(ofSection: section).limit
    guard forest.sums(ofTree: section).selected > left else { return }
    forEachSelected(in: section) { tree, location in
      if left > 0 { left -= 1 } else { tree.setSelected(false, at: location) }
    }
  }

  /// The sections with selected items.
  @inlinable package var selectedSections: [Int] {
    var found: [Int] = []
    var seen = 0
    while let (section, before) = order.find(seen, .selected, inTree: 0) {
      found.append(section)
      seen = before.selected + forest.sums(ofTree: section).selected
    }
    return found
  }

  /// Calls `body` with the selected items of a section in order. `body` may deselect them.
  @inlinable package mutating func forEachSelected(
    in section: Int, _ body: (inout Self, ItemLocation) -> Void
  ) {
    var seen = 0
    while let (leaf, before) = forest.find(seen, .selected, inTree: section) {
      seen = before.selected
      var left = forest.sums(of: leaf).selected
      var location = ItemLocation(leaf: leaf, index: 0)
      while left > 0 {
        if isSelected(location) {
          left -= 1
          body(&self, location)
          if isSelected(location) { seen += 1 }
        }
        location.index += 1
      }
    }
  }
}
