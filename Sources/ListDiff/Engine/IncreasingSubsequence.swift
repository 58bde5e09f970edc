/// Finds longest and heaviest increasing subsequences. Its memory is reused from one call to the next.
struct IncreasingSubsequence: ~Copyable {
  /// By index, the one before it in a subsequence, or ``chosen``; as half words. What else piles need follows.
  private var memory: [UInt64] = []
  private var order: [Int32] = []
  private var tree: [HeaviestEnd] = []

  /// The number of indices that the last call has chosen.
  private(set) var chosenCount = 0

  /// The number of search steps of all calls.
  private(set) var searchSteps = 0

  /// What ``marks`` has at the indices that the last call has chosen.
  static var chosen: Int32 { @_transparent get { .min } }

  /// By index, whether it was ``chosen`` by the last call.
  var marks: ArrayView<Int32> { @_lifetime(borrow self) borrowing get { memory.view.halves } }

  /// Returns whether the last call has chosen an index.
  func hasChosen(_ index: Int) -> Bool { marks[index] == Self.chosen }

  /// Chooses the runs of rows that stay in a section, whose old rows are `home`: those with the most of all
  /// their rows or, if there are `weights` of the old rows, with the greatest weight.
  mutating func chooseStationary(
    of runs: ArrayView<MatchedRun>, rows: Int, home: Range<Int>, weights: [Int32] = [],
    unless isStopped: (() -> Bool)? = nil
  ) {
    if weights.count == 0, runs.count * 64 >= rows {
      return chooseLongest(of: runs, home: home, unless: isStopped)
    }
    let numbers = runs.indices.map { index in
      let run = runs[index]
      let rows = Int(run.old)..<Int(run.old + run.count)
      let weight = weights.isEmpty ? rows.count : weights[rows].reduce(0) { $0 + Int($1) }
      return WeightedNumber(number: run.old, weight: KeepingWeight(count: weight))
    }
    chooseHeaviest(of: numbers, universe: home.upperBound)
  }

  /// Chooses the runs whose elements are a longest increasing subsequence, by comparing each run with all
  /// before it.
  ///
  /// - Complexity: O(*r*²), where *r* is the number of runs.
  mutating func chooseLongest(ofFew runs: ArrayView<MatchedRun>) {
    memory.reserve(runs.count)
    var numbers = memory.mutableView.halves
    var best: Int32 = 0
    var last = -1
    var index = 0
    while index < runs.count {
      // The heaviest subsequence that the run continues, and the run at its end.
      var weight: Int32 = 0
      var before = -1
      var other = 0
      while other < index {
        let found = numbers[runs.count &+ other]
        if found >= weight, runs[other].old < runs[index].old { (weight, before) = (found, other) }
        other &+= 1
      }
      weight &+= runs[index].count
      numbers[index] = Int32(truncatingIfNeeded: before)
      numbers[runs.count &+ index] = weight
      if weight >= best { (best, last) = (weight, index) }
      index &+= 1
    }
    markChosen(upTo: Int32(truncatingIfNeeded: last))
  }

  /// Chooses the runs whose elements are a longest increasing subsequence of all elements.
  ///
  /// A run is `count` consecutive numbers from `old` on, within `home`. No two runs share a number,
  /// so a longest subsequence contains either all of a run or nothing. Patience sorting (Fredman,
  /// "On computing the length of longest increasing subsequences", 1975) keeps the top of each pile
  /// in a set that is searched by value (Hunt and Szymanski, "A fast algorithm for computing longest
  /// common subsequences", 1977). The elements of a run are put on adjacent piles, beginning with
  /// the first pile whose top is greater:
  ///
  /// ```
  /// run        tops of the piles    weight of a heaviest subsequence that ends with the run
  /// [6 7]      6 7                  2
  /// [0 1 2]    0 1 2                3
  /// [8]        0 1 2 8              4, after [0 1 2]
  /// [3 4]      0 1 2 3 4            5, after [0 1 2]
  /// [9]        0 1 2 3 4 9          6, after [3 4]
  /// ```
  ///
  /// The predecessor of a run is the run on top of the pile to its left. Followed back from the top
  /// of the last pile, they are [9], [3 4] and [0 1 2].
  ///
  /// - Complexity: O(*k*), where *k* is the number of elements, up to 262,144 rows in `home`; as many times
  ///   as much for more. O(*r* + *k* / 64) for *r* runs all but a few of which are in order.
  private mutating func chooseLongest(
    of runs: ArrayView<MatchedRun>, home: Range<Int>, unless isStopped: (() -> Bool)?
  ) {
    let size = home.upperBound &- home.lowerBound
    memory.reserve((runs.count + 1) / 2 + size + 1 + PileTops.wordCount(size))
    let last = Self.pile(
      runs, home: home, memory: &memory, steps: &searchSteps, isStopped: isStopped)
    markChosen(upTo: last)
  }

