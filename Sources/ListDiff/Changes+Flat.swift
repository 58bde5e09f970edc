extension Changes {
  /// Finds the change from one flat list to another.
  ///
  /// Items are the same where their `id` is, and changed where they are not equal.
  ///
  /// ```swift
  /// let mails = Changes(from: old, to: new)
  /// ```
  ///
  /// The moves are the fewest there can be where no `id` repeats: what stays is a longest
  /// increasing subsequence of the old places (Fredman, "On computing the length of longest
  /// increasing subsequences", 1975). Where some do, a common subsequence is looked for first
  /// (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004, in a band of 64 columns), so
  /// that few items move; and there are never more deletes, inserts and moves of rows than pairing
  /// the first with the first, the second with the second and so on would take. With `moves` false,
  /// what would move is deleted and inserted instead.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order; O(*n* log *n*) where ids repeat among
  ///   what differs. Each `id` is compared a few times and hashed at most once, none at all where
  ///   comparing neighbours pairs all items of a list; a few times where ids repeat or hashes
  ///   collide.
  @inlinable @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Identifiable & Equatable {
    self.init(from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one flat list to another, of values that are their own identity.
  ///
  /// ```swift
  /// let numbers = Changes(from: [1, 2], to: [2, 1])
  /// let letters = Changes(from: "listen", to: "silent")
  /// ```
  ///
  /// Nothing is updated: a value that differs is another one. All else is as `init(from:to:moves:)`
  /// says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`.
  @inlinable @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Hashable {
    self.init(from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, by: ValueRule())
  }

  /// Finds the change from one flat list to another, of items with an identity that are hashable, too.
  ///
  /// Items are the same where their `id` is, and changed where they are not equal.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`.
  @inlinable @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Identifiable & Hashable {
    self.init(from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one flat list to another, with a closure for the content.
  ///
  /// `sameContent` is called with an old and a new item of the same `id`; so items need not be
  /// `Equatable`.
  ///
  /// ```swift
  /// let subjects = Changes(from: old, to: new) { $0.subject == $1.subject }
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`.
  @inlinable @inline(__always)
  public init<Old: Collection, New: Collection>(
    from old: Old, to new: New, moves: Bool = true,
    sameContent: (Old.Element, Old.Element) -> Bool
  ) where Old.Element == New.Element, Old.Element: Identifiable {
    self.init(
      from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, id: { $0.id },
      isSame: sameContent)
  }

  /// Finds the change from one flat list to another, with the identity at a key path.
  ///
  /// A key path that is written in the call is read as fast as a property.
  ///
  /// ```swift
  /// let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
  /// let bySubject = Changes(from: old, to: new, id: \.subject)
  /// ```
  ///
  /// All else is as `init(from:to:moves:)` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`; `id` is called several times for an item.
  @inlinable @inline(__always)
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, id: (Old.Element) -> ID, moves: Bool = true
  ) where Old.Element == New.Element, Old.Element: Equatable {
    self.init(
      from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, id: id, isSame: ==)
    keepsEqualItems = true
  }

  /// Finds the change from one flat list to another, with the identity at a key path from a variable.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`.
  @inlinable @_disfavoredOverload
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, id: KeyPath<Old.Element, ID>, moves: Bool = true
  ) where Old.Element == New.Element, Old.Element: Equatable {
    // A stored property is read where it is, without going by the key path.
    if let offset = MemoryLayout<Old.Element>.offset(of: id) {
      self.init(
        from: old, to: new, id: { item -> ID in storedProperty(of: item, at: offset) }, moves: moves
      )
    } else {
      self.init(from: old, to: new, id: { item -> ID in item[keyPath: id] }, moves: moves)
    }
  }

  /// Finds the change from one flat list to another, with closures for identity and content.
  ///
  /// `id` is called several times for an item, `sameContent` with an old and a new item of the same
  /// identity; so items need to be neither `Identifiable` nor `Equatable`.
  ///
  /// ```swift
  /// let idsOnly = Changes(from: old, to: new, id: { $0.id }, sameContent: { _, _ in true })
  /// ```
  ///
  /// All else is as `init(from:to:moves:)` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: As of `init(from:to:moves:)`.
  @inlinable @inline(__always)
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, moves: Bool = true, id: (Old.Element) -> ID,
    sameContent: (Old.Element, Old.Element) -> Bool
  ) where Old.Element == New.Element {
    self.init(
      from: ContiguousArray(old), to: ContiguousArray(new), moves: moves, id: id,
      isSame: sameContent)
  }
}
