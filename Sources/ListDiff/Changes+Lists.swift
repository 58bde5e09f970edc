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
  @inlinable
  public init<List: Collection>(from old: List, to new: List, moves: Bool = true)
  where List.Element: Identifiable & Equatable {
    self.init(from: Array(old), to: Array(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one flat list to another, with the identity at a key path.
  ///
  /// `\.self` compares values that are nothing but themselves, such as strings.
  ///
  /// ```swift
  /// let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
  /// let letters = Changes(from: "listen", to: "silent", id: \.self)
  /// let bySubject = Changes(from: old, to: new, id: \.subject)
  /// ```
  ///
  /// All else is as ``init(from:to:moves:)`` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order; O(*n* log *n*) where ids repeat.
  @inlinable
  public init<List: Collection, ID: Hashable>(
    from old: List, to new: List, id: KeyPath<List.Element, ID>, moves: Bool = true
  ) where List.Element: Equatable {
    self.init(from: Array(old), to: Array(new), moves: moves, by: KeyPathRule(id))
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
  /// All else is as ``init(from:to:moves:)`` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order; O(*n* log *n*) where ids repeat.
  @inlinable
  public init<List: Collection, ID: Hashable>(
    from old: List, to new: List, moves: Bool = true, id: (List.Element) -> ID,
    sameContent: (List.Element, List.Element) -> Bool
  ) {
    self = withoutActuallyEscaping(id) { id in
      withoutActuallyEscaping(sameContent) { sameContent in
        Changes(from: Array(old), to: Array(new), moves: moves, by: ClosureRule(id, sameContent))
      }
    }
  }

  @inlinable
  init<Rule: ItemRule>(from old: [Rule.Item], to new: [Rule.Item], moves: Bool, by rule: Rule) {
    var pairing = Pairing()
    let old = [old]
    let new = [new]
    pairing.pairOnlySection()
    pairing.pairItems(old, new, rule)
    pairing.compare(old, new, rule)
    pairing.solve(moves: moves)
    self = pairing.changes()
  }

  /// Finds the change from one list with sections to another.
  ///
  /// Items are the same where their `id` is, in whatever section; of sections with the same `id`
  /// the first is paired with the first, the second with the second and so on.
  ///
  /// ```swift
  /// let changes = Changes(fromSections: inbox, to: sorted)
  /// ```
  ///
  /// Items move within their section as ``init(from:to:moves:)`` says, and each that changes its
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

  /// Finds the change from one list with sections to another, with closures for the identity and
  /// the content of items.
  ///
  /// ```swift
  /// let bySubject = Changes(fromSections: inbox, to: sorted, id: \.subject, sameContent: ==)
  /// ```
  ///
  /// All else is as ``init(fromSections:to:moves:)`` says.
  ///
  /// - Precondition: Neither list has more than `Int32.max` items or sections.
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items and sections of both
  ///   lists and *r* the number of runs of items that stand in another order; O(*n* log *n*) where
  ///   ids repeat.
  @inlinable
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

  @inlinable
  init<Section: ListSection, Rule: ItemRule>(
    fromSections old: [Section], to new: [Section], moves: Bool, by rule: Rule
  ) where Rule.Item == Section.Item {
    var pairing = Pairing()
    let oldItems = old.map(\.items)
    let newItems = new.map(\.items)
    pairing.pairSections(old.map(\.id), new.map(\.id))
    pairing.pairItems(oldItems, newItems, rule)
    pairing.compare(oldItems, newItems, rule)
    pairing.solve(moves: moves)
    pairing.compareSections { old[$0].hasSameContent(as: new[$1]) }
    self = pairing.changes()
  }
}
