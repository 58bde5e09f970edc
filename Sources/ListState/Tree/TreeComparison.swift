import ListDiff

/// What a change of a tree has touched, as two short lists.
///
/// A row stands for one item of a leaf that was touched, or for all items between two of them, which
/// are the same on both sides. If the sections are the same ones in the same order, only those are
/// listed in which something was touched.
struct TreeComparison {
  struct Row {
    let key: UInt32
    private var items: Int32

    /// The item, if the row stands for one.
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
    /// By listed section its number, its index in the list, and the index of its first item.
    var sections: [(section: Int, index: Int, firstItem: Int)] = []

    /// By listed section the index of its first row, and at the end the number of rows.
    var starts: [Int32] = [0]
    var rows: [Row] = []

    /// By row the index of its first item in the list.
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

  /// The items that left the selection, by key, in their old order, each with its index before.
  fileprivate(set) var deselected: [(key: UInt32, item: Int, isDeleted: Bool)] = []

  /// Compares a tree with what it was before the change that is being made.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of leaves that were touched; if sections were
  ///   inserted, deleted or moved O(*s*) beside it.
  init(_ tree: ListTree, universe: Int) {
    self.universe = universe
    listsAll = tree.change.order != nil
    compare(tree)
    findDeselected(tree)
  }
}

extension TreeComparison {
  private mutating func compare(_ tree: ListTree) {
    var touched = tree.change.leaves.indices.map { saved in
      let leaf = tree.change.leaves[saved].leaf
      return TouchedLeaf(
        section: tree.section(ofLeaf: leaf), order: tree.forest.order(of: leaf), saved: saved)
    }
    touched.sort { ($0.section, $0.order) < ($1.section, $1.order) }
    var groups: [Int: [Group]] = [:]
    if let before = tree.change.order {
      for section in before {
        groups[section] = self.groups(of: section, touched.leaves(of: section), tree)
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
          ?? self.groups(of: section, touched.leaves(of: section), tree)
        first += add(groups, \.after, from: first, to: &side)
      }
      new = side
    } else {
      let listed = Set(touched.lazy.map(\.section)).union(tree.change.sections.keys).union(
        tree.change.forcedSections.keys.compactMap(tree.section(withKey:)))
      let sections = listed.map { ($0, tree.order.position(of: $0).before) }
        .sorted { $0.1.elements < $1.1.elements }
      var growth = 0
      for (section, position) in sections {
        let groups = self.groups(of: section, touched.leaves(of: section), tree)
        let firstOld = position.items - growth
        old.sections.append((section, position.elements, firstOld))
        new.sections.append((section, position.elements, position.items))
        let oldCount = add(groups, \.before, from: firstOld, to: &old)
        growth += add(groups, \.after, from: position.items, to: &new) - oldCount
      }
    }
  }

  /// What is between the touched leaves of a section, and in them, before and after the change.
  private struct Group {
    var before: [Row] = []
    var after: [Row] = []
  }

  private mutating func newKey() -> UInt32 {
    defer { universe += 1 }
    return UInt32(truncatingIfNeeded: universe)
  }

  private mutating func groups(
    of section: Int, _ leaves: ArraySlice<TouchedLeaf>, _ tree: ListTree
  ) -> [Group] {
    var groups: [Group] = []
    var next = 0
    var before = LeafRun()
    var after = LeafRun()
    for touched in leaves {
      let (leaf, saved) = tree.change.leaves[touched.saved]
      let start = tree.forest.position(of: leaf).before.items
      if start > next {
        finish(&before, &after, tree.change.forcedItems, into: &groups)
        addBlock(start - next, to: &groups)
      }
      before.append(saved)
      // The leaves of a deleted section are as they were.
      if !tree.sections[section].isDeleted { after.append(tree.leaves[leaf]) }
      next = start + tree.leaves[leaf].count
    }
    finish(&before, &after, tree.change.forcedItems, into: &groups)
    let count = tree.forest.sums(ofTree: section).items
    if count > next { addBlock(count - next, to: &groups) }
    return groups
  }

  /// Adds items that are the same on both sides.
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

  /// Adds the items of touched leaves that follow each other; those at both ends that are the same
  /// become blocks.
  private mutating func finish(
    _ before: inout LeafRun, _ after: inout LeafRun, _ forced: [UInt32: ContentChange],
    into groups: inout [Group]
  ) {
    let limit = min(before.count, after.count)
    var head = before.commonPrefix(with: after, limit)
    var tail = before.commonSuffix(with: after, limit - head)
    if !forced.isEmpty {
      // An item that is to be reported even if it is the same is not in a block.
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
  /// The items for which a row of an old section stands that are in no leaf that was touched.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items of the section.
  func records(ofBlock row: Int, inOldSection section: Int, _ tree: ListTree) -> [ItemRecord] {
    var before = 0
    for place in Int(old.starts[section])..<row where old.rows[place].record == nil {
      before += old.rows[place].count
    }
    // The leaves of a deleted section are in its tree until the change is finished.
    return tree.untouched(
      of: old.sections[section].section, before..<before + old.rows[row].count)
  }
}

extension TreeComparison.Side {
  /// The rows with the keys of their sections.
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

  /// The section and the row in it of an item, by its index in the list.
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

/// A leaf that a change has touched: its section, its order in that, and where it is saved.
private struct TouchedLeaf {
  var section: Int
  var order: UInt64
  var saved: Int
}

extension [TouchedLeaf] {
  /// The leaves of a section, of leaves that are sorted by section.
  ///
  /// - Complexity: O(log *k* + *m*), where *k* is the number of leaves and *m* that of the section's.
  fileprivate func leaves(of section: Int) -> ArraySlice<TouchedLeaf> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].section < section { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.section == section }
  }
}
