import ListDiff

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
  struct Entry {
    let key: UInt32
    private var items: Int32
    private var rows: Int32

    /// The item, if the entry stands for a single one.
    let record: ItemRecord?

    init(key: UInt32, count: Int, rowCount: Int, record: ItemRecord? = nil) {
      self.key = key
      items = Int32(truncatingIfNeeded: count)
      rows = Int32(truncatingIfNeeded: rowCount)
      self.record = record
    }

    /// The number of items that the entry stands for.
    var count: Int {
      get { Int(items) }
      set { items = Int32(truncatingIfNeeded: newValue) }
    }

    /// The number of rows of these items.
    var rowCount: Int {
      get { Int(rows) }
      set { rows = Int32(truncatingIfNeeded: newValue) }
    }
  }

  struct Side {
    /// For each listed section its number, its index in the list, and the indices in the list of its
    /// first item and of its first row.
    var sections: [(section: Int, index: Int, firstItem: Int, firstRow: Int)] = []

    /// The index of the first entry of each listed section, followed by the number of entries.
    var starts: [Int32] = [0]
    var entries: [Entry] = []

    /// For each entry the index of its first item in the list.
    var offsets: [Int] = []

    /// The rows of the entries; `nil` if each entry is a row, because no item has parts.
    private var rows: EntryRows?

    private struct EntryRows {
      /// The rows of each entry. A block is one row, or none if its items have none.
      var shown = ItemRows()

      /// The entry of each row, and for each entry the index of its first row in the list.
      var owners: [Int32] = []
      var offsets: [Int] = []
    }

    fileprivate mutating func add(_ entry: Entry, at offset: inout Int) {
      entries.append(entry)
      offsets.append(offset)
      offset += entry.count
    }

    /// Reserves memory for more entries if they are most of all. Growing step by step would take up
    /// to three times the memory.
    fileprivate mutating func reserve(_ count: Int) {
      guard count > entries.count else { return }
      entries.reserveCapacity(entries.count + count)
      offsets.reserveCapacity(entries.count + count)
    }

    fileprivate mutating func endSection() {
      starts.append(Int32(truncatingIfNeeded: entries.count))
    }

    /// Adds the rows of the entries.
    fileprivate mutating func addRows(_ parts: PartTable) {
      var rows = EntryRows()
      rows.shown.starts.reserveCapacity(entries.count + 1)
      rows.offsets.reserveCapacity(entries.count)
      for (index, section) in sections.enumerated() {
        var offset = section.firstRow
        for entry in Int(starts[index])..<Int(starts[index + 1]) {
          rows.offsets.append(offset)
          offset += entries[entry].rowCount
          if let record = entries[entry].record, record.parts > 0 {
            rows.shown.keys += parts[record.parts].map(\.key)
          } else if entries[entry].rowCount > 0 {
            rows.shown.keys.append(ItemRows.whole)
          }
          while rows.owners.count < rows.shown.keys.count {
            rows.owners.append(Int32(truncatingIfNeeded: entry))
          }
          rows.shown.starts.append(Int32(truncatingIfNeeded: rows.shown.keys.count))
        }
      }
      self.rows = rows
    }

    /// The rows of the entries; `nil` if each entry is a row.
    var shown: ItemRows? { rows?.shown }

    /// Whether an item may have parts.
    var hasParts: Bool { rows != nil }

    /// The index of the first row of each listed section, followed by the number of rows.
    var rowStarts: [Int32] {
      guard let shown else { return starts }
      return starts.map { shown.starts[Int($0)] }
    }

    /// Returns the entry of a row.
    func entry(ofRow row: Int) -> Int { rows == nil ? row : Int(rows!.owners[row]) }

    /// Returns the item of a row, or `nil` if the row stands for a block.
    func record(ofRow row: Int) -> ItemRecord? { entries[entry(ofRow: row)].record }

    /// Returns the index of a row among those of its entry.
    func index(ofRow row: Int) -> Int {
      rows == nil ? 0 : row - Int(rows!.shown.starts[entry(ofRow: row)])
    }

    /// Returns the number of rows of the list that a row stands for.
    func count(ofRow row: Int) -> Int {
      let entry = entries[entry(ofRow: row)]
      return entry.record == nil ? entry.rowCount : 1
    }

    /// Returns the index in the list of the first row that a row stands for.
    func offset(ofRow row: Int) -> Int {
      rows == nil ? offsets[row] : rows!.offsets[entry(ofRow: row)] + index(ofRow: row)
    }

    /// Returns the index in the list of an entry's first row.
    func firstRow(ofEntry entry: Int) -> Int {
      rows == nil ? offsets[entry] : rows!.offsets[entry]
    }
  }

  fileprivate(set) var old = Side()
  fileprivate(set) var new = Side()

  /// One above the largest key of an entry.
  fileprivate(set) var universe: Int

  /// Whether all sections are listed.
  let listsAll: Bool

  /// The deselected items in their old order, by key, each with the path of its first row before,
  /// or of the next row if it had none.
  fileprivate(set) var deselected: [(key: UInt32, at: Path, isDeleted: Bool)] = []

  /// Compares a tree with its state before the current change.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of modified leaves; if sections were
  ///   inserted, deleted or moved O(*s*) more.
  init(_ tree: borrowing ListTree, universe: Int) {
    self.universe = universe
    listsAll = tree.change.order != nil
    compare(tree)
    if !tree.parts.isEmpty {
      old.addRows(tree.parts)
      new.addRows(tree.parts)
    }
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
      var first = (item: 0, row: 0)
      for (index, section) in before.enumerated() {
        old.sections.append((section, index, first.item, first.row))
        add(groups[section]!, \.before, from: &first, to: &old)
      }
      var side = new
      first = (0, 0)
      for (index, section) in tree.sectionsInOrder.enumerated() {
        side.sections.append((section, index, first.item, first.row))
        let groups =
          groups.removeValue(forKey: section)
          ?? self.groups(of: section, modified.leaves(of: section), tree)
        add(groups, \.after, from: &first, to: &side)
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
      var growth = (items: 0, rows: 0)
      for (section, position) in sections {
        let groups = self.groups(of: section, modified.leaves(of: section), tree)
        var endOld = (item: position.items - growth.items, row: position.rows - growth.rows)
        var endNew = (item: position.items, row: position.rows)
        old.sections.append((section, position.elements, endOld.item, endOld.row))
        new.sections.append((section, position.elements, endNew.item, endNew.row))
        add(groups, \.before, from: &endOld, to: &old)
        add(groups, \.after, from: &endNew, to: &new)
        growth = (endNew.item - endOld.item, endNew.row - endOld.row)
      }
    }
  }

  /// Entries before and after the change: the items of consecutive modified leaves, or a block
  /// between them.
  private struct Group {
    var before: [Entry] = []
    var after: [Entry] = []
  }

  private mutating func newKey() -> UInt32 {
    defer { universe += 1 }
    return UInt32(truncatingIfNeeded: universe)
  }

  private mutating func groups(
    of section: Int, _ leaves: ArraySlice<ModifiedLeaf>, _ tree: ListTree
  ) -> [Group] {
    var groups: [Group] = []
    var next = TreeSums.zero
    var before = LeafRun()
    var after = LeafRun()
    for modified in leaves {
      let (leaf, saved) = tree.change.leaves[modified.saved]
      let start = tree.forest.position(of: leaf).before
      if start.items > next.items {
        finish(&before, &after, tree, into: &groups)
        addBlock(start - next, to: &groups)
      }
      before.append(saved)
      // The leaves of a deleted section are unmodified.
      if !tree.sections[section].isDeleted { after.append(tree.leaves[leaf]) }
      next = start + tree.forest.sums(of: leaf)
    }
    finish(&before, &after, tree, into: &groups)
    addBlock(tree.forest.sums(ofTree: section) - next, to: &groups)
    return groups
  }

  /// Adds a block of items that are equal on both sides.
  private mutating func addBlock(_ size: TreeSums, to groups: inout [Group]) {
    guard size.items > 0 else { return }
    if let last = groups.last, var block = last.before.first, block.record == nil,
      last.before.count == 1
    {
      block.count += size.items
      block.rowCount += size.rows
      groups[groups.count - 1] = Group(before: [block], after: [block])
    } else {
      let block = Entry(key: newKey(), count: size.items, rowCount: size.rows)
      groups.append(Group(before: [block], after: [block]))
    }
  }

  /// Adds the items of consecutive modified leaves. Equal items at both ends become blocks.
  private mutating func finish(
    _ before: inout LeafRun, _ after: inout LeafRun, _ tree: ListTree,
    into groups: inout [Group]
  ) {
    let forced = tree.change.forcedItems
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
    addBlock(tree.size(of: before, 0..<head), to: &groups)
    let group = Group(
      before: tree.entries(of: before, head..<before.count - tail),
      after: tree.entries(of: after, head..<after.count - tail))
    if !group.before.isEmpty || !group.after.isEmpty { groups.append(group) }
    addBlock(tree.size(of: before, before.count - tail..<before.count), to: &groups)
    before = LeafRun()
    after = LeafRun()
  }

  /// Adds the entries of a section, which starts at the item and row `end`, and sets `end` to their
  /// end.
  private func add(
    _ groups: [Group], _ entries: KeyPath<Group, [Entry]>, from end: inout (item: Int, row: Int),
    to side: inout Side
  ) {
    side.reserve(groups.reduce(0) { $0 + $1[keyPath: entries].count })
    for group in groups {
      for entry in group[keyPath: entries] {
        side.add(entry, at: &end.item)
        end.row += entry.rowCount
      }
    }
    side.endSection()
  }

  private mutating func findDeselected(_ tree: ListTree) {
    for (index, section) in old.sections.enumerated() {
      for entry in Int(old.starts[index])..<Int(old.starts[index + 1]) {
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
    for other in Int(old.starts[section])..<entry where old.entries[other].record == nil {
      before += old.entries[other].count
    }
    // The leaves of a deleted section are in its tree until the change is finished.
    return tree.unmodifiedItems(
      ofSection: old.sections[section].section, before..<before + old.entries[entry].count)
  }
}

extension TreeComparison.Side {
  /// Returns the entries with the keys of their sections.
  func arrangement(of tree: ListTree) -> Arrangement {
    Arrangement(
      sections: sections.map { tree.sections[$0.section].key }, starts: starts,
      rows: entries.map(\.key))
  }

  /// The numbers of items of the entries.
  var itemCounts: [Int32] { entries.map { Int32(truncatingIfNeeded: $0.count) } }

  /// The numbers of rows of the list that the rows stand for.
  var rowCounts: [Int32] {
    guard let shown else { return itemCounts }
    return shown.keys.indices.map { Int32(truncatingIfNeeded: count(ofRow: $0)) }
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