  /// Sorts the runs into piles, the tops of which are a set, except that of the first pile. Returns the run on
  /// top of the last pile.
  private static func pile(
    _ runs: ArrayView<MatchedRun>, home: Range<Int>, memory: inout [UInt64], steps: inout Int,
    isStopped: (() -> Bool)?
  ) -> Int32 {
    let size = home.upperBound &- home.lowerBound
    let memory = memory.mutableView
    let numbers = memory.halves
    var predecessors = numbers.extracting(0..<runs.count)
    // By top, the number of its pile, counted from 1.
    var pilesByTop = numbers.extracting(runs.count..<runs.count + size)
    // By pile, the run on top of it.
    var runsByPile = numbers.extracting(runs.count + size..<runs.count + 2 * size + 1)
    let used = (runs.count + 1) / 2 + size + 1
    var tops = PileTops(words: memory.extracting(used..<memory.count), universe: size)
    // Pile 0 is to the left of all others and stands for no run.
    runsByPile[0] = -1
    precondition(size <= pilesByTop.count)
    var searched = 0
    // The first pile has the least top, the last one the greatest.
    var bottom = Int.max
    var top = -1
    var piles = 0
    var index = -1
    while index &+ 1 < runs.count {
      index &+= 1
      if index & 0xFFFF == 0xFFFF, let isStopped, isStopped() { break }
      let first = Int(runs[index].old) &- home.lowerBound
      let count = Int(runs[index].count)
      let last = first &+ count &- 1
      // The numbers in the set are those of earlier runs, so no access is outside of it.
      precondition(first >= 0 && last < size)
      var pile = 0
      var next = first
      // The number of tops to remove from the set.
      var rest = 0
      if first < bottom {
        if bottom >= top { top = last } else { rest = count &- 1 }
        bottom = first
        if count == 1 {
          let isSingle = top == first
          predecessors[index] = -1
          // More rows in reverse order are put on the same pile.
          while index &+ 1 < runs.count, runs[index &+ 1].count == 1,
            Int(runs[index &+ 1].old) &- home.lowerBound < bottom
          {
            index &+= 1
            bottom = Int(runs[index].old) &- home.lowerBound
            predecessors[index] = -1
          }
          if isSingle { top = bottom }
          runsByPile[1] = Int32(truncatingIfNeeded: index)
          piles = max(piles, 1)
          continue
        }
        next &+= 1
      } else if first > top {
        pile = piles
        top = last
      } else {
        searched &+= 1
        let covered = tops.nearest(above: first)
        pile = Int(pilesByTop[unchecked: covered]) &- 1
        if count == 1 {
          // The most frequent case: a row takes the place of the top.
          tops.replace(covered, by: first)
          if covered == top { top = first }
          pilesByTop[unchecked: first] = Int32(truncatingIfNeeded: pile &+ 1)
          predecessors[index] = runsByPile[pile]
          runsByPile[pile &+ 1] = Int32(truncatingIfNeeded: index)
          continue
        }
        rest = count
      }
      // The elements of a run are put on adjacent piles.
      while rest > 0 {
        let covered = tops.nearest(above: first)
        tops.remove(covered)
        rest &-= 1
        if covered == top {
          top = last
          rest = 0
        }
      }
      predecessors[index] = runsByPile[pile]
      pile &+= next &- first
      while next <= last {
        let word = next &>> 6
        let limit = min(last, word &<< 6 | 63)
        tops.insert(
          (~0 &<< UInt64(truncatingIfNeeded: next)) & (~0 &>> UInt64(truncatingIfNeeded: ~limit)),
          at: word)
        for value in next...limit {
          pile &+= 1
          pilesByTop[unchecked: value] = Int32(truncatingIfNeeded: pile)
        }
        next = limit &+ 1
      }
      runsByPile[pile] = Int32(truncatingIfNeeded: index)
      piles = max(piles, pile)
    }
    steps &+= searched
    return runsByPile[piles]
  }

