internal import SumTrees

/// The place of an item in a list until the list is changed.
struct ItemPlace: Comparable {
  var location: ItemLocation
  var leaf: UInt64
  var section: Int
  var sectionOrder: UInt64

  static func < (a: ItemPlace, b: ItemPlace) -> Bool {
    (a.sectionOrder, a.leaf, a.location.index) < (b.sectionOrder, b.leaf, b.location.index)
  }
}

extension ItemTree {
  /// Returns the place of an item.
  func place(of location: ItemLocation) -> ItemPlace {
    let section = forest.tree(of: location.leaf)
    return ItemPlace(
      location: location, leaf: forest.order(of: location.leaf), section: section,
      sectionOrder: order.order(of: section))
  }

  /// Returns whether an item is before a place; false if it is not in the list.
  ///
  /// - Complexity: O(log *n*).
  func hasItem(_ item: ItemID, before place: ItemPlace) -> Bool {
    guard let leaf = leafOf[item].map(Int.init) else { return false }
    if leaf == place.location.leaf {
      return leaves[leaf].items[..<place.location.index].contains { $0.id == item }
    }
    let section = forest.tree(of: leaf)
    if section != place.section { return order.order(of: section) < place.sectionOrder }
    return forest.order(of: leaf) < place.leaf
  }

  /// Calls `body` with the items of a range of indices in the list and their sections, in order.
  ///
  /// - Complexity: O(*k* + log *n*), where *k* is the number of items.
  func forEachItem(in range: Range<Int>, _ body: (Item, Section) -> Void) {
    var next = range.lowerBound
    while next < range.upperBound, let (number, before) = order.find(next, .items, inTree: 0),
      let listed = sections[number]
    {
      guard let found = forest.find(next - before.items, .items, inTree: number) else { return }
      var start = next - before.items - found.before.items
      var leaf = Optional(found.element)
      while let current = leaf, next < range.upperBound {
        let items = leaves[current].items[start...].prefix(range.upperBound - next)
        for item in items { body(item, listed) }
        next += items.count
        start = 0
        leaf = forest.element(after: current)
      }
    }
  }

  /// Returns the items of a range of indices in the list.
  ///
  /// - Complexity: O(*k* + log *n*), where *k* is the number of items.
  func items(_ range: Range<Int>) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(range.count)
    forEachItem(in: range) { item, _ in items.append(item) }
    return items
  }

  /// Returns the first item of a section, or `nil` if it has none.
  func firstItem(ofSection number: Int) -> Item? {
    forest.find(0, .items, inTree: number).map { leaves[$0.element].items[0] }
  }

  /// Returns the location of the first item of a section for which `precedes` is false, or that after the
  /// last item. `precedes` is true for the items before it.
  ///
  /// - Complexity: O(log *n*) calls of `precedes`.
  mutating func lowerBound(
    inSection number: Int, _ precedes: (Item) -> Bool
  ) -> ItemLocation {
    var (low, high) = (0, forest.sums(ofTree: number).elements)
    while low < high {
      let middle = (low + high) / 2
      guard let leaf = forest.find(middle, .elements, inTree: number)?.element else { break }
      if precedes(leaves[leaf].items[0]) { low = middle + 1 } else { high = middle }
    }
    guard let leaf = forest.find(max(0, low - 1), .elements, inTree: number)?.element else {
      return end(ofSection: number)
    }
    var (first, end) = low == 0 ? (0, 0) : (1, leaves[leaf].items.count)
    while first < end {
      let middle = (first + end) / 2
      if precedes(leaves[leaf].items[middle]) { first = middle + 1 } else { end = middle }
    }
    return ItemLocation(leaf: leaf, index: first)
  }

  /// Returns the location of the item in a row of a section, or that after the last item.
  mutating func location(ofRow row: Int, inSection number: Int) -> ItemLocation {
    guard let (leaf, before) = forest.find(row, .items, inTree: number) else {
      return end(ofSection: number)
    }
    return ItemLocation(leaf: leaf, index: row - before.items)
  }

  /// Returns those of some items that are in the list, in its order.
  ///
  /// - Complexity: O(*k* log *n* + *k* log *k*), where *k* is the number of items.
  func sorted(_ items: [ItemID]) -> [ItemID] {
    items.compactMap { location(of: $0) }.map { place(of: $0) }.sorted()
      .map { key(at: $0.location) }
  }

  /// Returns the last section for which `precedes` is true, which it is for those before it; `nil` if
  /// there is none.
  func lastSection(where precedes: (Int) -> Bool) -> Int? {
    var (low, high) = (0, sectionCount)
    while low < high {
      let middle = (low + high) / 2
      guard let section = section(at: middle) else { break }
      if precedes(section) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : section(at: low - 1)
  }

  /// Makes the sections others, and keeps the items of those with the same ids.
  ///
  /// - Complexity: O(*s* log *s*).
  mutating func adoptSections(_ made: [Section]) {
    let kept = Set(made.map { $0.id })
    for number in sectionsInOrder where !kept.contains(id(ofSection: number)) {
      removeSection(number)
    }
    var last: Int?
    for section in made {
      if let number = numbers[section.id] {
        moveSection(number, after: last)
        if sections[number]?.hasSameContent(as: section) != true {
          updateSection(number, with: section)
        }
        last = number
      } else {
        last = insertSection(section, after: last)
      }
    }
  }
}
