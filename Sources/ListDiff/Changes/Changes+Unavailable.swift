// Calls that look right, for which the compiler says what to write instead.

extension Changes {
  /// Items that cannot be compared have no change.
  @available(*, unavailable, message: "make items Identifiable and Equatable, or pass sameContent:")
  @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element { preconditionFailure() }

  /// Items whose contents cannot be compared have no change.
  @available(*, unavailable, message: "make the items Equatable, or pass sameContent:, too")
  @_disfavoredOverload
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, moves: Bool = true, id: (Old.Element) -> ID
  ) where Old.Element == New.Element { preconditionFailure() }

  /// A flat list has no sections.
  @available(*, unavailable, message: "these are not sections; call Changes(from:to:) with items")
  @_disfavoredOverload
  public init<Item>(fromSections old: [Item], to new: [Item], moves: Bool = true) {
    preconditionFailure()
  }
}
