import ListDiff
internal import SumTrees

extension EditableList {
  /// The ids of the selected items.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  public var selected: Set<ItemID> { tree.selected }

  /// The paths of the selected items, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  public var selectedPaths: [ListPath] {
    var paths: [ListPath] = []
    tree.forEachSelected { paths.append(tree.path(of: $0)) }
    return paths
  }

  /// Returns whether an item is selected; false if it is not in the list.
  ///
  /// - Complexity: O(1).
  public func isSelected(_ item: ItemID) -> Bool {
    tree.location(of: item).map { tree.isSelected($0) } ?? false
  }

  /// Changes the selection.
  ///
  /// In a section with the mode ``SelectionMode/single``, the last item replaces the item that was
  /// selected.
  ///
  /// - Throws: ``MissingItem`` if an item is not in the list. Nothing is changed then.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected,
  ///   deselected, or between the ends of an extension.
  public mutating func select(
    _ items: [ItemID], _ action: SelectionAction = .select
  ) throws(MissingItem<ItemID>) {
    for item in items where !contains(item) { throw MissingItem(item: item) }
    changeSelection(items, action)
  }

  /// Moves the cursor to an item, or removes it.
  ///
  /// - Throws: ``MissingItem`` if the item is not in the list. Nothing is changed then.
  public mutating func moveCursor(to item: ItemID?) throws(MissingItem<ItemID>) {
    if let item, !contains(item) { throw MissingItem(item: item) }
    cursor = item
  }

  /// The path of the item at the cursor, or `nil` if there is no cursor.
  ///
  /// - Complexity: O(log *n*).
  public var cursorPath: ListPath? { cursor.flatMap { path(of: $0) } }

  /// The selection mode of each section; ``SelectionMode/multiple`` if not set.
  public var selectionModes: [Section.ID: SelectionMode] { tree.selectionModes }

  /// The ids of the selected items, in the order in which they were chosen.
  ///
  /// - Complexity: O(*k* log *n* + *k* log *k*), where *k* is the number of selected items.
  public var choices: [ItemID] { tree.choices.sorted(tree.selected) }

  /// Sets the selection mode of a section, and what is selected if nothing else is.
  ///
  /// Items that the mode does not allow are deselected. If no item of the section is selected, the
  /// initial choice is, as far as the mode allows it.
  ///
  /// ```swift
  /// try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "inbox", initially: [2])
  /// ```
  ///
  /// - Throws: ``EditError`` if the section or an item does not exist. Nothing is changed then.
  public mutating func setSelectionMode(
    _ mode: SelectionMode, ofSection section: Section.ID, initially items: [ItemID] = []
  ) throws(Failure) {
    let number = try tree.number(of: section)
    try tree.checkKnown(items)
    select { tree in
      tree.selectionModes[section] = mode
      tree.initialChoices[section] = items
      tree.keepAllowed(inSection: number)
      if tree.forest.sums(ofTree: number).selected > 0 { return }
      for item in items {
        guard let location = tree.location(of: item), tree.isSelectable(location),
          tree.forest.tree(of: location.leaf) == number
        else { continue }
        tree.select(location)
      }
    }
  }

  /// Selects all items of the sections in which several can be selected.
  ///
  /// - Complexity: O(*n*).
  public mutating func selectAll() { changeSelection(of: nil, limit: 2) { _, all in all } }

  /// Selects all items of a section if several can be selected in it.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public mutating func selectAll(inSection section: Section.ID) throws(Failure) {
    changeSelection(of: try tree.number(of: section), limit: 2) { _, all in all }
  }

  /// Selects the items that are not selected and deselects the others, in the sections in which
  /// several can be selected.
  ///
  /// - Complexity: O(*n*).
  public mutating func invertSelection() {
    changeSelection(of: nil, limit: 2) { selected, all in all & ~selected }
  }

  /// Selects the items of a section that are not selected and deselects the others, if several can be
  /// selected in it.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public mutating func invertSelection(inSection section: Section.ID) throws(Failure) {
    changeSelection(of: try tree.number(of: section), limit: 2) { selected, all in
      all & ~selected
    }
  }

  /// Deselects all items, but for one in each section that must not be empty.
  ///
  /// - Complexity: O(*n*).
  public mutating func deselectAll() { changeSelection(of: nil, limit: 0) { _, _ in 0 } }

  /// Deselects all items of a section, but for one if it must not be empty.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public mutating func deselectAll(inSection section: Section.ID) throws(Failure) {
    changeSelection(of: try tree.number(of: section), limit: 0) { _, _ in 0 }
  }

  private mutating func changeSelection(
    of section: Int?, limit: Int, _ change: (UInt64, UInt64) -> UInt64
  ) {
    select { tree in
      tree.marks.extended = []
      tree.changeSelection(ofSection: section, limit: limit, change)
    }
  }

  /// Changes the selection of items of the list.
  mutating func changeSelection(_ items: [ItemID], _ action: SelectionAction) {
    select { tree in tree.select(items, action) }
  }

  private mutating func select(_ change: (inout ItemTree<Section>) -> Void) {
    _ = edit { list in change(&list.tree) }
  }

  /// Selects items in the order in which they were chosen, as far as the modes allow it, and no others; moves
  /// the cursor to an item, if the list has it.
  mutating func restoreSelection(_ choices: [ItemID], _ cursor: ItemID?) {
    batch { list in
      list.deselectAll()
      for item in choices where list.contains(item) { list.changeSelection([item], .select) }
      list.cursor = cursor.flatMap { list.contains($0) ? $0 : nil }
    }
  }
}
