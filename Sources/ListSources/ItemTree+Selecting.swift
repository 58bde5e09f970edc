internal import SumTrees

extension ItemTree: SelectionTree {
  func key(at location: ItemLocation) -> ItemID { leaves[location.leaf].items[location.index].id }

  func isSelected(_ location: ItemLocation) -> Bool {
    leaves[location.leaf].selected >> UInt64(location.index) & 1 == 1
  }

  func isHidden(_ location: ItemLocation) -> Bool { false }

  func allowsSelection(_ location: ItemLocation) -> Bool { true }

  func selectionRule(ofSection number: Int) -> SelectionRule {
    guard !selectionModes.isEmpty else { return SelectionRule(limit: .max) }
    switch selectionModes[id(ofSection: number)] ?? .multiple {
    case .disabled: return SelectionRule(limit: 0)
    case .single(let allowsEmpty): return SelectionRule(limit: 1, allowsEmpty: allowsEmpty)
    case .multiple(let allowsEmpty, _):
      return SelectionRule(limit: .max, allowsEmpty: allowsEmpty)
    }
  }

  mutating func setSelected(_ isSelected: Bool, at location: ItemLocation) {
    guard self.isSelected(location) != isSelected else { return }
    save(location.leaf)
    leaves[location.leaf].selected ^= 1 << UInt64(location.index)
    update(location.leaf)
    setChosen(isSelected, key(at: location))
  }

  /// Changes the selection of whole leaves, of those sections of the list, or of one of them, that
  /// may have at least `limit` selected items. `change` maps the bits of the selected items, given
  /// those of all items.
  ///
  /// - Complexity: O(*m* log *n*), where *m* is the number of leaves.
  mutating func changeSelection(
    ofSection section: Int?, limit: Int, _ change: (_ selected: UInt64, _ all: UInt64) -> UInt64
  ) {
    for number in section.map({ [$0] }) ?? sectionsInOrder
    where selectionRule(ofSection: number).limit >= limit {
      for leaf in leaves(ofSection: number) {
        let all = UInt64.max >> UInt64(Leaf.capacity - leaves[leaf].items.count)
        let selected = change(leaves[leaf].selected, all)
        if selected == leaves[leaf].selected { continue }
        save(leaf)
        var changed = selected ^ leaves[leaf].selected
        leaves[leaf].selected = selected
        update(leaf)
        while changed != 0 {
          let index = changed.trailingZeroBitCount
          setChosen(selected >> UInt64(index) & 1 == 1, leaves[leaf].items[index].id)
          changed &= changed - 1
        }
      }
    }
  }

  private mutating func setChosen(_ isSelected: Bool, _ item: ItemID) {
    if isSelected { choices.add(item) } else { choices.remove(item) }
  }

  /// Calls `body` with each selected item, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  func forEachSelected(_ body: (ItemLocation) -> Void) {
    for section in selectedSections {
      var seen = 0
      while let (leaf, before) = forest.find(seen, .selected, inTree: section) {
        var left = leaves[leaf].selected
        seen = before.selected + left.nonzeroBitCount
        while left != 0 {
          body(ItemLocation(leaf: leaf, index: left.trailingZeroBitCount))
          left &= left - 1
        }
      }
    }
  }

  /// The selected items.
  var selected: Set<ItemID> {
    var items: Set<ItemID> = []
    items.reserveCapacity(order.sums(ofTree: 0).selected)
    forEachSelected { items.insert(key(at: $0)) }
    return items
  }

  /// Changes the selection of items of the list.
  mutating func select(_ items: [ItemID], _ action: SelectionAction) {
    let found = items.compactMap { location(of: $0) }
    let named = found.filter { isSelectable($0) }
    if action != .extend { marks.extended = [] }
    switch action {
    case .select: for item in named { select(item) }
    case .deselect: for item in named { deselect(item) }
    case .toggle: for item in named { toggle(item) }
    case .replace: replace(nil, with: named)
    case .extend: if let item = found.last, isSelectable(item) { extend(to: item, nil) }
    }
    switch action {
    case .select, .toggle, .replace: marks.anchor = items.last ?? marks.anchor
    case .deselect, .extend: break
    }
  }

  // MARK: Changes

  /// Selects the items that were selected in another list, as far as the selection modes allow it,
  /// and takes over its marks.
  ///
  /// - Complexity: O(*k* log *n* + *k* log *k*), where *k* is the number of selected items.
  mutating func keepSelection(of old: ItemTree) {
    marks = old.marks
    (initialChoices, lastChoices) = (old.initialChoices, old.lastChoices)
    if let anchor = marks.anchor, !contains(anchor) { marks.anchor = nil }
    marks.extended = marks.extended.filter { contains($0) }
    for item in old.choices.sorted(old.selected) {
      if let location = location(of: item) { setSelected(true, at: location) }
    }
    for section in selectedSections { keepAllowed(inSection: section) }
  }

  /// Deselects items that their sections do not allow to be selected, and forgets marks of deleted
  /// items.
  mutating func applySelectionRules() {
    if !selectionModes.isEmpty {
      let sections = Set(change.leaves.map { forest.tree(of: $0.leaf) })
      for section in sections where order.contains(section) { keepAllowed(inSection: section) }
    }
    if let anchor = marks.anchor, !contains(anchor) { marks.anchor = nil }
    guard !marks.extended.isEmpty else { return }
    for (_, before) in change.leaves {
      for item in before.items where !contains(item.id) { marks.extended.remove(item.id) }
    }
  }

  /// Returns the first item after one in the order before the recorded changes that `isKept`, or
  /// else the last one before it. Returns `nil` if no item is kept.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are not kept.
  func neighbor(of item: ItemID, isKept: (ItemID) -> Bool) -> ItemID? {
    let changed = change.leaves.first { $0.before.items.contains { $0.id == item } }?.leaf
    guard let leaf = changed ?? leafOf[item].map(Int.init) else { return nil }
    let saved = Dictionary(change.leaves.map { ($0.leaf, $0.before) }) { first, _ in first }
    func items(_ leaf: Int) -> [Item] { (saved[leaf] ?? leaves[leaf]).items }
    let sections = change.order ?? sectionsInOrder
    let section = forest.tree(of: leaf)
    guard let index = sections.firstIndex(of: section),
      let own = items(leaf).firstIndex(where: { $0.id == item })
    else { return nil }
    func search(_ step: Int) -> ItemID? {
      var next: Int? = leaf
      for index in stride(from: index, to: step > 0 ? sections.count : -1, by: step) {
        if sections[index] != section {
          next =
            step > 0
            ? forest.first(ofTree: sections[index]) : forest.last(ofTree: sections[index])
        }
        while let current = next {
          var listed = items(current)[...]
          if current == leaf { listed = step > 0 ? listed[(own + 1)...] : listed[..<own] }
          let found =
            step > 0 ? listed.first { isKept($0.id) } : listed.last { isKept($0.id) }
          if let found { return found.id }
          next = step > 0 ? forest.element(after: current) : forest.element(before: current)
        }
      }
      return nil
    }
    return search(1) ?? search(-1)
  }
}
