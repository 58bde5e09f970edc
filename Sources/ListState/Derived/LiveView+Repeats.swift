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

  /// Returns the key in the sources of an item of the view.
  func sourceKey(of key: UInt32) -> UInt32 { ofSources[key] ?? key }

  /// Gives items of the view other keys: a permutation.
  mutating func exchange(_ keys: [KeyChange]) {
    let sources = keys.map { (sourceKey(of: $0.old), $0.new) }
    for (source, key) in sources {
      ofView[source] = source == key ? nil : key
      ofSources[key] = source == key ? nil : source
    }
  }
}

extension LiveView {
  /// Returns the key in the sources of an item that the view had before the current change.
  func sourceKeyBefore(of key: UInt32) -> UInt32 { before.exchangedKeys.sourceKey(of: key) }

  /// Exchanges keys of items in the trees of the view, the sources included: a permutation.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of keys and *n* that of items; with
  ///   `distinct` O(*m*) more, where *m* is the number of items with the same values.
  mutating func exchange(_ keys: [KeyChange]) {
    exchangedKeys.exchange(keys)
    let newKeys = Dictionary(uniqueKeysWithValues: keys.map { ($0.old, $0.new) })
    if distinct != nil {
      let values = Set(keys.compactMap { distinctPosition(of: $0.old)?.value })
      for value in values { distinct!.replaceKeys(of: value) { newKeys[$0] ?? $0 } }
    }
    sources.exchange(keys, keepsSelection: definition.selectsInSources)
    all?.exchange(keys, keepsSelection: definition.selectsInSources)
    outline?.exchange(keys)
    anchor = anchor.map { newKeys[$0] ?? $0 }
    // Keys of the same items may be selected now, and others deselected.
    if definition.selectsInSources {
      marked = marked.filter { newKeys[$0] == nil } + keys.map(\.old)
    }
    noteTexts(keys.map(\.old))
    exchangeTexts(keys)
  }
}
