/// Finds the items of a snapshot that references name.
struct ItemIndex {
  private let keys: [UInt32]
  private let isRecorded: Bool

  /// The items by key. In a composite, by the keys that they have in the ordinary lists that they
  /// come from.
  private var index: KeyIndex?

  /// Whether the items come from other lists.
  private let isComposite: Bool

  /// For each original key and each list, by the key of its name, the items with that original key
  /// that come by way of that list.
  private var passing: [UInt32: [UInt32: [Int]]] = [:]

  /// Creates an index of a snapshot's items. A table is made only if `keyIndices` does not have the
  /// keys and there are enough references to look up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if a table is made; else O(1). In a
  ///   composite, an item counts once for each list on its path from an ordinary list.
  init(
    of snapshot: Snapshot, forReferences count: Int, isComposite: Bool,
    _ keyIndices: borrowing LastKeyIndices, _ ids: borrowing IDTable
  ) {
    keys = snapshot.arrangement.rows
    self.isComposite = isComposite
    isRecorded = !snapshot.arrangement.hasRepeats && keyIndices.isLastRecorded(snapshot.column)
    guard count > 8 else { return }
    if isComposite {
      var originals: [UInt32] = []
      originals.reserveCapacity(keys.count)
      for key in keys { originals.append(ids.original(key)) }
      index = KeyIndex(originals, hasRepeats: true, universe: ids.universe)
    } else if !isRecorded {
      index = KeyIndex(snapshot, universe: ids.universe)
    }
  }

  /// Whether items of a composite are found by their original keys.
  var isOfOriginals: Bool { isComposite && index != nil }

  /// Returns the `occurrence`-th item that has one of some keys.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of keys, if `keyIndices` has the keys; O(1)
  ///   with a table; else O(*n* + *k*), where *n* is the number of items.
  func item(_ wanted: [UInt32], occurrence: Int, _ keyIndices: borrowing LastKeyIndices) -> Int? {
    if isRecorded {
      var items: [Int] = []
      for key in wanted {
        if let item = keyIndices.index(of: key, in: keys) { items.append(item) }
      }
      items.sort()
      return occurrence < items.count ? items[occurrence] : nil
    }
    // An item of an ordinary list has one key.
    if let index, let key = wanted.first {
      return index.item(withKey: key, occurrence: occurrence)
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

  /// Returns the `occurrence`-th item with an original key. If `list`, the key of a list's name, is
  /// not `nil`, only items that come by way of that list count.
  ///
  /// - Complexity: O(1); for the first reference to a key and a list O(*w*), where *w* is the
  ///   number of lists on the paths of the items with the key.
  mutating func item(
    original key: UInt32, occurrence: Int, passing list: UInt32?, _ ids: borrowing IDTable
  ) -> Int? {
    guard let list else { return index?.item(withKey: key, occurrence: occurrence) }
    if passing[key] == nil {
      var byList: [UInt32: [Int]] = [:]
      for item in index?.items(withKey: key) ?? [] {
        var inner = keys[item]
        while let source = ids.source(of: inner) {
          byList[source.list, default: []].append(item)
          inner = source.key
        }
      }
      passing[key] = byList
    }
    guard let items = passing[key]?[list], occurrence < items.count else { return nil }
    return items[occurrence]
  }
}
