/// By key the leaf that holds the item with it.
struct LeafTable: Sendable {
  /// By key below its count the leaf, or -1.
  private var dense: [Int32] = []

  /// The leaves of larger keys.
  private var sparse: [UInt32: Int32] = [:]

  /// An empty table for about `count` items whose keys are below `universe`.
  init(count: Int, universe: Int) {
    if universe <= Self.bound(count) {
      dense.reserveCapacity(universe + universe / 16)
      dense.append(contentsOf: repeatElement(-1, count: universe))
    } else {
      sparse.reserveCapacity(count)
    }
  }

  /// How many keys a dense table for `count` items may have.
  private static func bound(_ count: Int) -> Int { count * 4 + 4096 }

  subscript(key: UInt32) -> Int? {
    let leaf = Int(key) < dense.count ? dense[Int(key)] : sparse[key] ?? -1
    return leaf < 0 ? nil : Int(leaf)
  }

  /// Notes the leaf of a key, in a list of `count` items.
  ///
  /// - Complexity: O(1) amortized.
  mutating func set(_ leaf: Int, for key: UInt32, of count: Int) {
    if Int(key) >= dense.count, sparse.isEmpty, Int(key) < Self.bound(count) {
      dense.append(contentsOf: repeatElement(-1, count: Int(key) + 1 - dense.count))
    }
    if Int(key) < dense.count {
      dense[Int(key)] = Int32(truncatingIfNeeded: leaf)
    } else {
      sparse[key] = Int32(truncatingIfNeeded: leaf)
    }
  }

  mutating func remove(_ key: UInt32) {
    if Int(key) < dense.count { dense[Int(key)] = -1 } else { sparse[key] = nil }
  }
}
