/// Finds longest and heaviest increasing subsequences. Its tables are reused from one call to the
/// next.
struct IncreasingSubsequence {
  /// The tops of the piles as a set.
  private var tops: [UInt64] = []
  /// By top, the number of its pile, counted from 1.
  private var pilesByTop: [Int32] = []
  /// By pile, the run on top of it.
  private var runsByPile: [Int32] = []
  private var predecessors: [Int32] = []
  private var order: [Int32] = []
  private var tree: [HeaviestEnd] = []

  /// The indices chosen by the last call, in descending order.
  private(set) var chosen: [Int32] = []

  /// The number of search steps of all calls.
  private(set) var searchSteps = 0

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
  /// - Complexity: O(*k* log *k* / log 64), where *k* is the number of elements; O(*r* + *k* / 64)
  ///   for *r* runs all but a few of which are in order. O(*k*) if `home` has at most 4,096 rows.
  mutating func chooseLongest(
    of runs: [MatchedRun], home: Range<Int>, unless isStopped: () -> Bool
  ) {
    predecessors.reserve(runs.count)
    pilesByTop.reserve(home.count)
    runsByPile.reserve(home.count + 1)
    if home.count <= 4_096 {
      tops.fill((home.count + 63) / 64, with: 0)
      let last = Self.pileInWords(
        runs, home: home, tops: &tops, pilesByTop: &pilesByTop, runsByPile: &runsByPile,
        predecessors: &predecessors, steps: &searchSteps)
      collect(from: last, atMost: runs.count)
      return
    }
    let tree = WordTree(universe: home.count)
    tops.fill(tree.wordCount, with: 0)
    let last = Self.pileInTree(
      runs, home: home, tree: tree, tops: &tops, pilesByTop: &pilesByTop, runsByPile: &runsByPile,
      predecessors: &predecessors, steps: &searchSteps, isStopped: isStopped)
    collect(from: last, atMost: runs.count)
  }

  /// Sorts the runs into piles whose tops are in up to 64 words. Returns the run on top of the last
  /// pile.
  ///
  /// The nearest top above a number is in the word of the number or in the next word that is not
  /// empty.
  private static func pileInWords(
    _ runs: [MatchedRun], home: Range<Int>, tops: inout [UInt64], pilesByTop: inout [Int32],
    runsByPile: inout [Int32], predecessors: inout [Int32], steps: inout Int
  ) -> Int32 {
    let runs = runs.view
    var words = tops.mutableView
    var pilesByTop = pilesByTop.mutableView
    var runsByPile = runsByPile.mutableView
    var predecessors = predecessors.mutableView
    // Pile 0 is to the left of all others and stands for no run.
    runsByPile[0] = -1
    var filled: UInt64 = 0
    var searched = 0
    var top = -1
    var piles = 0
    for index in 0..<runs.count {
      let first = Int(runs[index].old) &- home.lowerBound
      let count = Int(runs[index].count)
      let end = first &+ count
      let word = first &>> 6
      var pile = piles
      if first > top {
        top = end &- 1
      } else {
        searched &+= 1
        let near = words[word] & ~0 &<< UInt64(truncatingIfNeeded: first)
        let later = filled & ~1 &<< UInt64(truncatingIfNeeded: word)
        var above = near != 0 ? word : later.trailingZeroBitCount
        var upper = near != 0 ? near : words[above]
        var covered = above &<< 6 | upper.trailingZeroBitCount
        pile = Int(pilesByTop[covered]) &- 1
        var left = words[above] ^ 1 &<< UInt64(truncatingIfNeeded: covered)
        words[above] = left
        filled ^= (left == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: above)
        if count == 1 {
          // The most frequent case: a row takes the place of the top.
          if covered == top { top = first }
          words[word] |= 1 &<< UInt64(truncatingIfNeeded: first)
          filled |= 1 &<< UInt64(truncatingIfNeeded: word)
          pilesByTop[first] = Int32(truncatingIfNeeded: pile &+ 1)
          predecessors[index] = runsByPile[pile]
          runsByPile[pile &+ 1] = Int32(truncatingIfNeeded: index)
          continue
        }
        // The elements of a run are put on adjacent piles.
        var rest = count
        while true {
          if covered == top {
            top = end &- 1
            break
          }
          rest &-= 1
          if rest == 0 { break }
          upper &= upper &- 1
          if upper == 0 {
            above = (filled & ~1 &<< UInt64(truncatingIfNeeded: above)).trailingZeroBitCount
            upper = words[above]
          }
          covered = above &<< 6 | upper.trailingZeroBitCount
          left = words[above] ^ 1 &<< UInt64(truncatingIfNeeded: covered)
          words[above] = left
          filled ^= (left == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: above)
        }
      }
      predecessors[index] = runsByPile[pile]
      for value in first..<end {
        pile &+= 1
        pilesByTop[value] = Int32(truncatingIfNeeded: pile)
      }
      var next = first
      repeat {
        let word = next &>> 6
        let limit = min(end, (word &+ 1) &<< 6)
        words[word] |=
          (~0 &<< UInt64(truncatingIfNeeded: next))
          & (~0 &>> UInt64(truncatingIfNeeded: 0 &- limit))
        filled |= 1 &<< UInt64(truncatingIfNeeded: word)
        next = limit
      } while next < end
      runsByPile[pile] = Int32(truncatingIfNeeded: index)
      piles = max(piles, pile)
    }
    steps &+= searched
    return runsByPile[piles]
  }

