import ListDiff

/// An item of the sources, as a view sorts it.
struct SortedItem {
  /// The section of the view that it is in, or will be in.
  var section: Int
  var sortKey: [UInt8]

  /// Its location in the sources.
  var location: ListTree.Location
}

extension LiveView {
  /// Inserts items into the tree of the view at their places. Returns the number of items that the view then
  /// has behind those of the tree.
  ///
  /// - Complexity: O(*k* log *k*) comparisons of sort keys and O(*k* log (*n* / *k*)) of items, where *k* is
  ///   the number of these items and *n* that of the items of the view.
  mutating func place(
    _ arriving: [SortedItem], in all: inout ListTree, _ change: inout ViewChange,
    _ ids: borrowing IDTable
  ) -> Int {
    let sources = sources
    let sorted =
      arriving.count < 2
      ? arriving
      : arriving.sorted { a, b in
        a.section == b.section ? sources.precedes(a, b) : a.section < b.section
      }
    var countBehind = behind?.count ?? 0
    var rest = sorted[...]
    while let section = rest.first?.section {
      let items = rest.prefix { $0.section == section }
      rest = rest[items.endIndex...]
      let present = all.forest.sums(ofTree: section).items
      _ = place(items, among: 0..<present, in: &all, &change, &countBehind, ids)
    }
    return countBehind
  }

  /// Inserts sorted items between some items of their section. Returns how many were inserted.
  ///
  /// Each half of the items is between the same items as the middle one and its neighbors, so that none is
  /// compared with items that the others have passed.
  private mutating func place(
    _ items: ArraySlice<SortedItem>, among present: Range<Int>, in all: inout ListTree,
    _ change: inout ViewChange, _ countBehind: inout Int, _ ids: borrowing IDTable
  ) -> Int {
    guard !items.isEmpty else { return 0 }
    let middle = (items.startIndex + items.endIndex) / 2
    let item = items[middle]
    var met: [ViewedItem] = []
    let range = range(ofLeafFor: item, among: present, all, &met, ids)
    let index = index(of: item, among: range, all, &met, ids)
    if rules.ranksItems { for item in met { rules.noteRank(of: item) } }
    let isBehindAll = countBehind > 0 && index == all.itemCount
    let before = place(
      items[..<middle], among: present.lowerBound..<index, in: &all, &change, &countBehind, ids)
    var inserted = before
    if isBehindAll {
      countBehind += 1
    } else {
      let source = sources.record(at: item.location)
      let own = record(of: source, in: &all)
      all.insert([own], at: all.location(forInsertionAt: index + before, in: item.section))
      change.inserted.append(source.key)
      change.touched.insert(item.section)
      inserted += 1
    }
    let rest = index + inserted..<present.upperBound + inserted
    return inserted
      + place(items[(middle + 1)...], among: rest, in: &all, &change, &countBehind, ids)
  }

  /// Returns the index, among some items of a section of the view, of the first one that an item precedes.
  /// Appends the items with which it was compared.
  private func index(
    of item: SortedItem, among present: Range<Int>, _ all: ListTree, _ met: inout [ViewedItem],
    _ ids: borrowing IDTable
  ) -> Int {
    func other(_ index: Int) -> ListTree.Location {
      sources.location(of: all.key(at: all.location(section: item.section, item: index)!))!
    }
    let notesRanks = rules.ranksItems
    return rules.index(ofSortKey: item.sortKey, among: present) {
      let other = viewed(at: other($0), ids)
      if notesRanks { met.append(other) }
      return other
    } isBehind: {
      sources.isBehind(item.location, other($0))
    }
  }
}

/// The sort keys of the first items of the leaves of a view's items, as far as they are known.
struct LeafSortKeys: Sendable {
  /// By leaf, the number of the change that has modified it last, and the key.
  private var entries: [(change: UInt32, key: [UInt8])?] = []

  /// Returns the key of a leaf's first item if it is known and the leaf has not been modified since.
  func key(ofLeaf leaf: Int, in tree: ListTree) -> [UInt8]? {
    guard leaf < entries.count, let entry = entries[leaf] else { return nil }
    return entry.change == tree.leaves[leaf].change ? entry.key : nil
  }

  /// Notes the key of a leaf's first item, unless the present change has modified the leaf and may do so again.
  mutating func note(_ key: [UInt8], ofLeaf leaf: Int, in tree: ListTree) {
    let change = tree.leaves[leaf].change
    if change == tree.change.number { return }
    while entries.count <= leaf { entries.append(nil) }
    entries[leaf] = (change, key)
  }
}

extension LiveView {
  /// Returns the range, among some items of a section of the view, of those between which an item belongs: those of
  /// a leaf, as far as they are among them. Most of the first items of leaves need not be read.
  ///
  /// - Complexity: O(log *m*) comparisons of sort keys, where *m* is the number of leaves.
  private mutating func range(
    ofLeafFor item: SortedItem, among present: Range<Int>, _ all: ListTree,
    _ met: inout [ViewedItem], _ ids: borrowing IDTable
  ) -> Range<Int> {
    if item.sortKey.isEmpty || present.count <= ItemLeaf.least { return present }
    var range = present
    func leaf(ofItem item: Int, _ section: Int) -> Int {
      all.forest.find(item, .items, inTree: section)!.before.elements
    }
    var low = leaf(ofItem: range.lowerBound, item.section)
    var high = leaf(ofItem: range.upperBound - 1, item.section)
    while low < high {
      let middle = (low + high + 1) / 2
      // A leaf without items is not the first one of its section that has the next item.
      let start = all.forest.find(middle, .elements, inTree: item.section)!.before.items
      let first = all.location(section: item.section, item: start)!
      let source = sources.location(of: all.key(at: first))!
      var key = sortKeys.key(ofLeaf: first.leaf, in: all)
      if key == nil {
        let other = viewed(at: source, ids)
        if rules.ranksItems { met.append(other) }
        key = rules.sortKey(of: other)
        sortKeys.note(key!, ofLeaf: first.leaf, in: all)
      }
      let other = SortedItem(section: item.section, sortKey: key!, location: source)
      if sources.precedes(item, other) {
        (range, high) = (range.lowerBound..<start, middle - 1)
      } else {
        (range, low) = (start..<range.upperBound, middle)
      }
    }
    return range
  }
}

extension ListTree {
  /// Returns whether an item of the sources precedes another one in a section of a view.
  func precedes(_ a: SortedItem, _ b: SortedItem) -> Bool {
    if a.sortKey != b.sortKey { return a.sortKey.lexicographicallyPrecedes(b.sortKey) }
    return isBehind(b.location, a.location)
  }

  /// Returns whether an item of the sources is behind another one.
  func isBehind(_ a: Location, _ b: Location) -> Bool {
    a.leaf == b.leaf ? a.index > b.index : index(of: a) > index(of: b)
  }
}
