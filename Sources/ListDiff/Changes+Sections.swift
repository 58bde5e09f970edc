extension Changes {
  /// Finds the change from one list with sections to another.
  ///
  /// Items are the same where their `id` is, in whatever section; of sections with the same `id`
  /// the first is paired with the first, the second with the second and so on.
  ///
  /// ```swift
  /// let changes = Changes(fromSections: inbox, to: sorted)
  /// ```
  ///
  /// Items move within their section as `init(from:to:moves:)` says, and each that changes its
  /// section moves once. Of the sections as few as possible move, with their rows. With `moves`
  /// false, sections and items that would move are deleted and inserted instead.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items and sections of both
  ///   lists and *r* the number of runs of items that stand in another order; O(*n* log *n*) where
  ///   ids repeat.
  @inlinable
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Identifiable & Equatable {
    self.init(fromSections: old, to: new, moves: moves, by: OwnRule())
  }

  /// Finds the change from one list with sections to another, of items that are their own identity.
  ///
  /// ```swift
  /// let letters = Changes(
  ///   fromSections: [Changes.Section(id: 1, items: ["a", "b"])],
  ///   to: [Changes.Section(id: 1, items: ["b"]), Changes.Section(id: 2, items: ["a"])])
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Hashable {
    self.init(fromSections: old, to: new, moves: moves, by: ValueRule())
  }

  /// Finds the change from one list with sections to another, of items with an identity that are
  /// hashable, too.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Identifiable & Hashable {
    self.init(fromSections: old, to: new, moves: moves, by: OwnRule())
  }

  /// Finds the change from one list with sections to another, as `init(fromSections:to:moves:)`.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where
    Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Identifiable & Equatable
  {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one list with sections to another, of items that are their own identity.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Hashable {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: ValueRule())
  }

  /// Finds the change from one list with sections to another, of items with an identity that are
  /// hashable, too.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where
    Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Identifiable & Hashable
  {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one list with sections to another, with the identity of items at a key
  /// path.
  ///
  /// ```swift
  /// let subjects = Changes(fromSections: inbox, to: sorted, id: \.subject)
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable @inline(__always)
  public init<Section: ListSection, ID: Hashable>(
    fromSections old: [Section], to new: [Section], id: (Section.Item) -> ID, moves: Bool = true
  ) where Section.Item: Equatable {
    self.init(fromSections: old, to: new, moves: moves, id: id, sameContent: ==)
  }

  /// Finds the change from one list with sections to another, with closures for the identity and
  /// the content of items.
  ///
  /// ```swift
  /// let bySubject = Changes(fromSections: inbox, to: sorted, id: \.subject, sameContent: ==)
  /// ```
  ///
  /// All else is as `init(fromSections:to:moves:)` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @inlinable @inline(__always)
  public init<Section: ListSection, ID: Hashable>(
    fromSections old: [Section], to new: [Section], moves: Bool = true, id: (Section.Item) -> ID,
    sameContent: (Section.Item, Section.Item) -> Bool
  ) {
    self = withoutActuallyEscaping(id) { id in
      withoutActuallyEscaping(sameContent) { sameContent in
        Changes(fromSections: old, to: new, moves: moves, by: ClosureRule(id, sameContent))
      }
    }
  }

  /// A section that is an identity and items: the ready ``ListSection``.
  ///
  /// One with a header is a type of your own.
  @frozen
  public struct Section<ID: Hashable, Item>: ListSection {
    /// What tells the section from others.
    public var id: ID

    /// The items of the section, in order.
    public var items: [Item]

    /// Makes a section of items.
    @inlinable
    public init(id: ID, items: [Item] = []) {
      self.id = id
      self.items = items
    }
  }
}

extension Changes.Section: Equatable where Item: Equatable {}
extension Changes.Section: Hashable where Item: Hashable {}
extension Changes.Section: Sendable where ID: Sendable, Item: Sendable {}
extension Changes.Section: Encodable where ID: Encodable, Item: Encodable {}
extension Changes.Section: Decodable where ID: Decodable, Item: Decodable {}
