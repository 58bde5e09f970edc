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

/// Where the items of a snapshot are, for as many references as a request has.
struct ItemIndex {
  private let keys: [UInt32]
  private var places: [UInt32: [Int]]?

  /// An index of a snapshot's items, made only where enough references are to be looked up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if there are many references; else O(1).
  init(of snapshot: Snapshot, forReferences count: Int) {
    keys = snapshot.arrangement.rows
    guard count > 8 else { return }
    var places: [UInt32: [Int]] = [:]
    for (item, key) in keys.enumerated() { places[key, default: []].append(item) }
    self.places = places
  }

  /// The `occurrence`-th item with one of some keys.
  ///
  /// - Complexity: O(*n*) without a table, where *n* is the number of items.
  func item(_ wanted: [UInt32], occurrence: Int) -> Int? {
    if let places {
      let items = wanted.flatMap { places[$0] ?? [] }.sorted()
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
