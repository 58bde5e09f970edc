extension Changes {
  /// Finds the change from one flat list to another.
  ///
  /// Items are the same where their `id` is, and changed where they are not equal. Items that repeat
  /// are paired so that few of them move, and never with more operations than pairing the first with
  /// the first, the second with the second and so on. With `moves` false, what would move is deleted
  /// and inserted instead.
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order; O(*n* log *n*) where ids repeat among
  ///   what differs. Each id is hashed at most once, and none where nothing moves or is exchanged;
  ///   where ids repeat or hashes collide, once or twice more.
  @inlinable
  public init<List: RandomAccessCollection>(from old: List, to new: List, moves: Bool = true)
  where List.Element: Identifiable & Equatable {
    self.init(from: Array(old), to: Array(new), moves: moves, by: OwnRule())
  }

  /// Finds the change from one flat list to another, with the identity at a key path.
  ///
  /// `\.self` compares values that are nothing but themselves, such as strings.
  ///
  /// ```swift
  /// let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
  /// ```
  ///
  /// - Complexity: As ``init(from:to:moves:)``.
  @inlinable
  public init<List: RandomAccessCollection, ID: Hashable>(
    from old: List, to new: List, id: KeyPath<List.Element, ID>, moves: Bool = true
  ) where List.Element: Equatable {
    self.init(from: Array(old), to: Array(new), moves: moves, by: KeyPathRule(id))
  }

  /// Finds the change from one flat list to another, with closures for identity and content.
  ///
  /// `sameContent` is called with an old and a new item of the same identity.
  ///
  /// ```swift
  /// let idsOnly = Changes(from: old, to: new, id: { $0.id }, sameContent: { _, _ in true })
  /// ```
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items of both lists and *r* the
  ///   number of runs of items that stand in another order.
  @inlinable
  public init<List: RandomAccessCollection, ID: Hashable>(
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
  /// Items are the same where their `id` is, in whatever section; a section whose `id` repeats is
  /// another each time.
  ///
  /// ```swift
  /// let changes = Changes(fromSections: inbox, to: sorted)
  /// ```
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items and sections of both lists
  ///   and *r* the number of runs of items that stand in another order.
  @inlinable
  public init<Section: ListSection>(
    fromSections old: [Section], to new: [Section], moves: Bool = true
  ) where Section.Item: Identifiable & Equatable {
    self.init(fromSections: old, to: new, moves: moves, by: OwnRule())
  }

  /// Finds the change from one list with sections to another, with closures for the identity and the
  /// content of items.
  ///
  /// - Complexity: O(*n* + *r* log *n*), where *n* is the number of items and sections of both lists
  ///   and *r* the number of runs of items that stand in another order.
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
