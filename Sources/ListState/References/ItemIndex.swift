/// Finds the items of a snapshot that references name.
struct ItemIndex {
  private let keys: [UInt32]

  /// The keys that are recorded in ``ListStore/keyIndices``: those of the items or, in a composite, those
  /// that they have in the ordinary lists that they come from; `nil` if none are.
  private var recorded: [UInt32]?

  /// The items with a key that occurs again, by the first of them.
  private var repeated: [Int: [Int]] = [:]

  /// Whether items of a composite are found by their original keys.
  let isOfOriginals: Bool

  /// For each original key and each list, the items with that original key that come by way of that list.
  private var passing: [UInt32: [[UInt8]: [Int]]] = [:]

  /// Creates an index of a snapshot's items, which is valid until other keys are recorded in `keyIndices`.
  /// They are recorded there unless they are already, if there are enough references to look up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if keys are recorded; else O(1). In a
  ///   composite, an item counts once for each list on its path from an ordinary list.
  init(
    of snapshot: Snapshot, forReferences count: Int, isComposite: Bool,
    _ keyIndices: inout LastKeyIndices, _ ids: borrowing IDTable
  ) {
    keys = snapshot.arrangement.rows
    isOfOriginals = isComposite && count > 8
    if !isOfOriginals, !snapshot.arrangement.hasRepeats,
      keyIndices.isLastRecorded(snapshot.column)
    {
      recorded = keys
      return
    }
    guard count > 8 else { return }
    var recorded = keys
    if isComposite { for index in keys.indices { recorded[index] = ids.original(keys[index]) } }
    var repeated: [Int: [Int]] = [:]
    keyIndices.record(recorded) { repeated[$0, default: [$0]].append($1) }
    (self.recorded, self.repeated) = (recorded, repeated)
  }

  /// Returns the items with a recorded key, in order.
  private func items(
    withKey key: UInt32, _ keyIndices: borrowing LastKeyIndices
  ) -> [Int] {
    recorded.flatMap { keyIndices.index(of: key, in: $0) }.map { repeated[$0] ?? [$0] } ?? []
  }

  /// Returns the `occurrence`-th item that has one of some keys.
  ///
  /// - Complexity: O(1) for one key and O(*k* log *k*) for several, where *k* is the number of their items,
  ///   if the items' keys are recorded; else O(*n* + *k*), where *n* is the number of items and *k* that of
  ///   keys.
  func item(_ wanted: [UInt32], occurrence: Int, _ keyIndices: borrowing LastKeyIndices) -> Int? {
    if let recorded {
      if wanted.count == 1 {
        guard let first = keyIndices.index(of: wanted[0], in: recorded) else { return nil }
        guard let items = repeated[first] else { return occurrence == 0 ? first : nil }
        return occurrence < items.count ? items[occurrence] : nil
      }
      var items: [Int] = []
      for key in wanted { items += self.items(withKey: key, keyIndices) }
      items.sort()
      return occurrence < items.count ? items[occurrence] : nil
    }
    let several = wanted.count > 8 ? Set(wanted) : []
    var left = occurrence
    for (item, key) in keys.enumerated()
    where several.isEmpty ? wanted.contains(key) : several.contains(key) {
      if left == 0 { return item }
      left -= 1
    }
    return nil
  }

  /// Returns the `occurrence`-th item with an original key. If `list` is not `nil`, only items that come by way
  /// of that list count. `path` returns the lists by way of which the item with a key comes.
  ///
  /// - Complexity: O(1); for the first reference to a key and a list O(*w*), where *w* is the
  ///   number of lists on the paths of the items with the key.
  mutating func item(
    original key: UInt32, occurrence: Int, passing list: [UInt8]?,
    _ keyIndices: borrowing LastKeyIndices, path: (UInt32) -> [[UInt8]]
  ) -> Int? {
    guard let list else { return item([key], occurrence: occurrence, keyIndices) }
    if passing[key] == nil {
      var byList: [[UInt8]: [Int]] = [:]
      for item in items(withKey: key, keyIndices) {
        for list in path(keys[item]) { byList[list, default: []].append(item) }
      }
      passing[key] = byList
    }
    guard let items = passing[key]?[list], occurrence < items.count else { return nil }
    return items[occurrence]
  }
}
