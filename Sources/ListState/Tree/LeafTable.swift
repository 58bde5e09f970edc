/// The leaf of the item with each key.
struct LeafTable: Sendable {
  /// The leaves of the keys that are less than the limit.
  private var dense = KeyPages()

  /// The leaves of larger keys.
  private var sparse: [UInt32: Int32] = [:]

  /// Creates an empty table.
  init() {}

  /// Creates an empty table for about `count` items whose keys are less than `universe`.
  init(count: Int, universe: Int) {
    if universe <= Self.bound(count) {
      dense.raise(to: universe)
      dense.reserve(min(count, universe))
    } else {
      sparse.reserveCapacity(count)
    }
  }

  /// Returns the maximum number of keys of a dense table for `count` items.
  private static func bound(_ count: Int) -> Int { count * 4 + 4096 }

  subscript(key: UInt32) -> Int? {
    let leaf = Int(key) < dense.limit ? dense[key] : sparse[key] ?? -1
    return leaf < 0 ? nil : Int(leaf)
  }

  /// Sets the leaf of a key, in a list of `count` items.
  ///
  /// - Complexity: O(1) amortized.
  mutating func set(_ leaf: Int, for key: UInt32, of count: Int) {
    if Int(key) >= dense.limit, sparse.isEmpty, Int(key) < Self.bound(count) {
      dense.raise(to: Int(key) + 1)
    }
    if Int(key) < dense.limit {
      dense[key] = Int32(truncatingIfNeeded: leaf)
    } else {
      sparse[key] = Int32(truncatingIfNeeded: leaf)
      if sparse.count & (sparse.count - 1) == 0 { makeDense(for: count) }
    }
  }

  /// Sets the leaf of several keys, in a list of `count` items.
  mutating func set(_ leaf: Int, forAll keys: ArraySlice<UInt32>, of count: Int) {
    if let largest = keys.max(), Int(largest) < dense.limit {
      dense.set(Int32(truncatingIfNeeded: leaf), forAll: keys)
    } else {
      for key in keys { set(leaf, for: key, of: count) }
    }
  }

  /// Makes the table dense if that takes less memory, as in a list that was empty when it got its first
  /// items.
  ///
  /// - Complexity: O(*k*), where *k* is the number of sparse keys.
  private mutating func makeDense(for count: Int) {
    guard let largest = sparse.keys.max(), Int(largest) < Self.bound(count) else { return }
    dense.raise(to: Int(largest) + 1)
    for (key, leaf) in sparse { dense[key] = leaf }
    sparse = [:]
  }

  mutating func remove(_ key: UInt32) {
    if Int(key) < dense.limit { dense[key] = -1 } else { sparse[key] = nil }
  }
}

extension LeafTable {
  /// Stops the program if an invariant is violated: a key has one entry, which is one of `leafCount`
  /// leaves, and there are `count` entries.
  ///
  /// - Complexity: O(*u*), where *u* is the number of keys of the table.
  func checkInvariants(count: Int, leafCount: Int) {
    precondition(
      sparse.keys.allSatisfy { Int($0) >= dense.limit }, "a key is in one of the two tables")
    let leaves = dense.numbers + sparse.values
    precondition(leaves.allSatisfy { (0..<leafCount).contains(Int($0)) }, "a key leads to a leaf")
    precondition(leaves.count == count, "the keys in the table are those of the items")
  }
}
