import ListDiff

/// The keys of a view's items that repeat, if they differ from those of the sources, in both
/// directions.
///
/// The items of a view may be in another order than those of the sources. Items with the same identity
/// then exchange keys in the view alone, so that its changes are small.
struct ExchangedKeys: Sendable {
  private var ofSources: [UInt32: UInt32] = [:]
  private var ofView: [UInt32: UInt32] = [:]

  var isEmpty: Bool { ofView.isEmpty }

  /// Returns the key in the view of an item of the sources.
  func viewKey(of source: UInt32) -> UInt32 { ofView[source] ?? source }

  /// Gives items of the view other keys: a permutation.
  mutating func exchange(_ keys: [UInt32: UInt32]) {
    let sources = keys.map { (ofSources[$0] ?? $0, $1) }
    for (source, key) in sources {
      ofView[source] = source == key ? nil : key
      ofSources[key] = source == key ? nil : source
    }
  }
}

extension LiveView {
  /// Exchanges keys of items in the trees of the view, the sources included: a permutation.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of keys and *n* that of items; with
  ///   `distinct` O(*m*) more, where *m* is the number of items with the same values.
  mutating func exchange(_ keys: [UInt32: UInt32]) {
    exchangedKeys.exchange(keys)
    if distinct != nil {
      let values = Set(keys.keys.compactMap { distinctPosition(of: $0)?.value })
      for value in values { distinct!.replaceKeys(of: value) { keys[$0] ?? $0 } }
    }
    sources.exchange(keys, keepsSelection: definition.selectsInSources)
    all?.exchange(keys, keepsSelection: definition.selectsInSources)
    anchor = anchor.map { keys[$0] ?? $0 }
    // Keys of the same items may be selected now, and others deselected.
    if definition.selectsInSources {
      marked = marked.filter { keys[$0] == nil } + keys.keys
    }
    noteTexts(keys.keys)
    let numbers = keys.map { ($1, texts[$0]) }
    for (key, number) in numbers {
      if let number {
        texts.set(number, for: key, of: sources.itemCount)
      } else {
        texts.remove(key)
      }
    }
  }
}

extension ListTree {
  /// Completes keys that items get to a permutation of the keys of each identity, by the present keys.
  func permutation(of pairs: [(at: Location, key: UInt32)]) -> [UInt32: UInt32] {
    var keys: [UInt32: UInt32] = [:]
    for (location, key) in pairs { keys[record(at: location).key] = key }
    let taken = Set(keys.values)
    var free: [UInt32: [UInt32]] = [:]
    for key in keys.keys where !taken.contains(key) {
      free[identity(of: key), default: []].append(key)
    }
    for key in taken where keys[key] == nil { keys[key] = free[identity(of: key)]!.removeLast() }
    return keys
  }

  /// Exchanges keys of items, of which the tree may have some. The selection goes with the keys, unless
  /// it `keepsSelection` of each item.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of keys.
  mutating func exchange(_ keys: [UInt32: UInt32], keepsSelection: Bool) {
    var items: [(at: Location, key: UInt32)] = []
    for (old, new) in keys {
      if let location = location(of: old) { items.append((location, new)) }
    }
    let selected = items.map { record(at: $0.at).traits.contains(.selected) }
    setKeys(items)
    guard keepsSelection else { return }
    for (item, isSelected) in zip(items, selected) { setSelected(isSelected, at: item.at) }
  }
}
