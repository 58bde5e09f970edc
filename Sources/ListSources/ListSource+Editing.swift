import ListDiff

extension ListSource {
  /// The error type of edits.
  public typealias Failure = EditError<Section.ID, ItemID>

  /// Makes several edits, and changes of the selection and of the cursor, which are sent as one
  /// change, and returns that change.
  ///
  /// ```swift
  /// try source.batch {
  ///   try source.deleteItems([3])
  ///   try source.moveItem(2, beforeItem: 1)
  /// }
  /// ```
  ///
  /// The source has each edit at once. The single edits return an empty change. A batch in a batch
  /// is a part of it.
  ///
  /// - Complexity: That of the edits, and O(*s*).
  /// - Throws: The error of `edits`. Nothing is changed then, unless an outer batch catches it.
  @discardableResult
  public func batch<E: Error>(_ edits: () throws(E) -> Void) throws(E) -> Changes {
    try editTogether(edits)
  }

  // MARK: Items

  /// Appends items to a section, or to the last section.
  ///
  /// Complexity and errors are those of ``EditableList/appendItems(_:toSection:)``.
  @discardableResult
  public func appendItems(_ items: [Section.Item], toSection section: Section.ID? = nil)
    throws(Failure) -> Changes
  {
    try edit { list throws(Failure) in try list.appendItems(items, toSection: section) }
  }

  /// Inserts items before an item.
  ///
  /// Complexity and errors are those of ``EditableList/insertItems(_:beforeItem:)``.
  @discardableResult
  public func insertItems(_ items: [Section.Item], beforeItem other: ItemID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.insertItems(items, beforeItem: other) }
  }

  /// Inserts items after an item.
  ///
  /// Complexity and errors are those of ``EditableList/insertItems(_:afterItem:)``.
  @discardableResult
  public func insertItems(_ items: [Section.Item], afterItem other: ItemID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.insertItems(items, afterItem: other) }
  }

  /// Deletes items.
  ///
  /// Complexity and errors are those of ``EditableList/deleteItems(_:)``.
  @discardableResult
  public func deleteItems(_ items: [ItemID]) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.deleteItems(items) }
  }

  /// Moves an item before another one.
  ///
  /// Complexity and errors are those of ``EditableList/moveItem(_:beforeItem:)``.
  @discardableResult
  public func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.moveItem(item, beforeItem: other) }
  }

  /// Moves an item after another one.
  ///
  /// Complexity and errors are those of ``EditableList/moveItem(_:afterItem:)``.
  @discardableResult
  public func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.moveItem(item, afterItem: other) }
  }

  /// Moves items to the end of a section, in the given order.
  ///
  /// Complexity and errors are those of ``EditableList/moveItems(_:toSection:)``.
  @discardableResult
  public func moveItems(_ items: [ItemID], toSection section: Section.ID) throws(Failure) -> Changes
  {
    try edit { list throws(Failure) in try list.moveItems(items, toSection: section) }
  }

  /// Replaces items by those with the same ids.
  ///
  /// Complexity and errors are those of ``EditableList/updateItems(_:)``.
  @discardableResult
  public func updateItems(_ items: [Section.Item]) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.updateItems(items) }
  }

  // MARK: Sections

  /// Appends sections with their items.
  ///
  /// Complexity and errors are those of ``EditableList/appendSections(_:)``.
  @discardableResult
  public func appendSections(_ added: [Section]) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.appendSections(added) }
  }

  /// Inserts sections with their items before a section.
  ///
  /// Complexity and errors are those of ``EditableList/insertSections(_:beforeSection:)``.
  @discardableResult
  public func insertSections(_ added: [Section], beforeSection other: Section.ID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.insertSections(added, beforeSection: other) }
  }

  /// Inserts sections with their items after a section.
  ///
  /// Complexity and errors are those of ``EditableList/insertSections(_:afterSection:)``.
  @discardableResult
  public func insertSections(_ added: [Section], afterSection other: Section.ID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.insertSections(added, afterSection: other) }
  }

  /// Deletes sections with their items.
  ///
  /// Complexity and errors are those of ``EditableList/deleteSections(_:)``.
  @discardableResult
  public func deleteSections(_ removed: [Section.ID]) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.deleteSections(removed) }
  }

  /// Moves a section with its items before another one.
  ///
  /// Complexity and errors are those of ``EditableList/moveSection(_:beforeSection:)``.
  @discardableResult
  public func moveSection(_ section: Section.ID, beforeSection other: Section.ID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.moveSection(section, beforeSection: other) }
  }

  /// Moves a section with its items after another one.
  ///
  /// Complexity and errors are those of ``EditableList/moveSection(_:afterSection:)``.
  @discardableResult
  public func moveSection(_ section: Section.ID, afterSection other: Section.ID) throws(Failure)
    -> Changes
  {
    try edit { list throws(Failure) in try list.moveSection(section, afterSection: other) }
  }

  /// Replaces the content of sections, such as headers, by that of sections with the same ids, which
  /// keep their present items.
  ///
  /// Complexity and errors are those of ``EditableList/updateSections(_:)``.
  @discardableResult
  public func updateSections(_ updated: [Section]) throws(Failure) -> Changes {
    try edit { list throws(Failure) in try list.updateSections(updated) }
  }
}
