/// Where the items of a snapshot are, by key.
struct KeyIndex: Sendable {
  /// By key its first item, `-1` for none, where few keys are other lists'; else empty.
  private var places: [Int32] = []
  private var first: [UInt32: Int32] = [:]
  private var repeated: [UInt32: [Int]] = [:]

  /// The index of a snapshot's items, whose keys are below `universe`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(_ snapshot: Snapshot, universe: Int) {
    self.init(
      snapshot.arrangement.rows, hasRepeats: snapshot.arrangement.hasRepeats, universe: universe)
  }

  /// The index of items by their keys, which are below `universe` and of which some may repeat.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  init(_ keys: [UInt32], hasRepeats: Bool, universe: Int) {
    if universe <= keys.count * 4 + 4096 {
      places = Array(repeating: -1, count: universe)
    } else {
      first.reserveCapacity(keys.count)
    }
    for (item, key) in keys.enumerated() {
      if hasRepeats, let other = self.first(withKey: key) {
        repeated[key, default: [other]].append(item)
      } else if places.isEmpty {
        first[key] = Int32(truncatingIfNeeded: item)
      } else {
        places[Int(key)] = Int32(truncatingIfNeeded: item)
      }
    }
  }

  /// The items with a key, in order.
  func items(withKey key: UInt32) -> [Int] {
    repeated[key] ?? first(withKey: key).map { [$0] } ?? []
  }

  /// The `occurrence`-th item with a key.
  ///
  /// - Complexity: O(1).
  func item(withKey key: UInt32, occurrence: Int) -> Int? {
    guard let items = repeated[key] else { return occurrence == 0 ? first(withKey: key) : nil }
    return occurrence < items.count ? items[occurrence] : nil
  }

  private func first(withKey key: UInt32) -> Int? {
    if places.isEmpty { return first[key].map(Int.init) }
    guard Int(key) < places.count, places[Int(key)] >= 0 else { return nil }
    return Int(places[Int(key)])
  }
}
