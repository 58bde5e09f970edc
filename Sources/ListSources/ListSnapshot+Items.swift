extension ListSnapshot {
  /// The error type of edits.
  public typealias Failure = SnapshotError<SectionID, ItemID>

  /// Appends items to a section, or to the last section.
  ///
  /// - Complexity: O(*i* + 256), where *i* is the number of items added.
  /// - Throws: ``SnapshotError`` if there is no such section or an item exists already.
  public mutating func appendItems(
    _ items: [ItemID], toSection section: SectionID? = nil
  ) throws(Failure) {
    guard let target = section ?? sections.last else { throw .noSections }
    guard chunks.hasSection(target) else { throw .noSection(target) }
    try checkNew(items)
    chunks.insert(items, in: target, at: chunks.count(in: target))
  }

  /// Inserts items before an item.
  ///
  /// - Complexity: O(*i* + *m* / 256), where *i* is the number of items added and *m* of items in
  ///   the section.
  /// - Throws: ``SnapshotError`` if `other` does not exist or an added item exists already.
  public mutating func insertItems(
    _ items: [ItemID], beforeItem other: ItemID
  ) throws(Failure) {
    try insert(items, beside: other, offset: 0)
  }

  /// Inserts items after an item.
  ///
  /// - Complexity: The same as ``insertItems(_:beforeItem:)``.
  /// - Throws: ``SnapshotError`` if `other` does not exist or an added item exists already.
  public mutating func insertItems(
    _ items: [ItemID], afterItem other: ItemID
  ) throws(Failure) {
    try insert(items, beside: other, offset: 1)
  }

  /// Deletes items.
  ///
  /// - Complexity: O(*i* *m* / 256), where *i* is the number of items and *m* of items in a
  ///   section.
  /// - Throws: ``SnapshotError`` if an item does not exist.
  public mutating func deleteItems(_ items: [ItemID]) throws(Failure) {
    try checkKnown(items)
    for item in items { chunks.remove(item) }
    reconfiguredItems.subtract(items)
    reloadedItems.subtract(items)
  }

  /// Deletes all items and all sections.
  public mutating func deleteAllItems() { self = ListSnapshot() }

  /// Moves an item before another one.
  ///
  /// - Complexity: O(*m* / 256), where *m* is the number of items in a section.
  /// - Throws: ``SnapshotError`` if an item does not exist.
  public mutating func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) {
    try move(item, beside: other, offset: 0)
  }

  /// Moves an item after another one.
  ///
  /// - Complexity: The same as ``moveItem(_:beforeItem:)``.
  /// - Throws: ``SnapshotError`` if an item does not exist.
  public mutating func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) {
    try move(item, beside: other, offset: 1)
  }

  /// Marks items as needing new views.
  ///
  /// - Throws: ``SnapshotError`` if an item does not exist.
  public mutating func reloadItems(_ items: [ItemID]) throws(Failure) {
    try checkKnown(items)
    reloadedItems.formUnion(items)
  }

  /// Marks items as updated, to be shown in their present views.
  ///
  /// - Throws: ``SnapshotError`` if an item does not exist.
  public mutating func reconfigureItems(_ items: [ItemID]) throws(Failure) {
    try checkKnown(items)
    reconfiguredItems.formUnion(items)
  }

  private mutating func insert(
    _ items: [ItemID], beside other: ItemID, offset: Int
  ) throws(Failure) {
    guard let section = chunks.section(of: other), let row = chunks.row(of: other) else {
      throw .noItem(other)
    }
    try checkNew(items)
    chunks.insert(items, in: section, at: row + offset)
  }

  private mutating func move(
    _ item: ItemID, beside other: ItemID, offset: Int
  ) throws(Failure) {
    try checkKnown([item, other])
    if item == other { return }
    chunks.remove(item)
    guard let section = chunks.section(of: other), let row = chunks.row(of: other) else { return }
    chunks.insert([item], in: section, at: row + offset)
  }

  private func checkNew(_ items: [ItemID]) throws(Failure) {
    var seen: Set<ItemID> = []
    for item in items where chunks.section(of: item) != nil || !seen.insert(item).inserted {
      throw .duplicateItem(item)
    }
  }

  private func checkKnown(_ items: [ItemID]) throws(Failure) {
    for item in items where chunks.section(of: item) == nil { throw .noItem(item) }
  }
}
