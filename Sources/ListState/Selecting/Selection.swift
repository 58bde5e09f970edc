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
  /// Selects named items that are selectable, and deselects all others.
  ///
  /// - Complexity: O(*i* log *s* + *n*), where *i* is the number of items, *s* the number of sections and *n*
  ///   the number of items divided by 64.
  mutating func replace(with named: [Int], in snapshot: Snapshot) {
    items.remove(in: 0..<items.bound)
    for item in named {
      let section = snapshot.section(ofItem: item)
      if snapshot.sections[section].selectionMode == .single {
        items.remove(in: snapshot.arrangement.range(ofSection: section))
      }
      items.insert(item)
    }
    anchor = named.last ?? anchor
    extended = []
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
