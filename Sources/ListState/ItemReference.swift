import ListDiff

/// How a request names an item: by identifier, or by the place of one of its rows.
package enum ItemReference: Hashable, Sendable {
  /// The `occurrence`-th item with a key, of those that came by way of the list `source`; the key
  /// is `nil` where no list has the identifier.
  case id(UInt32?, occurrence: Int, source: [UInt8]?)

  /// The item at a place in a revision, or in the current one.
  case path(section: Int, row: Int, revision: Int?)
}

/// Why lists could not do what was asked; nothing has changed.
package enum ListFailure: Error, Hashable, Sendable {
  case listNotFound([UInt8])
  case revisionNotFound([UInt8], revision: Int, oldest: Int, current: Int)
  case staleRevision([UInt8], base: Int, current: Int)

  /// The items at these places of the request's references are not in the list, or the row that the
  /// cursor is to be on.
  case itemsNotFound([Int], cursor: Bool = false)

  /// The items at these places of the request's references cannot be selected.
  case notSelectable([Int])
  case sectionNotFound

  /// The items at these places of the request's references are not in the section that it names.
  case itemsOutsideSection([Int])

  /// The request was cancelled in time.
  case cancelled

  /// The edit at this place cannot be made.
  case edit(index: Int, EditFailure)

  /// The list is made of others.
  case readOnly([UInt8], sources: [[UInt8]])

  /// The lists would be made of each other.
  case cycle([[UInt8]])

  /// An ordinary list has the name.
  case ordinaryList([UInt8])

  /// There is no room for the identifiers.
  case overflow(IDOverflow)
}

/// Finds the items of a snapshot that references name.
struct ItemIndex {
  private let keys: [UInt32]
  private let isNoted: Bool
  private var index: KeyIndex?

  /// An index of a snapshot's items; a table is made only where the keys are not known to stand in
  /// `places`, and enough references are to be looked up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if a table is made; else O(1).
  init(
    of snapshot: Snapshot, forReferences count: Int, _ places: borrowing KeyPlaces, universe: Int
  ) {
    keys = snapshot.arrangement.rows
    isNoted = !snapshot.arrangement.hasRepeats && places.hasNotedLast(snapshot.column)
    if !isNoted, count > 8 { index = KeyIndex(snapshot, universe: universe) }
  }

  /// The `occurrence`-th item with one of some keys.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys and of items that have them; O(*n*)
  ///   without a table, where *n* is the number of items.
  func item(_ wanted: [UInt32], occurrence: Int, _ places: borrowing KeyPlaces) -> Int? {
    if isNoted || index != nil {
      var items: [Int] = []
      for key in wanted {
        if let index {
          items += index.items(withKey: key)
        } else if let item = places.place(of: key, in: keys) {
          items.append(item)
        }
      }
      items.sort()
      return occurrence < items.count ? items[occurrence] : nil
    }
    var left = occurrence
    for (item, key) in keys.enumerated() where wanted.contains(key) {
      if left == 0 { return item }
      left -= 1
    }
    return nil
  }
}
