import ListDiff
internal import SumTrees

extension ListSource {
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

  /// Returns whether an item is selected; false if it is not in the source.
  ///
  /// - Complexity: O(1).
  public func isSelected(_ item: ItemID) -> Bool {
    tree.location(of: item).map(tree.isSelected) ?? false
  }

  /// The selection mode of each section; ``SelectionMode/multiple`` if not set.
  public var selectionModes: [Section.ID: SelectionMode] { tree.selectionModes }

  /// Sets the selection mode of a section.
  ///
  /// Items that the mode does not allow are deselected.
  public func setSelectionMode(_ mode: SelectionMode, ofSection section: Section.ID) {
    batch {
      tree.selectionModes[section] = mode
      if let number = tree.numbers[section] { tree.keepAllowed(inSection: number) }
    }
  }

  /// Changes the selection.
  ///
  /// In a section with the mode ``SelectionMode/single``, the last item replaces the item that was
  /// selected.
  ///
  /// - Throws: ``MissingItem`` if an item is not in the source. Nothing is changed then.
  /// - Complexity: O(*k* log *n*), where *k* is the number of items that are named, selected,
  ///   deselected, or between the ends of an extension.
  public func select(
    _ items: [ItemID], _ action: SelectionAction = .select
  ) throws(MissingItem<ItemID>) {
    let found = try items.map { item throws(MissingItem<ItemID>) in
      guard let location = tree.location(of: item) else { throw MissingItem(item: item) }
      return location
    }
    let named = found.filter(tree.isSelectable)
    batch {
      if action != .extend { tree.marks.extended = [] }
      switch action {
      case .select: for item in named { tree.select(item) }
      case .deselect: for item in named { tree.deselect(item) }
      case .toggle: for item in named { tree.toggle(item) }
      case .replace: tree.replace(nil, with: named)
      case .extend:
        if let item = found.last, tree.isSelectable(item) { tree.extend(to: item, nil) }
      }
      switch action {
      case .select, .toggle, .replace: tree.marks.anchor = items.last ?? tree.marks.anchor
      case .deselect, .extend: break
      }
    }
  }

  /// Selects all items of the sections in which several can be selected, or of one of them.
  ///
  /// - Complexity: O(*n*).
  public func selectAll(inSection section: Section.ID? = nil) {
    changeSelection(ofSection: section, limit: 2) { _, all in all }
  }

  /// Selects the items that are not selected and deselects the others, in the sections in which
  /// several can be selected, or in one of them.
  ///
  /// - Complexity: O(*n*).
  public func invertSelection(inSection section: Section.ID? = nil) {
    changeSelection(ofSection: section, limit: 2) { selected, all in all & ~selected }
  }

  /// Deselects all items of the list or of a section, whatever its mode is.
  ///
  /// - Complexity: O(*n*).
  public func deselectAll(inSection section: Section.ID? = nil) {
    changeSelection(ofSection: section, limit: 0) { _, _ in 0 }
  }

  private func changeSelection(
    ofSection section: Section.ID?, limit: Int, _ change: (UInt64, UInt64) -> UInt64
  ) {
    let number = section.flatMap { tree.numbers[$0] }
    batch {
      tree.marks.extended = []
      if section == nil || number != nil {
        tree.changeSelection(ofSection: number, limit: limit, change)
      }
    }
  }

  /// Moves the cursor to an item, or removes it.
  ///
  /// - Throws: ``MissingItem`` if the item is not in the source. Nothing is changed then.
  public func moveCursor(to item: ItemID?) throws(MissingItem<ItemID>) {
    if let item, !tree.contains(item) { throw MissingItem(item: item) }
    batch { cursor = item }
  }
}
