import ListDiff

/// The modifications of a tree by the current change, as two short lists.
///
/// A row stands for one item of a modified leaf, or for all items between two such items, which are
/// equal on both sides. If no section was inserted, deleted or moved, only sections with
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
  struct Row {
    let key: UInt32
    private var items: Int32

    /// The item, if the row stands for a single one.
    let record: ItemRecord?

    init(key: UInt32, count: Int, record: ItemRecord? = nil) {
      self.key = key
      items = Int32(truncatingIfNeeded: count)
      self.record = record
    }

    /// The number of items that the row stands for.
    var count: Int {
      get { Int(items) }
      set { items = Int32(truncatingIfNeeded: newValue) }
    }
  }

  struct Side {
    /// For each listed section its number, its index in the list, and the index of its first item.
    var sections: [(section: Int, index: Int, firstItem: Int)] = []

    /// The index of the first row of each listed section, followed by the number of rows.
    var starts: [Int32] = [0]
    var rows: [Row] = []

    /// For each row the index of its first item in the list.
    var offsets: [Int] = []

    fileprivate mutating func add(_ row: Row, at offset: inout Int) {
      rows.append(row)
      offsets.append(offset)
      offset += row.count
    }

    fileprivate mutating func endSection() {
      starts.append(Int32(truncatingIfNeeded: rows.count))
    }
  }

  fileprivate(set) var old = Side()
  fileprivate(set) var new = Side()

  /// One above the largest key of a row.
  fileprivate(set) var universe: Int

  /// Whether all sections are listed.
  let listsAll: Bool

  /// The deselected items in their old order, by key, each with its index before.
  fileprivate(set) var deselected: [(key: UInt32, item: Int, isDeleted: Bool)] = []

  /// Compares a tree with its state before the current change.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of modified leaves; if sections were
  ///   inserted, deleted or moved O(*s*) more.
  init(_ tree: borrowing ListTree, universe: Int) {
    self.universe = universe
    listsAll = tree.change.order != nil
    compare(tree)
    findDeselected(tree)
  }
}

extension TreeComparison {
  private mutating func compare(_ tree: ListTree) {
    // Closures would copy the tree.
    var modified: [ModifiedLeaf] = []
    for (saved, (leaf, _)) in tree.change.leaves.enumerated() {
      modified.append(
        ModifiedLeaf(
          section: tree.section(ofLeaf: leaf), order: tree.forest.order(of: leaf), saved: saved))
    }
    modified.sort { ($0.section, $0.order) < ($1.section, $1.order) }
    var groups: [Int: [Group]] = [:]
    if let before = tree.change.order {
      for section in before {
        groups[section] = self.groups(of: section, modified.leaves(of: section), tree)
      }
      var first = 0
      for (index, section) in before.enumerated() {
        old.sections.append((section, index, first))
        first += add(groups[section]!, \.before, from: first, to: &old)
      }
      var side = new
      first = 0
      for (index, section) in tree.sectionsInOrder.enumerated() {
        side.sections.append((section, index, first))
        let groups =
          groups.removeValue(forKey: section)
          ?? self.groups(of: section, modified.leaves(of: section), tree)
        first += add(groups, \.after, from: first, to: &side)
      }
      new = side
    } else {
      var listed = Set(modified.lazy.map(\.section)).union(tree.change.sections.keys)
      for key in tree.change.forcedSections.keys {
        if let section = tree.section(withKey: key) { listed.insert(section) }
      }
      var sections: [(section: Int, position: TreeSums)] = []
      for section in listed { sections.append((section, tree.order.position(of: section).before)) }
      sections.sort { $0.position.elements < $1.position.elements }
      var growth = 0
      for (section, position) in sections {
        let groups = self.groups(of: section, modified.leaves(of: section), tree)
        let firstOld = position.items - growth
        old.sections.append((section, position.elements, firstOld))
        new.sections.append((section, position.elements, position.items))
        let oldCount = add(groups, \.before, from: firstOld, to: &old)
        growth += add(groups, \.after, from: position.items, to: &new) - oldCount
      }
    }
  }

  /// Rows before and after the change: the items of consecutive modified leaves, or a block between
  /// them.
  private struct Group {
    var before: [Row] = []
    var after: [Row] = []
  }

  private mutating func newKey() -> UInt32 {
    defer { universe += 1 }
    return UInt32(truncatingIfNeeded: universe)
  }

  private mutating func groups(
    of section: Int, _ leaves: ArraySlice<ModifiedLeaf>, _ tree: ListTree
  ) -> [Group] {
    var groups: [Group] = []
    var next = 0
    var before = LeafRun()
    var after = LeafRun()
    for modified in leaves {
      let (leaf, saved) = tree.change.leaves[modified.saved]
      let start = tree.forest.position(of: leaf).before.items
      if start > next {
        finish(&before, &after, tree.change.forcedItems, into: &groups)
        addBlock(start - next, to: &groups)
      }
      before.append(saved)
      // The leaves of a deleted section are unmodified.
      if !tree.sections[section].isDeleted { after.append(tree.leaves[leaf]) }
      next = start + tree.leaves[leaf].count
    }
    finish(&before, &after, tree.change.forcedItems, into: &groups)
    let count = tree.forest.sums(ofTree: section).items
    if count > next { addBlock(count - next, to: &groups) }
    return groups
  }

