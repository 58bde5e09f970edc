extension ListSnapshot {
  /// Appends sections without items.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections added.
  /// - Throws: ``SnapshotError`` if a section exists already.
  public mutating func appendSections(_ added: [SectionID]) throws(Failure) {
    try insert(added, at: sections.count)
  }

  /// Inserts sections without items before a section.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  /// - Throws: ``SnapshotError`` if `other` does not exist or an added section exists already.
  public mutating func insertSections(
    _ added: [SectionID], beforeSection other: SectionID
  ) throws(Failure) {
    try insert(added, at: index(of: other))
  }

  /// Inserts sections without items after a section.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  /// - Throws: ``SnapshotError`` if `other` does not exist or an added section exists already.
  public mutating func insertSections(
    _ added: [SectionID], afterSection other: SectionID
  ) throws(Failure) {
    try insert(added, at: index(of: other) + 1)
  }

  /// Deletes sections with their items.
  ///
  /// - Complexity: O(*s* + *n*), where *s* is the number of sections and *n* of items removed.
  /// - Throws: ``SnapshotError`` if a section does not exist.
  public mutating func deleteSections(_ removed: [SectionID]) throws(Failure) {
    for section in removed { _ = try index(of: section) }
    let deleted = Set(removed)
    for section in deleted {
      let items = chunks.removeSection(section)
      reconfiguredItems.subtract(items)
      reloadedItems.subtract(items)
    }
    sections.removeAll { deleted.contains($0) }
    reloadedSections.subtract(deleted)
  }

  /// Moves a section with its items before another one.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  /// - Throws: ``SnapshotError`` if a section does not exist.
  public mutating func moveSection(
    _ section: SectionID, beforeSection other: SectionID
  ) throws(Failure) {
    try move(section, beside: other, offset: 0)
  }

  /// Moves a section with its items after another one.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  /// - Throws: ``SnapshotError`` if a section does not exist.
  public mutating func moveSection(
    _ section: SectionID, afterSection other: SectionID
  ) throws(Failure) {
    try move(section, beside: other, offset: 1)
  }

  /// Marks sections as needing new headers and footers.
  ///
  /// - Throws: ``SnapshotError`` if a section does not exist.
  public mutating func reloadSections(_ named: [SectionID]) throws(Failure) {
    for section in named { _ = try index(of: section) }
    reloadedSections.formUnion(named)
  }

  private func index(of section: SectionID) throws(Failure) -> Int {
    guard let index = indexOfSection(section) else { throw .noSection(section) }
    return index
  }

  private mutating func insert(_ added: [SectionID], at index: Int) throws(Failure) {
    var seen: Set<SectionID> = []
    for section in added where chunks.hasSection(section) || !seen.insert(section).inserted {
      throw .duplicateSection(section)
    }
    for section in added { chunks.addSection(section) }
    sections.insert(contentsOf: added, at: index)
  }

  private mutating func move(
    _ section: SectionID, beside other: SectionID, offset: Int
  ) throws(Failure) {
    let from = try index(of: section)
    _ = try index(of: other)
    if section == other { return }
    sections.remove(at: from)
    try sections.insert(section, at: index(of: other) + offset)
  }
}
