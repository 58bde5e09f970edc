/// The trees of items, by their parents. Nothing here is recursive, because all items may be one
/// chain.
struct OutlineForest {
  /// The parent of each item; -1 for a root.
  private(set) var parents: [Int32]

  /// The items that are their own ancestors, all of which become roots.
  private(set) var cyclic: [Int32] = []

  /// Creates the trees of items with some parents, and removes cycles.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(_ parents: [Int32]) {
    self.parents = parents
    // 1 for items on the current path; 2 if the end of the item's ancestors is known.
    var states = [UInt8](repeating: 0, count: parents.count)
    for start in parents.indices where states[start] == 0 {
      var item = start
      while item >= 0, states[item] == 0 {
        states[item] = 1
        item = Int(self.parents[item])
      }
      if item >= 0, states[item] == 1 {
        var next = item
        repeat {
          cyclic.append(Int32(truncatingIfNeeded: next))
          states[next] = 2
          let parent = Int(self.parents[next])
          self.parents[next] = -1
          next = parent
        } while next != item
      }
      item = start
      while item >= 0, states[item] == 1 {
        states[item] = 2
        item = Int(self.parents[item])
      }
    }
  }

  /// Visits all ancestors of some items, each once; if `andSelf`, also the items themselves.
  ///
  /// - Complexity: O(*k* + *v*), where *k* is the number of items and *v* that of visited items.
  ///   Uses *n* bytes, where *n* is the number of all items.
  func forEachAncestor(of items: [Int32], andSelf: Bool, _ visit: (Int) -> Void) {
    var isVisited = [Bool](repeating: false, count: parents.count)
    for item in items {
      var next = andSelf ? Int(item) : Int(parents[Int(item)])
      while next >= 0, !isVisited[next] {
        isVisited[next] = true
        visit(next)
        next = Int(parents[next])
      }
    }
  }

  /// Gives each of some items the best rank among itself and its descendants. All ancestors of the
  /// items are among the items. The higher of two scores is better, then the smaller length.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items. Uses *n* words, where *n* is the
  ///   number of all items.
  func spreadRanks(of items: [Int32], scores: inout [Int32], lengths: inout [Int32]) {
    var counts = [Int32](repeating: 0, count: parents.count)
    for item in items where parents[Int(item)] >= 0 { counts[Int(parents[Int(item)])] += 1 }
    for item in items {
      // An item is complete when all of its children are.
      var next = Int(item)
      while counts[next] == 0 {
        counts[next] = -1
        let parent = Int(parents[next])
        guard parent >= 0 else { break }
        if (scores[next], -lengths[next]) > (scores[parent], -lengths[parent]) {
          scores[parent] = scores[next]
          lengths[parent] = lengths[next]
        }
        counts[parent] -= 1
        next = parent
      }
    }
  }
}