  /// Marks an index and its predecessors as chosen.
  private mutating func markChosen(upTo last: Int32) {
    var numbers = memory.mutableView.halves
    var count = 0
    var index = Int(last)
    while index >= 0 {
      let next = Int(numbers[index])
      numbers[index] = Self.chosen
      index = next
      count &+= 1
    }
    chosenCount = count
  }

  /// Chooses an increasing subsequence of the greatest weight.
  ///
  /// Computes prefix maxima in a binary indexed tree (Fenwick, "A new data structure for cumulative
  /// frequency tables", 1994) over the ranks of the numbers, which must be distinct and below
  /// `universe`. Among equal weights, the one found first is chosen.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of numbers.
  mutating func chooseHeaviest(of values: [WeightedNumber], universe: Int) {
    chosenCount = 0
    guard !values.isEmpty else { return }
    tree = (0...values.count).map { _ in HeaviestEnd(weight: KeepingWeight(), index: -1) }
    rank(values, universe: universe)
    memory.reserve((values.count + 1) / 2)
    let last = Self.findHeaviest(
      values.view, tree: &tree, memory: &memory, steps: &searchSteps)
    markChosen(upTo: last)
  }

  /// Returns the index of the last number of a heaviest subsequence.
  private static func findHeaviest(
    _ values: ArrayView<WeightedNumber>, tree: inout [HeaviestEnd], memory: inout [UInt64],
    steps: inout Int
  ) -> Int32 {
    var tree = tree.mutableView
    var predecessors = memory.mutableView.halves
    var searched = 0
    var best = HeaviestEnd(weight: KeepingWeight(), index: -1)
    for index in 0..<values.count {
      let rank = Int(tree[index].rank)
      var below = HeaviestEnd(weight: KeepingWeight(), index: -1)
      var node = rank &- 1
      while node > 0 {
        if below.weight < tree[node].weight { below = tree[node] }
        node &= node &- 1
        searched &+= 1
      }
      predecessors[index] = below.index
      let weight = below.weight + values[index].weight
      if best.weight < weight {
        best.weight = weight
        best.index = Int32(truncatingIfNeeded: index)
      }
      node = rank
      while node <= values.count {
        if tree[node].weight < weight {
          tree[node].weight = weight
          tree[node].index = Int32(truncatingIfNeeded: index)
        }
        node &+= node & (0 &- node)
        searched &+= 1
      }
    }
    steps &+= searched
    return best.index
  }

  /// Stores in `tree` the rank of each number: how many numbers are not greater.
  private mutating func rank(_ values: [WeightedNumber], universe: Int) {
    if values.count <= 16 {
      for index in values.indices {
        var rank: Int32 = 1
        for value in values where value.number < values[index].number { rank &+= 1 }
        tree[index].rank = rank
      }
    } else if universe > values.count * 16 {
      var words = values.enumerated().map { UInt64($1.number) << 32 | UInt64($0) }
      words.sortWords()
      for (rank, word) in words.enumerated() {
        tree[Int(word & 0xFFFF_FFFF)].rank = Int32(truncatingIfNeeded: rank + 1)
      }
    } else {
      order.fill(universe, with: -1)
      for (index, value) in values.enumerated() {
        order[Int(value.number)] = Int32(truncatingIfNeeded: index)
      }
      var rank: Int32 = 0
      for index in order where index >= 0 {
        rank += 1
        tree[Int(index)].rank = rank
      }
    }
  }
}

/// A node of the tree: the weight of the heaviest subsequence below it, and the index of its last
/// number. The rank does not belong to it, but to the number whose index is that of the node.
private struct HeaviestEnd {
  var weight: KeepingWeight
  var index: Int32
  var rank: Int32 = 0
}

extension Array where Element: FixedWidthInteger {
  /// Makes sure that the array has at least `count` elements; their values are unspecified.
  mutating func reserve(_ count: Int) {
    if self.count < count {
      let more = Swift.max(count, self.count * 2) - self.count
      append(addingCapacity: more) { $0.append(repeating: 0, count: more) }
    }
  }
}
