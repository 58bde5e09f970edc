/// Finds the items of a list's snapshot that references name.
struct ItemIndex {
  private let keys: [UInt32]
  private let isNoted: Bool

  /// The items by key; of a composite by the keys that they have in the ordinary lists that they come
  /// from.
  private var index: KeyIndex?

  /// Whether the items come from other lists.
  private let isComposite: Bool

  /// Of items with one original key those that pass each list, by the key of its name.
  private var passing: [UInt32: [UInt32: [Int]]] = [:]

  /// An index of a snapshot's items; a table is made only where the keys are not known to stand in
  /// `places`, and enough references are to be looked up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if a table is made; else O(1). Of a
  ///   composite the items count as often as there are lists on their ways.
  init(
    of snapshot: Snapshot, forReferences count: Int, isComposite: Bool,
    _ places: borrowing KeyPlaces, _ ids: borrowing IDTable
  ) {
    keys = snapshot.arrangement.rows
    self.isComposite = isComposite
    isNoted = !snapshot.arrangement.hasRepeats && places.hasNotedLast(snapshot.column)
    guard count > 8 else { return }
    if isComposite {
      var originals: [UInt32] = []
      originals.reserveCapacity(keys.count)
      for key in keys { originals.append(ids.original(key)) }
      index = KeyIndex(originals, hasRepeats: true, universe: ids.universe)
    } else if !isNoted {
      index = KeyIndex(snapshot, universe: ids.universe)
    }
  }

  /// Whether items of a composite are found by their original keys.
  var isOfOriginals: Bool { isComposite && index != nil }

  /// The `occurrence`-th item with one of some keys.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of keys, if the keys are noted; O(1) with
  ///   a table; else O(*n* + *k*), where *n* is the number of items.
  func item(_ wanted: [UInt32], occurrence: Int, _ places: borrowing KeyPlaces) -> Int? {
    if isNoted {
      var items: [Int] = []
      for key in wanted {
        if let item = places.place(of: key, in: keys) { items.append(item) }
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

  /// The `occurrence`-th item with an original key, of those that pass a list if one is named, by the
  /// key of its name.
  ///
  /// - Complexity: O(1); for the first reference to a key and a list O(*w*), where *w* is the number
  ///   of lists on the ways of the items with the key.
  mutating func item(
    original key: UInt32, occurrence: Int, passing list: UInt32?, _ ids: borrowing IDTable
  ) -> Int? {
    guard let list else { return index?.item(withKey: key, occurrence: occurrence) }
    if passing[key] == nil {
      var byList: [UInt32: [Int]] = [:]
      for item in index?.items(withKey: key) ?? [] {
        var way = keys[item]
        while let source = ids.source(of: way) {
          byList[source.list, default: []].append(item)
          way = source.key
        }
      }
      passing[key] = byList
    }
    guard let items = passing[key]?[list], occurrence < items.count else { return nil }
    return items[occurrence]
  }
}
