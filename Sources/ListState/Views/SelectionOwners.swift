import ListDiff

/// The item of a list whose selection a view shows.
struct SelectionOwner: Hashable {
  /// The number of the list that has the selection.
  var list: Int

  /// The item: its key if the list is kept as a tree; otherwise its index among all items.
  var item: Int
}

/// The marks of a view beside its selected items, by positions.
struct PositionMarks {
  var anchor: Int?
  var extended: [Int]
}

/// The lists that have the selection of a view's items, during a change of it. Positions are indices
/// among all items of the view.
protocol SelectionOwners {
  /// Returns the owner of an item of the view.
  func owner(of position: Int, _ ids: IDTable) -> SelectionOwner

  /// Reports whether an item of the view is not collapsed.
  func isShown(_ position: Int) -> Bool

  /// Returns positions in a range, with those of all selected items.
  func positions(ofSelectedIn range: Range<Int>) -> [Int]

  /// Returns the selection mode of an item's section; `none` if the item cannot be selected.
  mutating func mode(_ owner: SelectionOwner, _ store: inout ListStore) -> SelectionMode

  /// Selects an item in addition to others. Returns whether it was not selected before.
  mutating func insert(_ owner: SelectionOwner, _ store: inout ListStore) -> Bool

  /// Deselects an item, whatever the rules are.
  mutating func remove(_ owner: SelectionOwner, _ store: inout ListStore)

  /// Applies an action to an item by the rules of its list. Returns whether the item was not
  /// selected before.
  @discardableResult
  mutating func apply(
    _ action: SelectionAction, _ owner: SelectionOwner, _ store: inout ListStore
  ) -> Bool

  /// Stores the changed selections. Returns the changes of what the lists show, by name.
  consuming func store(in store: inout ListStore) -> [[UInt8]: SelectionChange]
}

extension SelectionOwners {
  /// Returns the owners of some items. Several rows that show one item are one owner, at the first
  /// index.
  private func distinct(_ named: [Int], _ ids: IDTable) -> [SelectionOwner] {
    var positions: [SelectionOwner: Int] = [:]
    return named.compactMap { position in
      let owner = owner(of: position, ids)
      guard positions[owner, default: position] == position else { return nil }
      positions[owner] = position
      return owner
    }
  }

  /// Deselects the items of a range that are not collapsed.
  private mutating func removeShown(in range: Range<Int>, _ store: inout ListStore) {
    for position in positions(ofSelectedIn: range) where isShown(position) {
      remove(owner(of: position, store.ids), &store)
    }
  }

  /// Applies an action to named items of the view, or to all items of a range, by the rules of the
  /// lists that have their selection.
  mutating func apply(
    _ action: SelectionAction, to named: [Int], in range: Range<Int>, _ marks: inout PositionMarks,
    _ store: inout ListStore
  ) {
    let isExtension = action == .extend && marks.anchor != nil
    for position in isExtension ? marks.extended : [] where isShown(position) {
      remove(owner(of: position, store.ids), &store)
    }
    marks.extended = []
    switch action {
    case .extend where isExtension:
      guard let last = named.last, let anchor = marks.anchor else { break }
      let owner = owner(of: last, store.ids)
      if mode(owner, &store) == .single {
        if apply(.select, owner, &store) { marks.extended = [last] }
      } else {
        for position in min(anchor, last)...max(anchor, last) where isShown(position) {
          let owner = self.owner(of: position, store.ids)
          guard mode(owner, &store) == .multiple else { continue }
          if insert(owner, &store) { marks.extended.append(position) }
        }
      }
    case .toggle, .select, .deselect:
      for owner in distinct(named, store.ids) { apply(action, owner, &store) }
    case .replace, .extend:
      removeShown(in: range, &store)
      let named = action == .extend ? Array(named.suffix(1)) : named
      for owner in distinct(named, store.ids) { apply(.select, owner, &store) }
    case .none:
      removeShown(in: range, &store)
    case .all, .invert:
      var seen: Set<SelectionOwner> = []
      for position in range where isShown(position) {
        let owner = owner(of: position, store.ids)
        guard seen.insert(owner).inserted, mode(owner, &store) == .multiple else { continue }
        if !insert(owner, &store), action == .invert { remove(owner, &store) }
      }
    }
    switch action {
    case .toggle, .select, .replace: marks.anchor = named.last ?? marks.anchor
    case .extend: marks.anchor = marks.anchor ?? named.last
    default: break
    }
  }
}
