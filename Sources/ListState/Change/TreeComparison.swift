import ListDiff
import SumTrees

/// The modifications of a tree by the current change, as two short lists.
///
/// An entry stands for one item of a modified leaf, or for all items between two such items, which
/// are equal on both sides. If no section was inserted, deleted or moved, only sections with
/// modifications are listed; else consecutive sections without modifications are listed as one:
///
/// ```
///   before:  | a b c | 256 items | d e f |
///   after:   | a x c | 256 items | d f |
///
///   old:     [a]  b  [c, 256 items, d]  e  [f]
///   new:     [a]  x  [c, 256 items, d]     [f]
/// ```
struct TreeComparison {
  var old = Side()
  var new = Side()

  /// One above the largest key of an entry.
  var universe = 0

  /// Whether all sections are listed, alone or in runs.
  var listsAll = false

  /// The sections with modifications, unless all are listed.
  var listed: [ListedSection] = []

  /// The leaves that the change has modified, by section and in order.
  private var modified: [ModifiedLeaf] = []

  /// The deselected items in their old order, by key, each with the path of its first row before,
  /// or of the next row if it had none.
  private(set) var deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = []

  /// Creates a comparison of nothing.
  init() {}

  /// Compares a tree with its state before the current change.
  ///
  /// - Complexity: As of ``compare(_:universe:)``.
  init(_ tree: borrowing ListTree, universe: Int) { compare(tree, universe: universe) }

  /// Compares a tree with its state before the current change, in the memory of the last comparison.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of modified leaves and of sections that were
  ///   inserted, deleted or moved.
  mutating func compare(_ tree: borrowing ListTree, universe: Int) {
    old.removeAll()
    new.removeAll()
    deselected.removeElements()
    self.universe = universe
    listsAll = tree.change.changesOrder
    if tree.change.isAdoption {
      list(tree.change.adoption!, tree)
    } else {
      modified.removeElements()
      tree.appendModifiedLeaves(to: &modified)
      let modified = modified
      if listsAll { listAllSections(modified, tree) } else { listModifiedSections(modified, tree) }
    }
    if !tree.parts.isEmpty {
      old.addRows(tree.parts)
      new.addRows(tree.parts)
    }
    findDeselected(tree)
  }
}

extension TreeComparison {
  /// Whether the memory of the comparison is worth keeping for the next one.
  var isSmall: Bool { old.entries.count + new.entries.count < 1024 }

  /// Whether the change has modified nothing.
  var isEmpty: Bool { old.sections.isEmpty && new.sections.isEmpty }

  /// Frees what only pairing needs, if that is much.
  mutating func finishPairing() {
    guard !isSmall else { return }
    old.freeKeys()
    new.freeKeys()
  }

  /// Returns a key that no item has.
  mutating func newKey() -> UInt32 {
    defer { universe += 1 }
    return UInt32(truncatingIfNeeded: universe)
  }

  private mutating func findDeselected(_ tree: ListTree) {
    for (index, section) in old.sections.enumerated() {
      for entry in old.entries(ofSection: index) {
        guard let record = old.entries[entry].record, record.traits.contains(.selected) else {
          continue
        }
        let now = tree.location(of: record.key).map(tree.record(at:))
        if now?.traits.contains(.selected) == true { continue }
        let path = Path(
          section: section.index, row: old.firstRow(ofEntry: entry) - section.firstRow)
        deselected.append((record.key, path, now == nil))
      }
    }
  }
}

extension TreeComparison {
  /// Returns the items of an entry of an old section that stands for a block of unmodified leaves.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of the section.
  func records(ofBlock entry: Int, inOldSection section: Int, _ tree: ListTree) -> [ItemRecord] {
    var before = 0
    for other in old.entries(ofSection: section).lowerBound..<entry
    where old.entries[other].record == nil {
      before += old.entries[other].count
    }
    // The leaves of a deleted section are in its tree until the change is finished.
    return tree.unmodifiedItems(
      ofSection: old.sections[section].section, before..<before + old.entries[entry].count)
  }
}
