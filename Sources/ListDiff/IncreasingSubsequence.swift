/// Longest and heaviest increasing subsequences, in tables kept from one call to the next.
struct IncreasingSubsequence {
  private var tails: [UInt64] = []
  private var runsByLast: [Int32] = []
  private var tops: [Int32] = []
  private var runsOnTop: [Int32] = []
  private var predecessors: [Int32] = []
  private var ranks: [Int32] = []
  private var order: [Int32] = []
  private var tree: [HeaviestEnd] = []

  /// The indices chosen last, the last of them first.
  private(set) var chosen: [Int32] = []

  /// How many steps of searches were made so far.
  private(set) var searchSteps = 0

  /// Chooses the runs whose elements are a longest increasing subsequence of all elements.
  ///
  /// A run is `count` consecutive numbers from `old` on, within `home`; no two runs share one, so that a
  /// longest subsequence has all of a run or nothing. Patience sorting (Fredman, "On computing the
  /// length of longest increasing subsequences", 1975): of each pile just the top is known, in a
  /// set that is searched by value (Hunt and Szymanski, "A fast algorithm for computing longest
  /// common subsequences", 1977).
  ///
  /// - Complexity: O(*k* log *k* / log 64), where *k* is the number of elements; O(*r* + *k* / 64) for
  ///   *r* runs all but a few of which are in order. Of up to 4,096 elements O(*k* + *r* log *k*).
  mutating func chooseLongest(
    of runs: [MatchedRun], home: Range<Int>, unless isStopped: () -> Bool
  ) {
    predecessors.reserve(runs.count)
    // The tops of some piles are found sooner in an array, those of few in a word.
    if 64 < home.count, home.count <= 4_096 {
      tops.reserve(home.count)
      runsOnTop.reserve(home.count)
      let last = Self.deal(
        runs, &tops, &runsOnTop, &predecessors, steps: &searchSteps)
      collect(from: last, atMost: runs.count)
      return
    }
    let tree = WordTree(universe: home.count)
    tails.fill(tree.wordCount, with: 0)
    runsByLast.reserve(home.count)
    let last = Self.pile(
      runs, home, tree, &tails, &runsByLast, &predecessors, steps: &searchSteps, isStopped)
    collect(from: last, atMost: runs.count)
  }

  /// Deals the runs on piles whose tops are in an array, and returns the run on top of the last pile.
  private static func deal(
    _ runs: [MatchedRun], _ tops: inout [Int32], _ runsOnTop: inout [Int32],
    _ predecessors: inout [Int32], steps: inout Int
  ) -> Int32 {
    let runs = runs.view
    var tops = tops.mutableView
    var runsOnTop = runsOnTop.mutableView
    var predecessors = predecessors.mutableView
    var piles = 0
    var searched = 0
    for index in 0..<runs.count {
      let run = runs[index]
      // The first pile whose top is above the run.
      var first = piles
      if piles > 0, run.old < tops[piles &- 1] {
        first = 0
        // Without a branch on what is found, which is as good as chance.
        var length = piles
        while length > 1 {
          let half = length &>> 1
          first = tops[first &+ half &- 1] < run.old ? first &+ half : first
          length &-= half
          searched &+= 1
        }
      }
      predecessors[index] = first == 0 ? -1 : runsOnTop[first &- 1]
      // The elements of a run come on piles side by side.
      for offset in 0..<Int(run.count) {
        tops[first &+ offset] = run.old &+ Int32(truncatingIfNeeded: offset)
        runsOnTop[first &+ offset] = Int32(truncatingIfNeeded: index)
      }
      piles = max(piles, first &+ Int(run.count))
    }
    steps &+= searched
    return piles == 0 ? -1 : runsOnTop[piles &- 1]
  }

  /// Deals the runs on piles and returns the run on top of the last pile.
  private static func pile(
    _ runs: [MatchedRun], _ home: Range<Int>, _ tree: WordTree, _ tails: inout [UInt64],
    _ runsByLast: inout [Int32], _ predecessors: inout [Int32], steps: inout Int,
    _ isStopped: () -> Bool
  ) -> Int32 {
    let runs = runs.view
    var tails = tails.mutableView
    var runsByLast = runsByLast.mutableView
    var predecessors = predecessors.mutableView
    var searched = 0
    var top = -1
    var topRun: Int32 = -1
    var bottom = Int.max
    for index in 0..<runs.count {
      if index & 0xFFFF == 0xFFFF, isStopped() { break }
      let run = runs[index]
      let value = Int(run.old) &- home.lowerBound
      let end = value &+ Int(run.count)
      runsByLast[end &- 1] = Int32(truncatingIfNeeded: index)
      if value > top {
        predecessors[index] = topRun
        if top < 0 { bottom = value }
        top = end &- 1
        topRun = Int32(truncatingIfNeeded: index)
      } else {
        var covered = value
        if value < bottom {
          predecessors[index] = -1
          covered = bottom
          bottom = value
        } else {
          let neighbours = tree.neighbours(of: value, in: tails, &searched)
          predecessors[index] = runsByLast[neighbours.below]
          covered = neighbours.above
        }
        // The elements of a run come on piles side by side.
        var rest = run.count
        while true {
          tree.remove(covered, in: &tails)
          if covered == top {
            top = end &- 1
            topRun = Int32(truncatingIfNeeded: index)
            break
          }
          rest &-= 1
          if rest == 0 { break }
          covered = tree.next(after: covered, in: tails, &searched)
        }
      }
      tree.insert(value..<end, in: &tails)
    }
    steps &+= searched
    return topRun
  }

