/// Longest and heaviest increasing subsequences, in tables kept from one call to the next.
struct IncreasingSubsequence {
  private var tails: [Int32] = []
  private var tailRuns: [Int32] = []
  private var predecessors: [Int32] = []
  private var ranks: [Int32] = []
  private var order: [Int32] = []
  private var tree: [HeaviestEnd] = []

  /// The indices chosen last, the last of them first.
  private(set) var chosen: [Int32] = []
  private(set) var searchSteps = 0

  /// Chooses the runs whose elements are a longest increasing subsequence of all elements.
  ///
  /// `values` are the first elements of the runs, each followed by consecutive ones; no two runs
  /// share an element, so that a longest subsequence has all of a run or nothing. Patience sorting
  /// (Fredman, "On computing the length of longest increasing subsequences", 1975) with one search
  /// a run, and none for a run above all before.
  ///
  /// - Complexity: O(*k* + *r* log *l*), where *k* is the number of elements, *r* of runs and *l* the
  ///   length found.
  mutating func chooseLongest(ofRuns values: [Int32], counts: [Int32], elements: Int) {
    chosen.removeAll(keepingCapacity: true)
    guard !values.isEmpty else { return }
    tails.reserve(elements)
    tailRuns.reserve(elements)
    predecessors.reserve(values.count)
    let last = Self.pile(
      values.span, counts.span, &tails, &tailRuns, &predecessors, steps: &searchSteps)
    collect(from: last)
  }

  /// Chooses all of `count`, which are in order.
  mutating func chooseAll(_ count: Int) {
    chosen.removeAll(keepingCapacity: true)
    for index in stride(from: Int32(truncatingIfNeeded: count) - 1, through: 0, by: -1) {
      chosen.append(index)
    }
  }

  /// Deals the runs on piles and returns the run on the last pile.
  private static func pile(
    _ values: Span<Int32>, _ counts: Span<Int32>, _ tails: inout [Int32],
    _ tailRuns: inout [Int32], _ predecessors: inout [Int32], steps: inout Int
  ) -> Int32 {
    var tails = tails.mutableSpan
    var tailRuns = tailRuns.mutableSpan
    var predecessors = predecessors.mutableSpan
    var length = 0
    var searched = 0
    for run in 0..<values.count {
      let value = values[run]
      var place = length
      if length > 0, tails[length - 1] > value {
        // A conditional move instead of a branch that nobody can predict.
        var rest = length
        place = 0
        while rest > 1 {
          let half = rest >> 1
          place = tails[place &+ half &- 1] < value ? place &+ half : place
          rest &-= half
          searched &+= 1
        }
      }
      let index = Int32(truncatingIfNeeded: run)
      predecessors[run] = place > 0 ? tailRuns[place - 1] : -1
      let count = Int(counts[run])
      if count == 1 {
        tails[place] = value
        tailRuns[place] = index
      } else {
        tails.countUp(from: value, in: place..<place + count)
        for pile in place..<place + count { tailRuns[pile] = index }
      }
      length = max(length, place + count)
    }
    steps += searched
    return tailRuns[length - 1]
  }

  private mutating func collect(from last: Int32) {
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
  mutating func chooseHeaviest(of values: [Int32], weights: [UInt128], universe: Int) {
    chosen.removeAll(keepingCapacity: true)
    guard !values.isEmpty else { return }
    rank(values, universe: universe)
    predecessors.reserve(values.count)
    tree.fill(values.count + 1, with: HeaviestEnd(weight: 0, index: -1))
    var best = HeaviestEnd(weight: 0, index: -1)
    for index in values.indices {
      let rank = Int(ranks[index])
      var below = HeaviestEnd(weight: 0, index: -1)
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
    collect(from: best.index)
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

/// The weight of the heaviest subsequence that ends at an index.
private struct HeaviestEnd {
  var weight: UInt128
  var index: Int32
}

extension [Int32] {
  /// Makes room for `count` elements, whatever they are.
  mutating func reserve(_ count: Int) {
    if self.count < count {
      append(
        contentsOf: repeatElement(0, count: Swift.max(count, self.count * 2) - self.count))
    }
  }
}
