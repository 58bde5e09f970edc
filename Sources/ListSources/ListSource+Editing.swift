import ListDiff
internal import SumTrees

extension ListSource {
  /// The error type of edits.
  public typealias Failure = EditError<Section.ID, ItemID>

  /// The state that is not in the items, before a batch.
  struct Batch {
    var cursor: ItemID?
    var marks: SelectionMarks<ItemID>
    var choices: Choices<ItemID>
    var selectionModes: [Section.ID: SelectionMode]
    var initialChoices: [Section.ID: [ItemID]]
  }

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
    guard openBatch == nil else {
      try edits()
      return Changes(unchanged: [])
    }
    let before = Batch(
      cursor: cursor, marks: tree.marks, choices: tree.choices,
      selectionModes: tree.selectionModes, initialChoices: tree.initialChoices)
    openBatch = before
    do {
      try edits()
    } catch {
      openBatch = nil
      tree.undoChange()
      state.list = nil
      (cursor, tree.marks, tree.choices) = (before.cursor, before.marks, before.choices)
      (tree.selectionModes, tree.initialChoices) = (
        before.selectionModes, before.initialChoices
      )
      throw error
    }
    openBatch = nil
    return finish()
  }

  /// Finishes a change and sends it.
  private func finish() -> Changes {
    settle()
    let changes = tree.changes
    tree.finishChange()
    send(changes)
    return changes
  }

  private func edit(
    _ body: (inout ItemTree<Section>) throws(Failure) -> Void
  ) throws(Failure) -> Changes {
    state.list = nil
    return try batch { () throws(Failure) in try body(&tree) }
  }

  // MARK: Items

  /// Appends items to a section, or to the last section.
  ///
  /// - Complexity: O(*i* + log *n* + *s*), where *i* is the number of items added.
  /// - Throws: ``EditError`` if the section does not exist or an item exists already.
  @discardableResult
  public func appendItems(
    _ items: [Section.Item], toSection section: Section.ID? = nil
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.append(items, to: section) }
  }

  /// Inserts items before an item.
  ///
  /// - Complexity: The same as ``appendItems(_:toSection:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  @discardableResult
  public func insertItems(
    _ items: [Section.Item], beforeItem other: ItemID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in
      try tree.insert(items, beside: other, isAfter: false)
    }
  }

  /// Inserts items after an item.
  ///
  /// - Complexity: The same as ``appendItems(_:toSection:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  @discardableResult
  public func insertItems(
    _ items: [Section.Item], afterItem other: ItemID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.insert(items, beside: other, isAfter: true) }
  }

  /// Deletes items.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public func deleteItems(_ items: [ItemID]) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.delete(items) }
  }

  /// Moves an item before another one.
  ///
  /// - Complexity: O(log *n* + *s*).
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.move(item, beside: other, isAfter: false) }
  }

  /// Moves an item after another one.
  ///
  /// - Complexity: O(log *n* + *s*).
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.move(item, beside: other, isAfter: true) }
  }

  /// Moves items to the end of a section, in the given order.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item or the section does not exist.
  @discardableResult
  public func moveItems(_ items: [ItemID], toSection section: Section.ID) throws(Failure) -> Changes
  {
    try edit { tree throws(Failure) in try tree.move(items, to: section) }
  }

  /// Replaces items by those with the same ids.
  ///
  /// Those that are not equal to the present ones are updates.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public func updateItems(_ items: [Section.Item]) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.update(items) }
  }

  // MARK: Sections

  /// Appends sections with their items.
  ///
  /// - Complexity: O(*i* + *s* log *s*), where *i* is the number of items added.
  /// - Throws: ``EditError`` if an added section or an item exists already.
  @discardableResult
  public func appendSections(_ added: [Section]) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.insert(added, beside: nil, isAfter: true) }
  }

  /// Inserts sections with their items before a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist, or an added section or an item exists already.
  @discardableResult
  public func insertSections(
    _ added: [Section], beforeSection other: Section.ID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in
      try tree.insert(added, beside: other, isAfter: false)
    }
  }

  /// Inserts sections with their items after a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist, or an added section or an item exists already.
  @discardableResult
  public func insertSections(
    _ added: [Section], afterSection other: Section.ID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.insert(added, beside: other, isAfter: true) }
  }

  /// Deletes sections with their items.
  ///
  /// - Complexity: O(*i* + *s* log *s*), where *i* is the number of items deleted.
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public func deleteSections(_ removed: [Section.ID]) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.delete(sections: removed) }
  }

  /// Moves a section with its items before another one.
  ///
  /// - Complexity: O(*s* log *s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public func moveSection(
    _ section: Section.ID, beforeSection other: Section.ID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in
      try tree.move(section: section, beside: other, isAfter: false)
    }
  }

  /// Moves a section with its items after another one.
  ///
  /// - Complexity: O(*s* log *s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public func moveSection(
    _ section: Section.ID, afterSection other: Section.ID
  ) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in
      try tree.move(section: section, beside: other, isAfter: true)
    }
  }

  /// Replaces the content of sections, such as headers, by that of sections with the same ids, which
  /// keep their present items.
  ///
  /// - Complexity: O(*s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public func updateSections(_ updated: [Section]) throws(Failure) -> Changes {
    try edit { tree throws(Failure) in try tree.update(sections: updated) }
  }
}
