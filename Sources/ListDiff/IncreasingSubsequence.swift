/// Longest and heaviest increasing subsequences, in tables kept from one call to the next.
struct IncreasingSubsequence {
  private var tails: [Int32] = []
  private var tailIndices: [Int32] = []
  private var predecessors: [Int32] = []
  private var order: [Int32] = []
  private var tree: [HeaviestEnd] = []
  private(set) var chosen: [Int32] = []
  private(set) var searchSteps = 0

  /// Leaves in `chosen` the indices of a longest increasing subsequence, last first.
  ///
  /// Patience sorting (Fredman, "On computing the length of longest increasing subsequences", 1975)
  /// with the two common cases, a value above all and one that replaces the last, before the search.
  ///
  /// - Complexity: O(*k* log *l*), where *k* is the number of values and *l* the length found;
  ///   O(*k*) where all but a few are in order.
  mutating func chooseLongest(of values: [Int32]) {
    chosen.removeAll(keepingCapacity: true)
    tails.removeAll(keepingCapacity: true)
    tailIndices.removeAll(keepingCapacity: true)
    predecessors.fill(values.count, with: -1)
    guard !values.isEmpty else { return }
    for index in values.indices {
      let value = values[index]
      let length = tails.count
      if length == 0 || tails[length - 1] < value {
        predecessors[index] = length == 0 ? -1 : tailIndices[length - 1]
        tails.append(value)
        tailIndices.append(Int32(truncatingIfNeeded: index))
        continue
      }
      var place = length - 1
      if place > 0, tails[place - 1] > value { place = firstTail(above: value, before: place) }
      tails[place] = value
      tailIndices[place] = Int32(truncatingIfNeeded: index)
      if place > 0 { predecessors[index] = tailIndices[place - 1] }
    }
    var index = tailIndices[tailIndices.count - 1]
    while index >= 0 {
      chosen.append(index)
      index = predecessors[Int(index)]
    }
  }

  /// The place of the first of the first `count` tails that is above `value`; there is one.
  private mutating func firstTail(above value: Int32, before count: Int) -> Int {
    var base = 0
    var length = count
    var steps = 0
    while length > 1 {
      let half = length / 2
      // A conditional move instead of a branch that nobody can predict.
      base = tails[base + half - 1] < value ? base + half : base
      length -= half
      steps += 1
    }
    searchSteps += steps
    return base
  }

  /// Leaves in `chosen` the indices of an increasing subsequence of the greatest weight, last first.
  ///
  /// A prefix maximum in a tree of partial results (Fenwick, "A new data structure for cumulative
  /// frequency tables", 1994) over the ranks of the values. The values differ; of equal weights the
  /// one found first stands.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of values.
  mutating func chooseHeaviest(of values: [Int32], weights: [Int]) {
    chosen.removeAll(keepingCapacity: true)
    guard !values.isEmpty else { return }
    order.fill(values.count, with: 0)
    for index in order.indices { order[index] = Int32(truncatingIfNeeded: index) }
    order.sort { values[Int($0)] < values[Int($1)] }
    // From the order by value to the rank of each value, counted from one as the tree needs it.
    var ranks = tails
    ranks.fill(values.count, with: 0)
    for (rank, index) in order.enumerated() {
      ranks[Int(index)] = Int32(truncatingIfNeeded: rank + 1)
    }
    predecessors.fill(values.count, with: -1)
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
    tails = ranks
    var index = best.index
    while index >= 0 {
      chosen.append(index)
      index = predecessors[Int(index)]
    }
  }
}

/// The weight of the heaviest subsequence that ends at an index.
private struct HeaviestEnd {
  var weight: Int
  var index: Int32
}
