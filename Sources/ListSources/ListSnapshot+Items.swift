extension ListSnapshot {
  /// The error type of edits.
  public typealias Failure = EditError<SectionID, ItemID>

  /// Appends items to a section, or to the last section.
  ///
  /// - Complexity: O(*i* + log *n*), where *i* is the number of items added and *n* of all items.
  /// - Throws: ``EditError`` if the section does not exist or an item exists already.
  public mutating func appendItems(
    _ items: [ItemID], toSection section: SectionID? = nil
  ) throws(Failure) {
    try tree.append(items.map { .init(id: $0) }, to: section)
  }

  /// Inserts items before an item.
  ///
  /// - Complexity: The same as ``appendItems(_:toSection:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  public mutating func insertItems(
    _ items: [ItemID], beforeItem other: ItemID
  ) throws(Failure) {
    try tree.insert(items.map { .init(id: $0) }, beside: other, isAfter: false)
  }

  /// Inserts items after an item.
  ///
  /// - Complexity: The same as ``insertItems(_:beforeItem:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added item exists already.
  public mutating func insertItems(
    _ items: [ItemID], afterItem other: ItemID
  ) throws(Failure) {
    try tree.insert(items.map { .init(id: $0) }, beside: other, isAfter: true)
  }

  /// Deletes items.
  ///
  /// - Complexity: O(*i* log *n*), where *i* is the number of items and *n* of all items.
  /// - Throws: ``EditError`` if an item does not exist.
  public mutating func deleteItems(_ items: [ItemID]) throws(Failure) {
    try tree.delete(items)
    reconfigureMarks.remove(items)
    reloadMarks.remove(items)
  }

  /// Deletes all items and all sections.
  public mutating func deleteAllItems() { self = ListSnapshot() }

  /// Moves an item before another one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of items.
  /// - Throws: ``EditError`` if an item does not exist.
  public mutating func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) {
    try tree.move(item, beside: other, isAfter: false)
  }

  /// Moves an item after another one.
  ///
  /// - Complexity: The same as ``moveItem(_:beforeItem:)``.
  /// - Throws: ``EditError`` if an item does not exist.
  public mutating func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) {
    try tree.move(item, beside: other, isAfter: true)
  }

  /// Marks items as needing new views, such as cells of another class.
  ///
  /// - Throws: ``EditError`` if an item does not exist.
  public mutating func reloadItems(_ items: [ItemID]) throws(Failure) {
    try tree.touch(items)
    reloadMarks.add(items)
  }

  /// Marks items as updated, to be shown in their present views.
  ///
  /// - Throws: ``EditError`` if an item does not exist.
  public mutating func reconfigureItems(_ items: [ItemID]) throws(Failure) {
    try tree.touch(items)
    reconfigureMarks.add(items)
  }
}
