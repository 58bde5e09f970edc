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

  /// The item to which a window is to be anchored is not in the sources.
  case anchorNotFound

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

  /// The composite would be larger than one may be.
  case compositeTooLarge([UInt8], size: SnapshotSize, limit: SnapshotSize)

  /// There is no room for the identifiers.
  case overflow(IDOverflow)
}
