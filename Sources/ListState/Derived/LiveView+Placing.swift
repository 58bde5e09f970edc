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
    let index = index(of: item, among: present, all, &met, ids)
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
    return rules.index(ofSortKey: item.sortKey, among: present) {
      let other = viewed(at: other($0), ids)
      met.append(other)
      return other
    } isBehind: {
      sources.isBehind(item.location, other($0))
    }
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
