import ListDiff

/// The marks of a list beside its selected items, by key.
struct TreeMarks: Hashable, Sendable {
  /// The item that was last toggled, selected or replaced. An extension starts there.
  var anchor: UInt32?

  /// The items that the last extension added.
  var extended: Set<UInt32> = []
}

extension ListTree {
  /// Deselects items in modified sections that may not be selected any more: items of sections
  /// without selection, all but the first selected item of sections with single selection, and
  /// items that are not selectable.
  mutating func applySelectionRules() {
    var seen = Set<Int>()
    for (leaf, _) in change.leaves {
      let section = section(ofLeaf: leaf)
      if sections[section].isDeleted { continue }
      seen.insert(section)
      guard forest.sums(of: leaf).selected > 0 else { continue }
      for index in 0..<leaves[leaf].count {
        let traits = leaves[leaf][index].traits
        if traits.contains(.selected), traits.contains(.notSelectable) {
          setSelected(false, at: Location(leaf: leaf, index: index))
        }
      }
    }
    for section in seen.union(change.sections.keys) where !sections[section].isDeleted {
      applySelectionMode(toSection: section)
    }
  }

  private mutating func applySelectionMode(toSection section: Int) {
    let mode = sections[section].traits.selectionMode
    let allowed = mode == .multiple ? Int.max : mode == .single ? 1 : 0
    guard forest.sums(ofTree: section).selected > allowed else { return }
    var left = allowed
    forEachSelected(in: section) { tree, location in
      if left > 0 { left -= 1 } else { tree.setSelected(false, at: location) }
    }
  }

  /// The rows of the selected items as maximal ranges within sections.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items in leaves with selected items.
  var selectedRanges: [(at: Path, count: Int)] {
    var ranges: [(at: Path, count: Int)] = []
    forEachSelected { path, _ in
      if let last = ranges.last, last.at.advanced(by: last.count) == path {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((path, 1))
      }
    }
    return ranges
  }

  /// The indices of the selected items, in order.
  var selectedIndices: [Int] {
    var indices: [Int] = []
    forEachSelected { _, index in indices.append(index) }
    return indices
  }

  /// Calls `body` with the path and the index of each selected item, in order.
  private func forEachSelected(_ body: (Path, Int) -> Void) {
    var seen = 0
    while let (section, position) = order.find(seen, .selected, inTree: 0) {
      var inside = 0
      while let (leaf, before) = forest.find(inside, .selected, inTree: section) {
        inside = before.selected
        for index in 0..<leaves[leaf].count where leaves[leaf].isSelected(at: index) {
          let row = before.items + index
          body(Path(section: position.elements, row: row), position.items + row)
          inside += 1
        }
      }
      seen = position.selected + inside
    }
  }

  /// Returns the key of the item at an index of the list.
  func key(at index: Int) -> UInt32? { location(at: index).map { record(at: $0).key } }

  /// Returns the index of the item with a key.
  func index(ofKey key: UInt32) -> Int? { location(of: key).map(index(of:)) }
}

extension ListTree {
  /// The items, by key, that the change has selected and deselected, including deleted items.
  ///
  /// - Complexity: O(*k*), where *k* is the number of modified leaves.
  var selectionChange: (selected: [UInt32], deselected: [UInt32]) {
    var before = Set<UInt32>()
    var now = Set<UInt32>()
    for (leaf, saved) in change.leaves {
      for index in 0..<saved.count where saved.isSelected(at: index) {
        before.insert(saved.key(at: index))
      }
      if !forest.contains(leaf) || sections[section(ofLeaf: leaf)].isDeleted { continue }
      for index in 0..<leaves[leaf].count where leaves[leaf].isSelected(at: index) {
        now.insert(leaves[leaf].key(at: index))
      }
    }
    return (now.subtracting(before).sorted(), before.subtracting(now).sorted())
  }
}

/// The indices of the items of a list after a change, by their indices before.
struct TreeMap {
  /// Consecutive items before the change, and the index of the first of them after it.
  private struct Run {
    var start: Int
    var count: Int
    var new: Int?
  }

  /// Runs of all items in their order before the change.
  private var runs: [Run] = []

  /// - Complexity: O(*k*), where *k* is the number of rows of the comparison.
  init(_ comparison: TreeComparison, rowsToNew: [Int32], count: Int) {
    let (old, new) = (comparison.old, comparison.new)
    var end = (old: 0, new: 0)
    for (index, section) in old.sections.enumerated() {
      if section.firstItem > end.old {
        runs.append(Run(start: end.old, count: section.firstItem - end.old, new: end.new))
      }
      let rows = Int(old.starts[index])..<Int(old.starts[index + 1])
      for row in rows {
        let partner = Int(rowsToNew[row])
        runs.append(
          Run(
            start: old.offsets[row], count: old.rows[row].count,
            new: partner < 0 ? nil : new.offsets[partner]))
      }
      end.old = rows.last.map { old.offsets[$0] + old.rows[$0].count } ?? section.firstItem
      if !comparison.listsAll {
        let rows = Int(new.starts[index])..<Int(new.starts[index + 1])
        end.new =
          rows.last.map { new.offsets[$0] + new.rows[$0].count } ?? new.sections[index].firstItem
      }
    }
    if !comparison.listsAll, count > end.new {
      runs.append(Run(start: end.old, count: count - end.new, new: end.new))
    }
  }

  /// Returns the index of an item after the change, or `nil` if it was deleted.
  ///
  /// - Complexity: O(log *k*).
  func index(of item: Int) -> Int? {
    let run = runs[run(of: item)]
    return run.new.map { $0 + item - run.start }
  }

  /// Returns the index of the next kept item after a deleted one, or else of the last kept item
  /// before it, or `nil` if all items were deleted.
  func neighbor(of item: Int) -> Int? {
    let index = run(of: item)
    if let next = runs[(index + 1)...].first(where: { $0.new != nil }) { return next.new }
    return runs[..<index].last { $0.new != nil }.map { $0.new! + $0.count - 1 }
  }

  private func run(of item: Int) -> Int {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].start <= item { low = middle } else { high = middle }
    }
    return low
  }
}

extension CursorPolicy {
  /// Returns the index of a cursor after a change that leaves `count` items, or `nil` if there is
  /// none.
  func item(after map: TreeMap, of cursor: Int?, count: Int) -> Int? {
    guard count > 0 else { return nil }
    if self == .first { return 0 }
    guard let cursor else { return nil }
    if self == .follow, let item = map.index(of: cursor) ?? map.neighbor(of: cursor) { return item }
    return min(cursor, count - 1)
  }
}
