import ListDiff
import SumTrees

/// The marks of a list beside its selected items, by key.
typealias TreeMarks = SelectionMarks<UInt32>

extension ListTree {
  /// Deselects items in modified sections that may not be selected any more: items of sections
  /// without selection, all but the first selected item of sections with single selection, and
  /// items that are not selectable.
  mutating func applySelectionRules() {
    if change.isAdoption {
      for section in selectedSections { keepAllowed(inSection: section) }
      return
    }
    // Deselecting items may save more leaves, whose sections are among those of the others.
    let modified = change.leaves.indices
    for index in modified {
      let leaf = change.leaves[index].leaf
      if sections[section(ofLeaf: leaf)].isDeleted { continue }
      guard forest.sums(of: leaf).selected > 0 else { continue }
      for index in 0..<leaves[leaf].count {
        let traits = leaves[leaf][index].traits
        if traits.contains(.selected), traits.contains(.notSelectable) {
          setSelected(false, at: Location(leaf: leaf, index: index))
        }
      }
    }
    var last: Int?
    for index in modified {
      let section = section(ofLeaf: change.leaves[index].leaf)
      if section != last, !sections[section].isDeleted { keepAllowed(inSection: section) }
      last = section
    }
    for section in change.sections.keys where !sections[section].isDeleted {
      keepAllowed(inSection: section)
    }
  }

  /// The rows of the selected items as maximal ranges within sections.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items in leaves with selected items.
  var selectedRanges: [(at: Path, count: Int)] {
    if selectedCount == 0 { return [] }
    var ranges: [(at: Path, count: Int)] = []
    forEachSelected { path, count, _ in
      if let last = ranges.last, last.at.advanced(by: last.count) == path {
        ranges[ranges.count - 1].count += count
      } else if count > 0 {
        ranges.append((path, count))
      }
    }
    return ranges
  }

  /// The indices of the selected items, in order.
  var selectedIndices: [Int] {
    if selectedCount == 0 { return [] }
    var indices: [Int] = []
    forEachSelected { _, _, index in indices.append(index) }
    return indices
  }

  /// Calls `body` with the path, the number of rows and the index of each selected item, in order.
  private func forEachSelected(_ body: (Path, Int, Int) -> Void) {
    var seen = 0
    while let (section, position) = order.find(seen, .selected, inTree: 0) {
      var inside = 0
      while let (leaf, before) = forest.find(inside, .selected, inTree: section) {
        inside = before.selected
        if parts.isEmpty {
          leaves[leaf].selected.forEachIndex { index in
            let path = Path(section: position.elements, row: before.rows + index)
            body(path, 1, position.items + before.items + index)
            inside += 1
          }
          continue
        }
        var row = before.rows
        for index in 0..<leaves[leaf].count {
          let count = parts.rowCount(leaves[leaf].parts(at: index))
          if leaves[leaf].isSelected(at: index) {
            let path = Path(section: position.elements, row: row)
            body(path, count, position.items + before.items + index)
            inside += 1
          }
          row += count
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
    for saved in change.leaves {
      saved.before.selected.forEachIndex { before.insert(saved.before.key(at: $0)) }
      let leaf = saved.leaf
      guard forest.contains(leaf), !sections[section(ofLeaf: leaf)].isDeleted else { continue }
      leaves[leaf].selected.forEachIndex { now.insert(leaves[leaf].key(at: $0)) }
    }
    if let adoption = change.adoption { before.formUnion(adoption.deselected) }
    if before == now { return ([], []) }
    return (now.subtracting(before).sorted(), before.subtracting(now).sorted())
  }
}

/// The indices of the rows of a list after a change, by their indices before.
struct TreeMap {
  /// Consecutive rows before the change, and the index of the first of them after it.
  private struct Run {
    var start: Int
    var count: Int
    var new: Int?

    /// The index of the first row of the same item after the change, if the rows are one row of an
    /// item with parts.
    var newItem: Int?
  }

  /// Runs of all rows in their order before the change.
  private var runs: [Run] = []

  /// Creates the map of a comparison whose rows and items are matched, to a list that has `count`
  /// rows after the change.
  ///
  /// - Complexity: O(*k*), where *k* is the number of rows of the comparison.
  init(
    _ comparison: TreeComparison, rowsToNew: [Int32], itemsToNew: [Int32], count: Int
  ) {
    let (old, new) = (comparison.old, comparison.new)
    let (oldStarts, newStarts) = (old.rowStarts, new.rowStarts)
    var end = (old: 0, new: 0)
    for (index, section) in old.sections.enumerated() {
      if section.firstRow > end.old {
        append(Run(start: end.old, count: section.firstRow - end.old, new: end.new))
      }
      end.old = section.firstRow
      for row in Int(oldStarts[index])..<Int(oldStarts[index + 1]) {
        let partner = Int(rowsToNew[row])
        var run = Run(
          start: end.old, count: old.count(ofRow: row),
          new: partner < 0 ? nil : new.offset(ofRow: partner))
        if partner < 0, let rows = new.shown {
          let item = Int(itemsToNew[old.entry(ofRow: row)])
          if item >= 0, rows.starts[item] < rows.starts[item + 1] {
            run.newItem = new.firstRow(ofEntry: item)
          }
        }
        append(run)
        end.old += run.count
      }
      if !comparison.listsAll {
        end.new = new.sections[index].firstRow
        for row in Int(newStarts[index])..<Int(newStarts[index + 1]) {
          end.new += new.count(ofRow: row)
        }
      }
    }
    if !comparison.listsAll, count > end.new {
      append(Run(start: end.old, count: count - end.new, new: end.new))
    }
  }

  private mutating func append(_ run: Run) {
    if let last = runs.last, last.newItem == nil, run.newItem == nil,
      last.new.map({ $0 + last.count }) == run.new
    {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }

  /// Returns the index after the change of a row or, if it was deleted, of the first row of its
  /// item. Returns `nil` if that has no rows either.
  ///
  /// - Complexity: O(log *k*).
  func index(of row: Int) -> Int? {
    let run = runs[self.run(of: row)]
    return run.new.map { $0 + row - run.start } ?? run.newItem
  }

  /// Returns the index of the next kept row after a deleted one, or else of the last kept row
  /// before it, or `nil` if all rows were deleted.
  func neighbor(of row: Int) -> Int? {
    let index = run(of: row)
    if let next = runs[(index + 1)...].first(where: { $0.new != nil }) { return next.new }
    return runs[..<index].last { $0.new != nil }.map { $0.new! + $0.count - 1 }
  }

  private func run(of row: Int) -> Int {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].start <= row { low = middle } else { high = middle }
    }
    return low
  }
}

extension CursorPolicy {
  /// Returns the row of a cursor after a change that leaves `count` rows, or `nil` if there is none.
  func row(of cursor: Int?, count: Int, _ map: @autoclosure () -> TreeMap) -> Int? {
    guard count > 0 else { return nil }
    if self == .first { return 0 }
    guard let cursor else { return nil }
    if self == .follow {
      let map = map()
      if let row = map.index(of: cursor) ?? map.neighbor(of: cursor) { return row }
    }
    return min(cursor, count - 1)
  }
}
