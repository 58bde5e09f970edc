import ListDiff

/// The selected items of a list, by indices in its current snapshot.
package struct Selection: Sendable {
  package internal(set) var items: BitSet

  /// The item that was last toggled, selected or replaced. An extension starts there.
  var anchor: Int?

  /// The items that the last extension added. The next extension deselects them.
  var extended: [Int] = []

  /// Creates an empty selection of `count` items.
  package init(count: Int) { items = BitSet(bound: count) }
}

/// An action on a selection.
package enum SelectionAction: String, Sendable, CaseIterable {
  case toggle
  case select
  case deselect
  case replace
  case extend
  case all
  case none
  case invert

  /// Whether the action takes items as arguments.
  package var namesItems: Bool {
    switch self {
    case .toggle, .select, .deselect, .replace, .extend: true
    case .all, .none, .invert: false
    }
  }
}

extension Snapshot {
  /// Reports whether an item may be selected.
  package func isSelectable(_ item: Int) -> Bool {
    !traits[item].contains(.notSelectable)
      && sections[section(ofItem: item)].selectionMode != .none
  }

  /// Returns the section of an item.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func section(ofItem item: Int) -> Int { arrangement.starts.section(ofRow: item) }
}

extension Selection {
  /// Applies an action to named items that are selectable, in a section or in the whole list. If
  /// only the items in `shown` are shown, others that are not named are unchanged.
  ///
  /// - Complexity: O(*i* log *s* + *n*), where *i* is the number of items that are named or covered
  ///   by an extension, *s* the number of sections and *n* the number of items divided by 64.
  package mutating func apply(
    _ action: SelectionAction, to named: [Int], section: Int?, in snapshot: Snapshot,
    shown: BitSet? = nil
  ) {
    let scope = SelectionScope(
      range: section.map(snapshot.arrangement.range) ?? 0..<snapshot.itemCount, shown: shown)
    if action != .extend { extended = [] }
    switch action {
    case .toggle: for item in named { toggle(item, in: snapshot) }
    case .select: for item in named { select(item, in: snapshot) }
    case .deselect: for item in named { deselect(item, in: snapshot) }
    case .replace: replace(scope, with: named, in: snapshot)
    case .extend: if let item = named.last { extend(to: item, scope: scope, in: snapshot) }
    case .none: items.remove(scope)
    case .all: forEachInMultiple(scope, in: snapshot) { $0.items.insert($1) }
    case .invert:
      forEachInMultiple(scope, in: snapshot) { selection, item in
        if !selection.items.insert(item) { selection.items.remove(item) }
      }
    }
    switch action {
    case .toggle, .select, .replace: anchor = named.last ?? anchor
    default: break
    }
  }

  private mutating func toggle(_ item: Int, in snapshot: Snapshot) {
    let section = snapshot.sections[snapshot.section(ofItem: item)]
    if items.contains(item) {
      if section.selectionMode == .multiple || section.allowsEmptySelection {
        deselect(item, in: snapshot)
      }
    } else {
      select(item, in: snapshot)
    }
  }

  private mutating func select(_ item: Int, in snapshot: Snapshot) {
    let section = snapshot.section(ofItem: item)
    if snapshot.sections[section].selectionMode == .single {
      items.remove(in: snapshot.arrangement.range(ofSection: section))
    }
    items.insert(item)
  }

  private mutating func deselect(_ item: Int, in snapshot: Snapshot) {
    let section = snapshot.section(ofItem: item)
    if !snapshot.sections[section].allowsEmptySelection, items.contains(item),
      items.count(in: snapshot.arrangement.range(ofSection: section)) == 1
    {
      return
    }
    items.remove(item)
  }

  private mutating func replace(
    _ scope: SelectionScope, with named: [Int], in snapshot: Snapshot
  ) {
    items.remove(scope)
    for item in named { select(item, in: snapshot) }
  }

  private mutating func extend(to item: Int, scope: SelectionScope, in snapshot: Snapshot) {
    guard let anchor else {
      replace(scope, with: [item], in: snapshot)
      self.anchor = item
      return
    }
    for item in extended where scope.isShown(item) { items.remove(item) }
    extended = []
    if snapshot.sections[snapshot.section(ofItem: item)].selectionMode == .single {
      if !items.contains(item) { extended = [item] }
      select(item, in: snapshot)
      return
    }
    let covered = SelectionScope(
      range: min(anchor, item)..<max(anchor, item) + 1, shown: scope.shown)
    forEachInMultiple(covered, in: snapshot) {
      if $0.items.insert($1) { $0.extended.append($1) }
    }
  }

  /// Calls `body` with the selectable items of a scope that are in sections with multiple
  /// selection.
  private mutating func forEachInMultiple(
    _ scope: SelectionScope, in snapshot: Snapshot, _ body: (inout Selection, Int) -> Void
  ) {
    for section in snapshot.sections.indices
    where snapshot.sections[section].selectionMode == .multiple {
      for item in snapshot.arrangement.range(ofSection: section).clamped(to: scope.range)
      where !snapshot.traits[item].contains(.notSelectable) && scope.isShown(item) {
        body(&self, item)
      }
    }
  }
}

/// The items that an action on a range affects.
struct SelectionScope {
  var range: Range<Int>

  /// The items that are shown, or `nil` if all are.
  var shown: BitSet?

  func isShown(_ item: Int) -> Bool { shown?.contains(item) ?? true }
}

extension BitSet {
  /// Removes every member in a scope.
  mutating func remove(_ scope: SelectionScope) {
    guard let shown = scope.shown else { return remove(in: scope.range) }
    for item in shown.members(in: scope.range) { remove(item) }
  }
}

extension Selection {
  /// Stops the program if the selection is not possible in a snapshot: all indices are those of
  /// items, selected items are selectable, and sections with single selection have at most one.
  ///
  /// - Complexity: O(*i* log *s* + *s* + *n*), where *i* is the number of selected items, *s* the
  ///   number of sections and *n* the number of items divided by 64.
  func checkInvariants(in snapshot: Snapshot) {
    items.checkInvariants()
    let all = 0..<snapshot.itemCount
    precondition(items.bound == all.count, "there is a bit for each item")
    precondition(anchor.map(all.contains) ?? true, "the anchor is an item")
    precondition(extended.allSatisfy(all.contains), "an extension consists of items")
    precondition(items.members.allSatisfy(snapshot.isSelectable), "selected items are selectable")
    for (section, traits) in snapshot.sections.enumerated() where traits.selectionMode == .single {
      precondition(
        items.count(in: snapshot.arrangement.range(ofSection: section)) <= 1,
        "a section with single selection has one selected item")
    }
  }
}