  /// Sorts the runs into piles whose tops are in a tree. Returns the run on top of the last pile.
  private static func pileInTree(
    _ runs: [MatchedRun], home: Range<Int>, tree: WordTree, tops: inout [UInt64],
    pilesByTop: inout [Int32], runsByPile: inout [Int32], predecessors: inout [Int32],
    steps: inout Int, isStopped: () -> Bool
  ) -> Int32 {
    let runs = runs.view
    var words = tops.mutableView
    var pilesByTop = pilesByTop.mutableView
    var runsByPile = runsByPile.mutableView
    var predecessors = predecessors.mutableView
    // Pile 0 is to the left of all others and stands for no run.
    runsByPile[0] = -1
    var searched = 0
    var top = -1
    var bottom = Int.max
    var piles = 0
    for index in 0..<runs.count {
      if index & 0xFFFF == 0xFFFF, isStopped() { break }
      let first = Int(runs[index].old) &- home.lowerBound
      let end = first &+ Int(runs[index].count)
      var pile = piles
      if first > top {
        if top < 0 { bottom = first }
        top = end &- 1
      } else {
        var covered = bottom
        if first < bottom {
          bottom = first
        } else {
          covered = tree.next(after: first, in: words, steps: &searched)
        }
        pile = Int(pilesByTop[covered]) &- 1
        // The elements of a run are put on adjacent piles.
        var rest = runs[index].count
        while true {
          tree.remove(covered, in: &words)
          if covered == top {
            top = end &- 1
            break
          }
          rest &-= 1
          if rest == 0 { break }
          covered = tree.next(after: covered, in: words, steps: &searched)
        }
      }
      predecessors[index] = runsByPile[pile]
      for value in first..<end {
        pile &+= 1
        pilesByTop[value] = Int32(truncatingIfNeeded: pile)
      }
      tree.insert(first..<end, in: &words)
      runsByPile[pile] = Int32(truncatingIfNeeded: index)
      piles = max(piles, pile)
    }
    steps &+= searched
    return runsByPile[piles]
  }

  /// Chooses all of `count` elements, which are in order.
  mutating func chooseAll(_ count: Int) {
    chosen.removeAll(keepingCapacity: true)
    for index in stride(from: Int32(truncatingIfNeeded: count) - 1, through: 0, by: -1) {
      chosen.append(index)
    }
  }

  /// Stores an index and its predecessors, at most `limit` of them, in `chosen`.
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
  /// Computes prefix maxima in a binary indexed tree (Fenwick, "A new data structure for cumulative
  /// frequency tables", 1994) over the ranks of the numbers, which must be distinct and below
  /// `universe`. Among equal weights, the one found first is chosen.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of numbers.
  mutating func chooseHeaviest(of values: [WeightedNumber], universe: Int) {
    chosen.removeAll(keepingCapacity: true)
    guard !values.isEmpty else { return }
    tree.fill(values.count + 1, with: HeaviestEnd(weight: KeepingWeight(), index: -1))
    rank(values, universe: universe)
    predecessors.reserve(values.count)
    var best = HeaviestEnd(weight: KeepingWeight(), index: -1)
    for index in values.indices {
      let rank = Int(tree[index].rank)
      var below = HeaviestEnd(weight: KeepingWeight(), index: -1)
      var node = rank - 1
      while node > 0 {
        if tree[node].weight > below.weight { below = tree[node] }
        node &= node - 1
        searchSteps += 1
      }
      predecessors[index] = below.index
      let weight = below.weight + values[index].weight
      if weight > best.weight {
        best.weight = weight
        best.index = Int32(truncatingIfNeeded: index)
      }
      node = rank
      while node <= values.count {
        if tree[node].weight < weight {
          tree[node].weight = weight
          tree[node].index = Int32(truncatingIfNeeded: index)
        }
        node += node & -node
        searchSteps += 1
      }
    }
    collect(from: best.index, atMost: values.count)
  }

  /// Stores in `tree` the rank of each number: how many numbers are not greater.
  private mutating func rank(_ values: [WeightedNumber], universe: Int) {
    if values.count <= 16 {
      for (index, value) in values.enumerated() {
        var rank: Int32 = 1
        for other in values where other.number < value.number { rank += 1 }
        tree[index].rank = rank
      }
    } else if universe > values.count * 16 {
      order.fill(values.count, with: 0)
      for index in order.indices { order[index] = Int32(truncatingIfNeeded: index) }
      order.sort { values[Int($0)].number < values[Int($1)].number }
      for (rank, index) in order.enumerated() {
        tree[Int(index)].rank = Int32(truncatingIfNeeded: rank + 1)
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

/// A number and the weight of choosing it.
struct WeightedNumber {
  var number: Int32
  var weight: KeepingWeight
}

/// The weight of keeping something in place: first the number of rows or sections, then two lesser
/// criteria.
///
/// Sums of up to 2³¹ weights do not overflow.
struct KeepingWeight: Comparable {
  /// The number of rows or sections that are kept in place.
  var count: UInt64 = 0
  /// The first lesser criterion in the upper half, the second in the lower half.
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

  /// Sets the first lesser criterion in the weight of a single element.
  mutating func addFirst() { lesser |= 1 << 32 }
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