  /// Adds a block of items that are equal on both sides.
  private mutating func addBlock(_ count: Int, to groups: inout [Group]) {
    guard count > 0 else { return }
    if let last = groups.last, last.before.count == 1, last.before[0].record == nil {
      groups[groups.count - 1].before[0].count += count
      groups[groups.count - 1].after[0].count += count
    } else {
      let row = Row(key: newKey(), count: count)
      groups.append(Group(before: [row], after: [row]))
    }
  }

  /// Adds the items of consecutive modified leaves. Equal items at both ends become blocks.
  private mutating func finish(
    _ before: inout LeafRun, _ after: inout LeafRun, _ forced: [UInt32: ContentChange],
    into groups: inout [Group]
  ) {
    let limit = min(before.count, after.count)
    var head = before.commonPrefix(with: after, limit)
    var tail = before.commonSuffix(with: after, limit - head)
    if !forced.isEmpty {
      // An item with a forced update is not part of a block.
      func isForced(_ record: ItemRecord) -> Bool { forced[record.key] != nil }
      head = after.records(0..<head).firstIndex(where: isForced) ?? head
      let last = after.records(after.count - tail..<after.count).lastIndex(where: isForced)
      if let last { tail -= last + 1 }
    }
    addBlock(head, to: &groups)
    func rows(_ run: LeafRun) -> [Row] {
      run.records(head..<run.count - tail).map { Row(key: $0.key, count: 1, record: $0) }
    }
    let group = Group(before: rows(before), after: rows(after))
    if !group.before.isEmpty || !group.after.isEmpty { groups.append(group) }
    addBlock(tail, to: &groups)
    before = LeafRun()
    after = LeafRun()
  }

  /// Adds the rows of a section and returns the number of items that they stand for.
  private func add(
    _ groups: [Group], _ rows: KeyPath<Group, [Row]>, from first: Int, to side: inout Side
  ) -> Int {
    var offset = first
    for group in groups {
      for row in group[keyPath: rows] { side.add(row, at: &offset) }
    }
    side.endSection()
    return offset - first
  }

  private mutating func findDeselected(_ tree: ListTree) {
    for (row, offset) in zip(old.rows, old.offsets) {
      guard let record = row.record, record.traits.contains(.selected) else { continue }
      let now = tree.location(of: record.key).map(tree.record(at:))
      if now?.traits.contains(.selected) == true { continue }
      deselected.append((record.key, offset, now == nil))
    }
  }
}

extension TreeComparison {
  /// Returns the items of a row of an old section that stands for a block of unmodified leaves.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of the section.
  func records(ofBlock row: Int, inOldSection section: Int, _ tree: ListTree) -> [ItemRecord] {
    var before = 0
    for other in Int(old.starts[section])..<row where old.rows[other].record == nil {
      before += old.rows[other].count
    }
    // The leaves of a deleted section are in its tree until the change is finished.
    return tree.unmodifiedItems(
      ofSection: old.sections[section].section, before..<before + old.rows[row].count)
  }
}

extension TreeComparison.Side {
  /// Returns the rows with the keys of their sections.
  func arrangement(of tree: ListTree) -> Arrangement {
    Arrangement(
      sections: sections.map { tree.sections[$0.section].key }, starts: starts,
      rows: rows.map(\.key))
  }

  /// The lengths of the rows, by section.
  var lengths: [[Int32]] {
    starts.indices.dropLast().map { section in
      rows[Int(starts[section])..<Int(starts[section + 1])].map {
        Int32(truncatingIfNeeded: $0.count)
      }
    }
  }

  /// Returns the section and row of an item, by its index in the list.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of listed sections.
  func path(of item: Int) -> Path {
    var low = 0
    var high = sections.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if sections[middle].firstItem <= item { low = middle } else { high = middle }
    }
    return Path(section: sections[low].index, row: item - sections[low].firstItem)
  }
}

/// A modified leaf: its section, its order in the section, and its index in ``TreeChange/leaves``.
private struct ModifiedLeaf {
  var section: Int
  var order: UInt64
  var saved: Int
}

extension [ModifiedLeaf] {
  /// Returns the leaves of a section. The leaves are sorted by section.
  ///
  /// - Complexity: O(log *k* + *m*), where *k* is the number of leaves and *m* the number of the
  ///   section's leaves.
  fileprivate func leaves(of section: Int) -> ArraySlice<ModifiedLeaf> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].section < section { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.section == section }
  }
}
