extension ListSnapshot {
  /// Appends sections without items.
  ///
  /// - Complexity: O(*i* log *s*), where *i* is the number of sections added and *s* of all sections.
  /// - Throws: ``EditError`` if a section exists already.
  public mutating func appendSections(_ added: [SectionID]) throws(Failure) {
    try insert(added, beside: nil, isAfter: true)
  }

  /// Inserts sections without items before a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added section exists already.
  public mutating func insertSections(
    _ added: [SectionID], beforeSection other: SectionID
  ) throws(Failure) {
    try insert(added, beside: other, isAfter: false)
  }

  /// Inserts sections without items after a section.
  ///
  /// - Complexity: The same as ``appendSections(_:)``.
  /// - Throws: ``EditError`` if `other` does not exist or an added section exists already.
  public mutating func insertSections(
    _ added: [SectionID], afterSection other: SectionID
  ) throws(Failure) {
    try insert(added, beside: other, isAfter: true)
  }

  /// Deletes sections with their items.
  ///
  /// - Complexity: O(*i* log *s* + *k*), where *i* is the number of sections deleted, *s* of all
  ///   sections, and *k* of items deleted.
  /// - Throws: ``EditError`` if a section does not exist.
  public mutating func deleteSections(_ removed: [SectionID]) throws(Failure) {
    let items = removed.flatMap(itemIdentifiers(inSection:))
    try tree.delete(sections: removed)
    reconfigureMarks.remove(items)
    reloadMarks.remove(items)
    sectionMarks.remove(removed)
  }

  /// Moves a section with its items before another one.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  /// - Throws: ``EditError`` if a section does not exist.
  public mutating func moveSection(
    _ section: SectionID, beforeSection other: SectionID
  ) throws(Failure) {
    try tree.move(section: section, beside: other, isAfter: false)
  }

  /// Moves a section with its items after another one.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  /// - Throws: ``EditError`` if a section does not exist.
  public mutating func moveSection(
    _ section: SectionID, afterSection other: SectionID
  ) throws(Failure) {
    try tree.move(section: section, beside: other, isAfter: true)
  }

  /// Marks sections as needing new headers and footers.
  ///
  /// - Throws: ``EditError`` if a section does not exist.
  public mutating func reloadSections(_ named: [SectionID]) throws(Failure) {
    for section in named { _ = try tree.number(of: section) }
    sectionMarks.add(named)
  }

  private mutating func insert(
    _ added: [SectionID], beside other: SectionID?, isAfter: Bool
  ) throws(Failure) {
    try tree.insert(added.map { SnapshotSection(id: $0) }, beside: other, isAfter: isAfter)
  }
}
