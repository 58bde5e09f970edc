/// Trees of items by their parents. Nothing here is recursive: a chain of all items is a tree, too.
struct OutlineForest {
  /// By item its parent, -1 for a root.
  private(set) var parents: [Int32]

  /// The items that are their own ancestors, which are made roots.
  private(set) var cyclic: [Int32] = []

  /// The trees of items with some parents.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(_ parents: [Int32]) {
    self.parents = parents
    // 1 on the way that is being followed, 2 if it is known where the item's ancestors end.
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

  /// Visits all ancestors of some items, each once, and the items themselves if wanted.
  ///
  /// - Complexity: O(*k* + *v*), where *k* is the number of items and *v* that of visits, and *n* bytes.
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

  /// Gives each of some items, of which all ancestors are among them, the rank of the best among itself
  /// and its descendants. Of no two items with ranks one is better that has the same score and length.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items, and *n* words.
  func spreadRanks(of items: [Int32], scores: inout [Int32], lengths: inout [Int32]) {
    var counts = [Int32](repeating: 0, count: parents.count)
    for item in items where parents[Int(item)] >= 0 { counts[Int(parents[Int(item)])] += 1 }
    for item in items {
      // An item is done when all of its children are.
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
