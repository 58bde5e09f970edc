import ListDiff

extension EditableList {
  /// Makes several edits, and changes of the selection and of the cursor, as one change, and returns that
  /// change.
  ///
  /// ```swift
  /// try list.batch { list throws(EditableList<Section>.Failure) in
  ///   try list.appendItems([Row(id: 3)])
  ///   try list.moveItem(2, beforeItem: 1)
  /// }
  /// ```
  ///
  /// The list has each edit at once. The single edits return an empty change. A batch in a batch is a part of
  /// it. A copy of the list that is made in a batch has the edits up to then.
  ///
  /// - Precondition: `edits` does not replace the list by another one.
  /// - Complexity: That of the edits, and O(*s*).
  /// - Throws: The error of `edits`. Nothing is changed then, unless an outer batch catches it.
  @discardableResult
  public mutating func batch<E: Error>(
    _ edits: (inout EditableList) throws(E) -> Void
  ) throws(E) -> Changes {
    guard let scope = beginBatch() else {
      try edits(&self)
      return Changes(unchanged: [])
    }
    do {
      try edits(&self)
    } catch {
      undoBatch()
      throw error
    }
    precondition(isInBatch, "a batch does not replace its list")
    return withExtendedLifetime(scope) { commit() }
  }

  // MARK: Items

  /// Appends items to a section, or to the last section.
  ///
  /// - Complexity: O(*i* + log *n* + *s*), where *i* is the number of items added.
  /// - Throws: ``EditError`` if the section does not exist or an item exists already.
  @discardableResult
  public mutating func appendItems(
    _ items: [Section.Item], toSection section: Section.ID? = nil
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.append(items, to: section) }
  }

  /// Inserts items before an item.
  ///
  /// - Complexity: The same as ``appendItems(_:toSection:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  @discardableResult
  public mutating func insertItems(
    _ items: [Section.Item], beforeItem other: ItemID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in
      try tree.insert(items, beside: other, isAfter: false)
    }
  }

  /// Inserts items after an item.
  ///
  /// - Complexity: The same as ``appendItems(_:toSection:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  @discardableResult
  public mutating func insertItems(
    _ items: [Section.Item], afterItem other: ItemID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.insert(items, beside: other, isAfter: true) }
  }

  /// Deletes items.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public mutating func deleteItems(_ items: [ItemID]) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.delete(items) }
  }

  /// Moves an item before another one.
  ///
  /// - Complexity: O(log *n* + *s*).
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public mutating func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) -> Changes
  {
    try editTree { tree throws(Failure) in try tree.move(item, beside: other, isAfter: false) }
  }

  /// Moves an item after another one.
  ///
  /// - Complexity: O(log *n* + *s*).
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public mutating func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) -> Changes
  {
    try editTree { tree throws(Failure) in try tree.move(item, beside: other, isAfter: true) }
  }

  /// Moves items to the end of a section, in the given order.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item or the section does not exist.
  @discardableResult
  public mutating func moveItems(_ items: [ItemID], toSection section: Section.ID) throws(Failure)
    -> Changes
  {
    try editTree { tree throws(Failure) in try tree.move(items, to: section) }
  }

  /// Replaces items by those with the same ids.
  ///
  /// Those that are not equal to the present ones are updates.
  ///
  /// - Complexity: O(*i* log *n* + *s*), where *i* is the number of items.
  /// - Throws: ``EditError`` if an item does not exist.
  @discardableResult
  public mutating func updateItems(_ items: [Section.Item]) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.update(items) }
  }

  // MARK: Sections

  /// Appends sections with their items.
  ///
  /// - Complexity: O(*i* + *s* log *s*), where *i* is the number of items added.
  /// - Throws: ``EditError`` if an added section or an item exists already.
  @discardableResult
  public mutating func appendSections(_ added: [Section]) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.insert(added, beside: nil, isAfter: true) }
  }

  /// Inserts sections with their items before a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist, or an added section or an item exists already.
  @discardableResult
  public mutating func insertSections(
    _ added: [Section], beforeSection other: Section.ID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in
      try tree.insert(added, beside: other, isAfter: false)
    }
  }

  /// Inserts sections with their items after a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist, or an added section or an item exists already.
  @discardableResult
  public mutating func insertSections(
    _ added: [Section], afterSection other: Section.ID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.insert(added, beside: other, isAfter: true) }
  }

  /// Deletes sections with their items.
  ///
  /// - Complexity: O(*i* + *s* log *s*), where *i* is the number of items deleted.
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public mutating func deleteSections(_ removed: [Section.ID]) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.delete(sections: removed) }
  }

  /// Moves a section with its items before another one.
  ///
  /// - Complexity: O(*s* log *s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public mutating func moveSection(
    _ section: Section.ID, beforeSection other: Section.ID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in
      try tree.move(section: section, beside: other, isAfter: false)
    }
  }

  /// Moves a section with its items after another one.
  ///
  /// - Complexity: O(*s* log *s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public mutating func moveSection(
    _ section: Section.ID, afterSection other: Section.ID
  ) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in
      try tree.move(section: section, beside: other, isAfter: true)
    }
  }

  /// Replaces the content of sections, such as headers, by that of sections with the same ids, which
  /// keep their present items.
  ///
  /// - Complexity: O(*s*).
  /// - Throws: ``EditError`` if a section does not exist.
  @discardableResult
  public mutating func updateSections(_ updated: [Section]) throws(Failure) -> Changes {
    try editTree { tree throws(Failure) in try tree.update(sections: updated) }
  }
}
