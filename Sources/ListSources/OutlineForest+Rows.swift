internal import SumTrees

/// The rows of the items that are shown.
extension OutlineForest {
  /// Returns the rows below a parent, of which the first has a level.
  func shownRows(
    below parent: Parent, level: Int, _ folds: Expansion<ItemID>
  ) -> [Row] {
    var shown: [Row] = []
    var waiting = children(of: parent).reversed().map { ($0, level) }
    while let (item, level) = waiting.popLast() {
      let row = row(item, level: level, folds)
      shown.append(row)
      guard row.isExpanded else { continue }
      waiting += children(of: .item(item.id)).reversed().map { ($0, level + 1) }
    }
    return shown
  }

  /// Inserts the rows of an item and of those below it, if its parent is shown and expanded.
  func show(_ id: ItemID, _ rows: inout Rows, _ folds: Expansion<ItemID>) {
    guard !rows.contains(id), let item = siblings.item(id), let place = place(of: id) else {
      return
    }
    var level = 0
    var location: ItemLocation?
    switch place.parent {
    case .section(let section):
      guard let number = rows.numbers[section] else { return }
      location = rows.start(ofSection: number)
    case .item(let parent):
      guard folds.isExpanded(parent), let above = rows.location(of: parent) else { return }
      level = rows.leaves[above.leaf].items[above.index].level + 1
      location = ItemLocation(leaf: above.leaf, index: above.index + 1)
    }
    if let last = place.last.flatMap({ lastShown($0, rows, folds) }),
      let before = rows.location(of: last)
    {
      location = ItemLocation(leaf: before.leaf, index: before.index + 1)
    }
    guard let location else { return }
    let row = row(item, level: level, folds)
    let below = row.isExpanded ? shownRows(below: .item(id), level: level + 1, folds) : []
    rows.insert([row] + below, at: location)
  }

  /// Returns the last item that is shown below another one, or that itself.
  func lastShown(
    _ item: ItemID, _ rows: Rows, _ folds: Expansion<ItemID>
  ) -> ItemID {
    var item = item
    while folds.isExpanded(item), let number = siblings.numbers[.item(item)] {
      var child = siblings.lastItem(ofSection: number)
      // Items that are shown later may follow.
      while let id = child?.id, !rows.contains(id) {
        child = siblings.location(of: id).flatMap { siblings.item(before: $0) }
      }
      guard let child else { break }
      item = child.id
    }
    return item
  }

  /// Makes the row of an item that of its present content.
  func refresh(_ id: ItemID, _ rows: inout Rows, _ folds: Expansion<ItemID>) {
    guard let location = rows.location(of: id), let item = siblings.item(id) else { return }
    let level = rows.leaves[location.leaf].items[location.index].level
    rows.replace(location, with: row(item, level: level, folds))
  }

  /// Shows or hides the rows below an item that was expanded or collapsed.
  func updateFold(of id: ItemID, _ rows: inout Rows, _ folds: Expansion<ItemID>) {
    guard let location = rows.location(of: id) else { return }
    let level = rows.leaves[location.leaf].items[location.index].level
    if folds.isExpanded(id) {
      rows.insert(
        shownRows(below: .item(id), level: level + 1, folds),
        at: ItemLocation(leaf: location.leaf, index: location.index + 1))
    } else {
      for item in rows.outline(of: id).dropFirst() {
        if let location = rows.location(of: item) { rows.remove(at: location) }
      }
    }
    refresh(id, &rows, folds)
  }
}

extension ItemTree {
  /// Returns an item, or `nil` if it is not in the list.
  func item(_ id: ItemID) -> Item? {
    location(of: id).map { leaves[$0.leaf].items[$0.index] }
  }

  /// Returns the item before a location in its section, or `nil` if there is none.
  func item(before location: ItemLocation) -> Item? {
    if location.index > 0 { return leaves[location.leaf].items[location.index - 1] }
    return forest.element(before: location.leaf).flatMap { leaves[$0].items.last }
  }

  func lastItem(ofSection number: Int) -> Item? {
    forest.last(ofTree: number).flatMap { leaves[$0].items.last }
  }

  /// Returns the location of the first item of a section, or that at which one can be inserted.
  mutating func start(ofSection number: Int) -> ItemLocation {
    if let first = forest.first(ofTree: number) { return ItemLocation(leaf: first, index: 0) }
    return end(ofSection: number)
  }

  /// Returns an item that is shown in an outline, and those below it.
  func outline<Base: Identifiable>(of id: ItemID) -> [ItemID]
  where Item == OutlineRow<Base> {
    guard let start = location(of: id) else { return [] }
    let level = leaves[start.leaf].items[start.index].level
    var found = [id]
    var next = Optional((leaf: start.leaf, index: start.index + 1))
    while let (leaf, index) = next {
      for row in leaves[leaf].items[index...] {
        if row.level <= level { return found }
        found.append(row.id)
      }
      next = forest.element(after: leaf).map { ($0, 0) }
    }
    return found
  }

  /// Removes an item that is shown in an outline, and those below it, and returns these.
  mutating func removeOutline<Base: Identifiable>(of id: ItemID) -> [ItemID]
  where Item == OutlineRow<Base> {
    let items = outline(of: id)
    for item in items { if let location = location(of: item) { remove(at: location) } }
    return items
  }
}
