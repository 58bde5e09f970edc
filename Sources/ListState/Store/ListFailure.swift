/// Why a request cannot be performed. Nothing has changed.
package enum ListFailure: Error, Hashable, Sendable {
  case listNotFound([UInt8])
  case revisionNotFound([UInt8], revision: Int, oldest: Int, current: Int)
  case staleRevision([UInt8], base: Int, current: Int)

  /// Items do not exist, by the indices of their references in the request. `cursor`: the row for
  /// the cursor does not exist.
  case itemsNotFound([Int], cursor: Bool = false)

  /// The item to which a window is to be anchored is not in the sources.
  case anchorNotFound

  /// Items cannot be selected, by the indices of their references in the request.
  case notSelectable([Int])
  case sectionNotFound

  /// Items are not in the section that the request names, by the indices of their references.
  case itemsOutsideSection([Int])

  /// The request was cancelled before it changed anything.
  case cancelled

  /// The edit at an index of the request cannot be made.
  case edit(index: Int, EditFailure)

  /// The list is a composite of other lists.
  case readOnly([UInt8], sources: [[UInt8]])

  /// The lists would be sources of each other.
  case cycle([[UInt8]])

  /// There is an ordinary list with this name.
  case ordinaryList([UInt8])

  /// The composite would exceed the size limit.
  case compositeTooLarge([UInt8], size: SnapshotSize, limit: SnapshotSize)

  /// The identifier table is full.
  case overflow(IDOverflow)
}