  /// Chooses all of `count`, which are in order.
  mutating func chooseAll(_ count: Int) {
    chosen.removeAll(keepingCapacity: true)
    for index in stride(from: Int32(truncatingIfNeeded: count) - 1, through: 0, by: -1) {
      chosen.append(index)
    }
  }

  /// Leaves in `chosen` an index and its predecessors, of which there are fewer than `limit`.
  private mutating func collect(from last: Int32, atMost limit: Int) {
    chosen.removeAll(keepingCapacity: true)
    let predecessors = predecessors
    chosen.append(addingCapacity: limit) { Self.follow(last, predecessors.view, into: &$0) }
  }

  private static func follow(
    _ last: Int32, _ predecessors: Span<Int32>, into chosen: inout OutputSpan<Int32>
  ) {
    var index = last
    while index >= 0 {
      chosen.append(index)
      index = predecessors[Int(index)]
    }
  }

  /// Chooses an increasing subsequence of the greatest weight.
  ///
  /// A prefix maximum in a tree of partial results (Fenwick, "A new data structure for cumulative
  /// frequency tables", 1994) over the ranks of the values, which differ and are below `universe`; of
  /// equal weights the one found first stands.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of values.
  mutating func chooseHeaviest(of values: [Int32], weights: [KeepingWeight], universe: Int) {
    chosen.removeAll(keepingCapacity: true)
    guard !values.isEmpty else { return }
    rank(values, universe: universe)
    predecessors.reserve(values.count)
    tree.fill(values.count + 1, with: HeaviestEnd(weight: KeepingWeight(), index: -1))
    var best = HeaviestEnd(weight: KeepingWeight(), index: -1)
    for index in values.indices {
      let rank = Int(ranks[index])
      var below = HeaviestEnd(weight: KeepingWeight(), index: -1)
      var node = rank - 1
      while node > 0 {
        if tree[node].weight > below.weight { below = tree[node] }
        node &= node - 1
        searchSteps += 1
      }
      predecessors[index] = below.index
      let end = HeaviestEnd(
        weight: below.weight + weights[index], index: Int32(truncatingIfNeeded: index))
      if end.weight > best.weight { best = end }
      node = rank
      while node <= values.count {
        if tree[node].weight < end.weight { tree[node] = end }
        node += node & -node
        searchSteps += 1
      }
    }
    collect(from: best.index, atMost: values.count)
  }

  /// Leaves in `ranks` how many values are at most as great as each.
  private mutating func rank(_ values: [Int32], universe: Int) {
    ranks.reserve(values.count)
    if universe > values.count * 16 {
      order.fill(values.count, with: 0)
      for index in order.indices { order[index] = Int32(truncatingIfNeeded: index) }
      order.sort { values[Int($0)] < values[Int($1)] }
      for (rank, index) in order.enumerated() {
        ranks[Int(index)] = Int32(truncatingIfNeeded: rank + 1)
      }
    } else {
      order.fill(universe, with: -1)
      for (index, value) in values.enumerated() {
        order[Int(value)] = Int32(truncatingIfNeeded: index)
      }
      var rank: Int32 = 0
      for index in order where index >= 0 {
        rank += 1
        ranks[Int(index)] = rank
      }
    }
  }
}

/// What it is worth that something does not move: first how much stays, then two lesser concerns.
///
/// Sums of up to 2³¹ weights do not overflow.
struct KeepingWeight: Comparable {
  /// How many rows or sections stay.
  var count: UInt64 = 0
  /// The first of the lesser concerns in the upper half, the second in the lower one.
  private var lesser: UInt64 = 0

  init(count: Int = 0, first: Bool = false, second: Bool = false) {
    self.count = UInt64(truncatingIfNeeded: count)
    lesser = (first ? 1 << 32 : 0) | (second ? 1 : 0)
  }

  static func + (a: KeepingWeight, b: KeepingWeight) -> KeepingWeight {
    var sum = a
    sum.count &+= b.count
    sum.lesser &+= b.lesser
    return sum
  }

  static func < (a: KeepingWeight, b: KeepingWeight) -> Bool {
    a.count == b.count ? a.lesser < b.lesser : a.count < b.count
  }

  /// Adds the first of the lesser concerns to a weight of one thing, unless it has it.
  mutating func addFirst() { lesser |= 1 << 32 }
}

/// The weight of the heaviest subsequence that ends at an index.
private struct HeaviestEnd {
  var weight: KeepingWeight
  var index: Int32
}

extension Array where Element: FixedWidthInteger {
  /// Makes room for `count` elements, whatever they are.
  mutating func reserve(_ count: Int) {
    if self.count < count {
      append(
        contentsOf: repeatElement(0, count: Swift.max(count, self.count * 2) - self.count))
    }
  }
}
