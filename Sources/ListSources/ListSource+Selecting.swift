extension ListSource {
  /// The selection mode of each section; ``SelectionMode/multiple`` if not set.
  public var selectionModes: [Section.ID: SelectionMode] { state.value.selectionModes }

  /// The ids of the selected items, in the order in which they were chosen.
  ///
  /// - Complexity: O(*k* log *n* + *k* log *k*), where *k* is the number of selected items.
  public var choices: [ItemID] { state.value.choices }

  /// Sets the selection mode of a section, and what is selected if nothing else is.
  ///
  /// ```swift
  /// try source.setSelectionMode(.single(allowsEmpty: false), ofSection: "inbox", initially: [2])
  /// ```
  ///
  /// The effect and errors are those of ``EditableList/setSelectionMode(_:ofSection:initially:)``.
  public func setSelectionMode(
    _ mode: SelectionMode, ofSection section: Section.ID, initially items: [ItemID] = []
  ) throws(Failure) {
    try choose { list throws(Failure) in
      try list.setSelectionMode(mode, ofSection: section, initially: items)
    }
  }

  /// Selects all items of the sections in which several can be selected.
  ///
  /// - Complexity: O(*n*).
  public func selectAll() { choose { $0.selectAll() } }

  /// Selects all items of a section if several can be selected in it.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public func selectAll(inSection section: Section.ID) throws(Failure) {
    try choose { list throws(Failure) in try list.selectAll(inSection: section) }
  }

  /// Selects the items that are not selected and deselects the others, in the sections in which
  /// several can be selected.
  ///
  /// - Complexity: O(*n*).
  public func invertSelection() { choose { $0.invertSelection() } }

  /// Selects the items of a section that are not selected and deselects the others, if several can be
  /// selected in it.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public func invertSelection(inSection section: Section.ID) throws(Failure) {
    try choose { list throws(Failure) in try list.invertSelection(inSection: section) }
  }

  /// Deselects all items, but for one in each section that must not be empty.
  ///
  /// - Complexity: O(*n*).
  public func deselectAll() { choose { $0.deselectAll() } }

  /// Deselects all items of a section, but for one if it must not be empty.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``EditError`` if the section does not exist.
  public func deselectAll(inSection section: Section.ID) throws(Failure) {
    try choose { list throws(Failure) in try list.deselectAll(inSection: section) }
  }
}
