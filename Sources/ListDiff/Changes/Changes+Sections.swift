extension Changes {
  /// Computes the change from one list with sections to another.
  ///
  /// Items are the same if they have the same `id`, in whatever section. If several sections have
  /// the same `id`, the first is paired with the first, the second with the second and so on.
  ///
  /// ```swift
  /// let changes = Changes(fromSections: inbox, to: sorted)
  /// ```
  ///
  /// Items move within their section as described at `init(from:to:moves:)`; each item that changes
  /// its section moves once. As few sections as possible move, with their rows. If `moves` is
  /// false, sections and items that would move are deleted and inserted instead.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items and sections of both
  ///   lists and *r* the number of runs of items that are out of order; O(*n* log *n*) if ids
  ///   repeat.
  @_alwaysEmitIntoClient
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Identifiable & Equatable {
    self.init(fromSections: old, to: new, moves: moves, by: IdentifiableRule())
  }

  /// Computes the change between lists with sections, of items that are their own identity.
  ///
  /// ```swift
  /// let letters = Changes(
  ///   fromSections: [Changes.Section(id: 1, items: ["a", "b"])],
  ///   to: [Changes.Section(id: 1, items: ["b"]), Changes.Section(id: 2, items: ["a"])])
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)` of identifiable items.
  @_alwaysEmitIntoClient
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Hashable {
    self.init(fromSections: old, to: new, moves: moves, by: ValueRule())
  }

  /// Computes the change between lists with sections, of items that are both identifiable and
  /// hashable.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)` of identifiable items.
  @_alwaysEmitIntoClient
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Identifiable & Hashable {
    self.init(fromSections: old, to: new, moves: moves, by: IdentifiableRule())
  }

  /// Computes the change from one list with sections to another, as `init(fromSections:to:moves:)`
  /// does.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)`.
  @_alwaysEmitIntoClient
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where
    Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Identifiable & Equatable
  {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: IdentifiableRule())
  }

  /// Computes the change between lists with sections, of items that are their own identity.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)`.
  @_alwaysEmitIntoClient
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Hashable {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: ValueRule())
  }

  /// Computes the change between lists with sections, of items that are both identifiable and
  /// hashable.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)`.
  @_alwaysEmitIntoClient
  public init<Old: Collection, New: Collection>(from old: Old, to new: New, moves: Bool = true)
  where
    Old.Element == New.Element, Old.Element: ListSection, Old.Element.Item: Identifiable & Hashable
  {
    self.init(fromSections: Array(old), to: Array(new), moves: moves, by: IdentifiableRule())
  }

  /// Computes the change from one list with sections to another, with the identity of items at a
  /// key path.
  ///
  /// ```swift
  /// let subjects = Changes(fromSections: inbox, to: sorted, id: \.subject)
  /// ```
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public init<Section: ListSection, ID: Hashable>(
    fromSections old: [Section], to new: [Section], moves: Bool = true, id: (Section.Item) -> ID
  ) where Section.Item: Equatable {
    self.init(fromSections: old, to: new, moves: moves, id: id, sameContent: ==)
  }

  /// Computes the change from one list with sections to another, with closures for the identity and
  /// the content of items.
  ///
  /// ```swift
  /// let bySubject = Changes(fromSections: inbox, to: sorted, id: \.subject, sameContent: ==)
  /// ```
  ///
  /// Otherwise the same as `init(fromSections:to:moves:)`.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: The same as `init(fromSections:to:moves:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public init<Section: ListSection, ID: Hashable>(
    fromSections old: [Section], to new: [Section], moves: Bool = true, id: (Section.Item) -> ID,
    sameContent: (Section.Item, Section.Item) -> Bool
  ) {
    self.init(ofSections: old, new, moves: moves, id: id, isSame: sameContent)
  }

  /// A section with an identity and items and no other content.
  ///
  /// For a section with a header, declare a type that conforms to ``ListSection``.
  @frozen
  public struct Section<ID: Hashable, Item>: ListSection {
    /// The identity of the section.
    public var id: ID

    /// The items of the section, in order.
    public var items: [Item]

    /// Creates a section of items.
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
