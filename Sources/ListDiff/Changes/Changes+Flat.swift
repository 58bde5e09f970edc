extension Changes {
  /// Computes the change from one flat list to another.
  ///
  /// Items are the same if they have the same `id`, and changed if they are not equal.
  ///
  /// ```swift
  /// let mails = Changes(from: old, to: new)
  /// ```
  ///
  /// If no `id` repeats, the number of moves is minimal: the rows that do not move are a longest
  /// increasing subsequence of the old indices (Fredman, "On computing the length of longest
  /// increasing subsequences", 1975). If some repeat, a longest common subsequence stays (Hyyrö,
  /// "Bit-parallel LCS-length computation revisited", 2004). If there are also more than 512 items,
  /// it is searched for in a band of 64 columns, so that few items move; the number of deleted,
  /// inserted and moved rows is never larger than if the first occurrence were paired with the first,
  /// the second with the second and so on. If `moves` is false, items that would move are deleted and
  /// inserted instead.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that are out of order; O(*n* log *n*) if ids repeat among the items
  ///   that differ. Each `id` is compared a few times and hashed at most once, and not at all if
  ///   comparing neighbours pairs all items of one list; it is hashed a few times if ids repeat or
  ///   hashes collide.
  @_alwaysEmitIntoClient @inline(__always) @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Identifiable & Equatable {
    self.init(from: old, to: new, moves: moves, by: IdentifiableRule())
  }

  /// Computes the change from one flat list of values that are their own identity to another.
  ///
  /// ```swift
  /// let numbers = Changes(from: [1, 2], to: [2, 1])
  /// let letters = Changes(from: "listen", to: "silent")
  /// ```
  ///
  /// No item is updated: a value that differs is another item. Otherwise the same as
  /// `init(from:to:moves:)` of identifiable items.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)` of identifiable items.
  @_alwaysEmitIntoClient @inline(__always) @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Hashable {
    self.init(from: old, to: new, moves: moves, by: ValueRule())
  }

  /// Computes the change between flat lists of items that are both identifiable and hashable.
  ///
  /// Items are the same if they have the same `id`, and changed if they are not equal.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)` of identifiable items.
  @_alwaysEmitIntoClient @inline(__always) @_disfavoredOverload
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: Identifiable & Hashable {
    self.init(from: old, to: new, moves: moves, by: IdentifiableRule())
  }

  /// Computes the change from one flat list to another, with a closure that compares contents.
  ///
  /// `sameContent` is called with an old and a new item of the same `id`, so items need not be
  /// `Equatable`.
  ///
  /// ```swift
  /// let subjects = Changes(from: old, to: new) { $0.subject == $1.subject }
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public init<Old: Collection, New: Collection>(
    from old: Old, to new: New, moves: Bool = true,
    sameContent: (Old.Element, Old.Element) -> Bool
  ) where Old.Element == New.Element, Old.Element: Identifiable {
    self.init(
      of: ContiguousArray(old), ContiguousArray(new), moves: moves, id: { $0.id },
      isSame: sameContent)
  }

  /// Computes the change from one flat list to another, with the identity at a key path.
  ///
  /// A key path literal in the call is read as fast as a property.
  ///
  /// ```swift
  /// let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
  /// let bySubject = Changes(from: old, to: new, id: \.subject)
  /// ```
  ///
  /// Otherwise the same as `init(from:to:moves:)`.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)`; `id` is called several times for an item.
  @_alwaysEmitIntoClient @inline(__always)
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, moves: Bool = true, id: (Old.Element) -> ID
  ) where Old.Element == New.Element, Old.Element: Equatable {
    self.init(
      of: ContiguousArray(old), ContiguousArray(new), moves: moves, id: id, isSame: ==)
    keepsEqualItems = true
  }

  /// Computes the change from one flat list to another, with the identity at a key path in a
  /// variable.
  ///
  /// A stored property is read in place; of another one, the key path is read once for each item.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)`.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, moves: Bool = true, id: KeyPath<Old.Element, ID>
  ) where Old.Element == New.Element, Old.Element: Equatable {
    let old = ContiguousArray(old)
    let new = ContiguousArray(new)
    self = old.withKeys(id) { before in
      new.withKeys(id) { after in
        Changes(
          of: before, after, moves: moves, id: { $0.id },
          isSame: { old[$0.index] == new[$1.index] })
      }
    }
    keepsEqualItems = true
  }

  /// Computes the change from one flat list to another, with closures for identity and content.
  ///
  /// `id` is called several times for an item, `sameContent` with an old and a new item of the same
  /// identity. Items need not be `Identifiable` or `Equatable`.
  ///
  /// ```swift
  /// let idsOnly = Changes(from: old, to: new, id: { $0.id }, sameContent: { _, _ in true })
  /// ```
  ///
  /// Otherwise the same as `init(from:to:moves:)`.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: The same as `init(from:to:moves:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public init<Old: Collection, New: Collection, ID: Hashable>(
    from old: Old, to new: New, moves: Bool = true, id: (Old.Element) -> ID,
    sameContent: (Old.Element, Old.Element) -> Bool
  ) where Old.Element == New.Element {
    self.init(
      of: ContiguousArray(old), ContiguousArray(new), moves: moves, id: id,
      isSame: sameContent)
  }
}
