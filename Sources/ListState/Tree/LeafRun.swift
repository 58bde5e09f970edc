/// The items of leaves that follow each other.
struct LeafRun {
  private var leaves: [ItemLeaf] = []
  private(set) var count = 0

  mutating func append(_ leaf: ItemLeaf) {
    leaves.append(leaf)
    count += leaf.count
  }

  /// Some of the items.
  func records(_ range: Range<Int>) -> [ItemRecord] {
    var records: [ItemRecord] = []
    records.reserveCapacity(range.count)
    var start = 0
    for leaf in leaves {
      let own = range.clamped(to: start..<start + leaf.count)
      for index in own { records.append(leaf[index - start]) }
      start += leaf.count
    }
    return records
  }

  /// The number of items at the start that are the same in another run, at most `limit`.
  ///
  /// - Complexity: O(*k*), where *k* is the result.
  func commonPrefix(with other: LeafRun, _ limit: Int) -> Int {
    var (place, otherPlace) = (Place(), Place())
    var count = 0
    while count < limit {
      place.leaveEnd(of: leaves)
      otherPlace.leaveEnd(of: other.leaves)
      let leaf = leaves[place.leaf]
      let otherLeaf = other.leaves[otherPlace.leaf]
      let most = min(
        limit - count, leaf.count - place.index, otherLeaf.count - otherPlace.index)
      let same = leaf.commonCount(
        at: place.index, otherLeaf, at: otherPlace.index, by: 1, most)
      count += same
      if same < most { break }
      place.index += most
      otherPlace.index += most
    }
    return count
  }

  /// As ``commonPrefix(with:_:)``, from the end.
  func commonSuffix(with other: LeafRun, _ limit: Int) -> Int {
    var (place, otherPlace) = (Place(endOf: leaves), Place(endOf: other.leaves))
    var count = 0
    while count < limit {
      place.leaveStart(of: leaves)
      otherPlace.leaveStart(of: other.leaves)
      let most = min(limit - count, place.index, otherPlace.index)
      let same = leaves[place.leaf].commonCount(
        at: place.index - 1, other.leaves[otherPlace.leaf], at: otherPlace.index - 1, by: -1, most)
      count += same
      if same < most { break }
      place.index -= most
      otherPlace.index -= most
    }
    return count
  }

  /// A place between two items.
  private struct Place {
    var leaf = 0
    var index = 0

    init() {}

    init(endOf leaves: [ItemLeaf]) {
      leaf = leaves.count - 1
      index = leaves.last?.count ?? 0
    }

    mutating func leaveEnd(of leaves: [ItemLeaf]) {
      while index == leaves[leaf].count { (leaf, index) = (leaf + 1, 0) }
    }

    mutating func leaveStart(of leaves: [ItemLeaf]) {
      while index == 0 { (leaf, index) = (leaf - 1, leaves[leaf - 1].count) }
    }
  }
}
