/// An index of a snapshot's items by key.
struct KeyIndex: Sendable {
  /// The first item with each key, -1 if there is none. Empty if most keys belong to other lists;
  /// then `sparse` is used.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int32] = [:]
  private var repeated: [UInt32: [Int]] = [:]

  /// Creates the index of a snapshot's items. All keys are less than `universe`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(_ snapshot: Snapshot, universe: Int) {
    self.init(
      snapshot.arrangement.rows, hasRepeats: snapshot.arrangement.hasRepeats, universe: universe)
  }

  /// Creates the index of items by their keys, which are less than `universe` and may repeat if
  /// `hasRepeats`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  init(_ keys: [UInt32], hasRepeats: Bool, universe: Int) {
    if universe <= keys.count * 4 + 4096 {
      dense = Array(repeating: -1, count: universe)
    } else {
      sparse.reserveCapacity(keys.count)
    }
    for (item, key) in keys.enumerated() {
      if hasRepeats, let other = self.first(withKey: key) {
        repeated[key, default: [other]].append(item)
      } else if dense.isEmpty {
        sparse[key] = Int32(truncatingIfNeeded: item)
      } else {
        dense[Int(key)] = Int32(truncatingIfNeeded: item)
      }
    }
    #if DEBUG
      checkInvariants(of: keys)
    #endif
  }

  /// Returns the items with a key, in order.
  func items(withKey key: UInt32) -> [Int] {
    repeated[key] ?? first(withKey: key).map { [$0] } ?? []
  }

  /// Returns the `occurrence`-th item with a key.
  ///
  /// - Complexity: O(1).
  func item(withKey key: UInt32, occurrence: Int) -> Int? {
    guard let items = repeated[key] else { return occurrence == 0 ? first(withKey: key) : nil }
    return occurrence < items.count ? items[occurrence] : nil
  }

  private func first(withKey key: UInt32) -> Int? {
    if dense.isEmpty { return sparse[key].map(Int.init) }
    guard Int(key) < dense.count, dense[Int(key)] >= 0 else { return nil }
    return Int(dense[Int(key)])
  }
}

extension KeyIndex {
  /// Stops the program if the index is not that of some keys: each item is found by its key, once,
  /// and in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  func checkInvariants(of keys: [UInt32]) {
    var count = 0
    for key in Set(keys) {
      let items = items(withKey: key)
      precondition(items.allSatisfy { keys[$0] == key }, "an item has the key that leads to it")
      precondition(
        zip(items, items.dropFirst()).allSatisfy { $0 < $1 }, "items with a key are in order")
      count += items.count
    }
    precondition(count == keys.count, "each item is found by its key")
    precondition(
      dense.isEmpty ? sparse.count <= keys.count : dense.count { $0 >= 0 } <= keys.count,
      "no other key leads to an item")
  }
}
