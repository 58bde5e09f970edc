import ListDiff
import SumTrees

/// The modifications of a tree by the current change, as two short lists.
///
/// An entry stands for one item of a modified leaf, or for all items between two such items, which
/// are equal on both sides. If no section was inserted, deleted or moved, only sections with
/// modifications are listed:
///
/// ```
///   before:  | a b c | 256 items | d e f |
///   after:   | a x c | 256 items | d f |
///
///   old:     [a]  b  [c, 256 items, d]  e  [f]
///   new:     [a]  x  [c, 256 items, d]     [f]
/// ```
struct TreeComparison {
  private(set) var old = Side()
  private(set) var new = Side()

  /// One above the largest key of an entry.
  fileprivate(set) var universe = 0

  /// Whether all sections are listed.
  private(set) var listsAll = false

  /// The entries of both sides, section by section.
  var groups: [Group] = []

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
  /// - Complexity: O(*k* log *n*), where *k* is the number of modified leaves; if sections were
  ///   inserted, deleted or moved O(*s*) more.
  mutating func compare(_ tree: borrowing ListTree, universe: Int) {
    old.removeAll()
    new.removeAll()
    groups.removeAll(keepingCapacity: true)
    deselected.removeAll(keepingCapacity: true)
    self.universe = universe
    listsAll = tree.change.order != nil
    let modified = tree.modifiedLeaves
    if let before = tree.change.order {
      listSections(from: before, modified, tree)
    } else {
      listModifiedSections(modified, tree)
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
  var isSmall: Bool { groups.count + old.entries.count + new.entries.count < 1024 }

  /// Frees what only pairing needs, if that is much.
  mutating func finishPairing() {
    guard !isSmall else { return }
    old.freeKeys()
    new.freeKeys()
  }

  /// Lists all sections. `before` has those before the change.
  private mutating func listSections(
    from before: [Int], _ modified: [ModifiedLeaf], _ tree: ListTree
  ) {
    // By section, its groups.
    var ranges = [Range<Int>](repeating: 0..<0, count: tree.sections.count)
    for section in [before, tree.change.madeSections].joined() {
      ranges[section] = addGroups(of: section, modified, tree)
    }
    let sections = tree.sectionsInOrder
    old.reserve(sections: before.count, entries: groups.entryCount(isOld: true))
    new.reserve(sections: sections.count, entries: groups.entryCount(isOld: false))
    for (index, section) in before.enumerated() {
      old.beginSection(section, key: tree.sections[section].key, index: index, at: old.end)
      old.add(groups[ranges[section]], of: modified, tree, isOld: true)
    }
    for (index, section) in sections.enumerated() {
      new.beginSection(section, key: tree.sections[section].key, index: index, at: new.end)
      new.add(groups[ranges[section]], of: modified, tree, isOld: false)
    }
  }

  /// Lists the sections with modifications.
  private mutating func listModifiedSections(_ modified: [ModifiedLeaf], _ tree: ListTree) {
    var listed = modifiedSections(modified, tree)
    groups.reserveCapacity(listed.count + 3 * modified.count)
    for index in listed.indices {
      listed[index].groups = addGroups(of: listed[index].section, modified, tree)
    }
    old.reserve(sections: listed.count, entries: groups.entryCount(isOld: true))
    new.reserve(sections: listed.count, entries: groups.entryCount(isOld: false))
    var growth = Side.Position()
    for (section, position, range) in listed {
      let first = Side.Position(item: position.items, row: position.rows)
      let key = tree.sections[section].key
      new.beginSection(section, key: key, index: position.elements, at: first)
      old.beginSection(section, key: key, index: position.elements, at: first - growth)
      old.add(groups[range], of: modified, tree, isOld: true)
      new.add(groups[range], of: modified, tree, isOld: false)
      growth = new.end - old.end
    }
  }

  /// A section with modifications, the sums before it in the list, and the range of its groups.
  private typealias ListedSection = (section: Int, position: TreeSums, groups: Range<Int>)

  /// Returns the sections with modifications in order, without their groups.
  private func modifiedSections(_ modified: [ModifiedLeaf], _ tree: ListTree) -> [ListedSection] {
    var listed: [ListedSection] = []
    func add(_ section: Int) {
      listed.append((section, tree.order.position(of: section).before, 0..<0))
    }
    for leaf in modified where listed.last?.section != leaf.section { add(leaf.section) }
    if !tree.change.sections.isEmpty || !tree.change.forcedSections.isEmpty {
      let forced = tree.change.forcedSections.keys.compactMap(tree.section(withKey:))
      let others = Set(tree.change.sections.keys).union(forced)
      for section in others.subtracting(listed.map(\.section)) { add(section) }
    }
    listed.sort { $0.position.elements < $1.position.elements }
    return listed
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
