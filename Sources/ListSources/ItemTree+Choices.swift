internal import SumTrees

/// The order in which the selected items of a list were chosen.
struct Choices<ItemID: Hashable & Sendable>: Sendable {
  private(set) var numbers: [ItemID: Int] = [:]
  private var next = 0

  mutating func add(_ item: ItemID) {
    numbers[item] = next
    next += 1
  }

  mutating func remove(_ item: ItemID) { numbers[item] = nil }

  /// Gives an item that stays selected the place that it had.
  mutating func restore(_ choice: Choice<ItemID>) { numbers[choice.item] = choice.number }

  /// Returns the last of some items that was chosen, or `nil` if there are none.
  func last(of items: [ItemID]) -> Choice<ItemID>? {
    items.map { Choice(item: $0, number: numbers[$0] ?? next) }.max { $0.number < $1.number }
  }

  /// Returns items in the order in which they were chosen.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of items.
  func sorted(_ items: some Sequence<ItemID>) -> [ItemID] {
    items.map { Choice(item: $0, number: numbers[$0] ?? next) }.sorted { $0.number < $1.number }
      .map { $0.item }
  }
}

/// A selected item, and its place in the order in which items were chosen.
struct Choice<ItemID: Hashable & Sendable>: Sendable {
  var item: ItemID
  var number: Int
}

extension ItemTree {
  /// Makes the selected items fit the modes of the sections: deselects those beyond a maximum that
  /// were chosen last, and selects one in each section that must not be empty.
  ///
  /// - Complexity: O(*m* + *k* log *k* + *k* log *n*), where *m* is the number of sections with a mode
  ///   and *k* of the selected items of sections that must not be empty or have too many.
  mutating func applySelectionModes() {
    var needed: [(section: Int, id: Section.ID)] = []
    for (id, mode) in selectionModes {
      guard let section = numbers[id] else { continue }
      if case .multiple(_, let maximum) = mode {
        let surplus = forest.sums(ofTree: section).selected - max(0, maximum)
        if surplus > 0 { deselectLast(surplus, inSection: section) }
      }
      if !mode.allowsEmpty { needed.append((section, id)) }
    }
    if needed.count > 1 {
      needed.sort { index(ofSection: $0.section) < index(ofSection: $1.section) }
    }
    for (section, id) in needed {
      if forest.sums(ofTree: section).selected == 0 { fill(section, id) }
      lastChoices[id] = choices.last(of: selected(inSection: section))
    }
  }

  private mutating func deselectLast(_ count: Int, inSection section: Int) {
    for item in choices.sorted(selected(inSection: section)).suffix(count) {
      if let location = location(of: item) { setSelected(false, at: location) }
    }
  }

  /// Selects an item of a section that must not be empty and is, if it has items.
  private mutating func fill(_ section: Int, _ id: Section.ID) {
    if let last = lastChoices[id], let location = location(of: last.item, inSection: section) {
      select(location)
      choices.restore(last)
    } else if let first = forest.find(0, .items, inTree: section) {
      let initial = (initialChoices[id] ?? []).compactMap { location(of: $0, inSection: section) }
      select(initial.first ?? ItemLocation(leaf: first.element, index: 0))
    }
  }

  private func location(of item: ItemID, inSection section: Int) -> ItemLocation? {
    guard let location = location(of: item) else { return nil }
    return forest.tree(of: location.leaf) == section ? location : nil
  }

  private func selected(inSection section: Int) -> [ItemID] {
    var items: [ItemID] = []
    var copy = self
    copy.forEachSelected(in: section) { items.append($0.key(at: $1)) }
    return items
  }
}
