import ListDiff

/// The items that the leaves of a section get from a snapshot.
///
/// The leaves keep the items of the runs that stay in order. The other items of the snapshot arrive in the
/// leaf that has the items before them, or after them:
///
/// ```
///   old leaves:  | a  b  c  d | e  f  g  h |        runs: a b, d e f, h
///   new items:     a  b  x  d   e  f  h  y
///   slices:      | a  b  x  d | e  f  h  y |        arrived: x, y
/// ```
struct LeafSlices {
  struct Slice {
    /// The number of the leaf; `nil` if it has yet to be created.
    var leaf: Int?

    /// Its items in the snapshot.
    var items: Range<Int>

    /// Whether these are the items that it has had.
    var isWhole = false
  }

  private(set) var slices: [Slice] = []

  /// The leaves that get no items.
  private(set) var freed: [Int] = []

  /// The leaves whose items are not all in the same order in one slice.
  private(set) var torn: [Int] = []

  /// Items that come to another leaf, or may do so, in order. Each range is in one slice.
  private(set) var arrived: [Range<Int>] = []

  /// Slices items of a snapshot for leaves, whose old items begin at an index. `runs` are those of the
  /// items that are equal to old ones.
  init(
    _ items: Range<Int>, _ runs: ArraySlice<MatchedRun>, for leaves: [Int], from start: Int,
    in tree: ListTree
  ) {
    let end = leaves.reduce(start) { $0 + tree.leaves[$1].count }
    let chain = runs.longestChain(in: start..<end)
    addSlices(items, chain, leaves, from: start, in: tree)
    mergeAndSplit(tree)
    var next = items.lowerBound
    var rest: [Range<Int>] = []
    for run in chain {
      if next < run.new { rest.append(next..<Int(run.new)) }
      next = Int(run.newEnd)
    }
    if next < items.upperBound { rest.append(next..<items.upperBound) }
    addArrived(rest)
  }

  /// Adds a slice for each leaf.
  private mutating func addSlices(
    _ items: Range<Int>, _ chain: [MatchedRun], _ leaves: [Int], from start: Int, in tree: ListTree
  ) {
    if leaves.isEmpty, !items.isEmpty { slices.append(Slice(leaf: nil, items: items)) }
    var (first, firstNew) = (start, items.lowerBound)
    // The ends of the last run that ends in the present leaf or before it.
    var (lastEnd, lastNewEnd) = (start, items.lowerBound)
    var next = 0
    for leaf in leaves {
      let end = first + tree.leaves[leaf].count
      let around = next < chain.count ? chain[next] : MatchedRun()
      while next < chain.count, chain[next].oldEnd <= end {
        (lastEnd, lastNewEnd) = (Int(chain[next].oldEnd), Int(chain[next].newEnd))
        next += 1
      }
      let cut: Int
      if leaf == leaves.last {
        cut = items.upperBound
      } else if next < chain.count, chain[next].old < end {
        cut = Int(chain[next].new) + end - Int(chain[next].old)
      } else {
        let gapEnd = next < chain.count ? Int(chain[next].new) : items.upperBound
        cut = lastNewEnd + min(end - lastEnd, gapEnd - lastNewEnd)
      }
      let isWhole =
        around.old <= first && around.oldEnd >= end && cut - firstNew == end - first
        && firstNew - Int(around.new) == first - Int(around.old)
      if !isWhole { torn.append(leaf) }
      slices.append(Slice(leaf: leaf, items: firstNew..<cut, isWhole: isWhole))
      (first, firstNew) = (end, cut)
    }
  }

  /// Merges small slices, and splits large ones.
  private mutating func mergeAndSplit(_ tree: ListTree) {
    guard slices.contains(where: { $0.needsChange }) else { return }
    var result: [Slice] = []
    result.reserveCapacity(slices.count)
    for slice in slices {
      let count = slice.items.count
      if count == 0 {
        if let leaf = slice.leaf { freed.append(leaf) }
      } else if let last = result.last, min(count, last.items.count) < ItemLeaf.least,
        count + last.items.count <= ItemLeaf.capacity / 2
      {
        for merged in [last, slice] where merged.isWhole {
          if let leaf = merged.leaf { torn.append(leaf) }
        }
        if let leaf = slice.leaf { freed.append(leaf) }
        arrived.append(slice.items)
        let items = last.items.lowerBound..<slice.items.upperBound
        result[result.count - 1] = Slice(leaf: last.leaf, items: items)
      } else if count > ItemLeaf.capacity {
        let most = ItemLeaf.capacity * 3 / 4
        let width = (count + (count + most - 1) / most - 1) / ((count + most - 1) / most)
        for start in stride(from: slice.items.lowerBound, to: slice.items.upperBound, by: width) {
          let part = start..<min(start + width, slice.items.upperBound)
          let isFirst = start == slice.items.lowerBound
          if !isFirst { arrived.append(part) }
          result.append(Slice(leaf: isFirst ? slice.leaf : nil, items: part))
        }
      } else {
        result.append(slice)
      }
    }
    slices = result
  }

  /// Adds items that arrive, cut at the ends of slices.
  private mutating func addArrived(_ items: [Range<Int>]) {
    var slice = 0
    for var rest in items {
      while !rest.isEmpty {
        while slices[slice].items.upperBound <= rest.lowerBound { slice += 1 }
        let end = min(rest.upperBound, slices[slice].items.upperBound)
        arrived.append(rest.lowerBound..<end)
        rest = end..<rest.upperBound
      }
    }
  }
}

extension LeafSlices.Slice {
  /// Whether the slice is too small or too large for a leaf.
  fileprivate var needsChange: Bool {
    items.count < ItemLeaf.least || items.count > ItemLeaf.capacity
  }
}

extension ArraySlice<MatchedRun> {
  /// Returns the runs whose old items are in a range; if they are not in order, those in order that have
  /// the most items.
  fileprivate func longestChain(in items: Range<Int>) -> [MatchedRun] {
    let home = filter { items.contains(Int($0.old)) }
    let isSorted = zip(home, home.dropFirst()).allSatisfy { $0.old < $1.old }
    if isSorted { return home }
    let order = home.byOld
    var ranks = [Int32](repeating: 0, count: home.count)
    for (rank, index) in order.enumerated() { ranks[index] = Int32(truncatingIfNeeded: rank) }
    return heaviestIncreasing(ranks, weights: home.map { Int($0.count) }, universe: home.count)
      .map { home[$0] }
  }
}
