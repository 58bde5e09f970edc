extension ListSnapshot {
  /// Adds sections without items at the end.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections added.
  public mutating func appendSections(_ added: [SectionID]) throws(Failure) {
    try insert(added, at: sections.count)
  }

  /// Adds sections without items in front of a section.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public mutating func insertSections(
    _ added: [SectionID], beforeSection other: SectionID
  ) throws(Failure) {
    try insert(added, at: index(of: other))
  }

  /// Adds sections without items behind a section.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public mutating func insertSections(
    _ added: [SectionID], afterSection other: SectionID
  ) throws(Failure) {
    try insert(added, at: index(of: other) + 1)
  }

  /// Removes sections with their items.
  ///
  /// - Complexity: O(*s* + *n*), where *s* is the number of sections and *n* of items removed.
  public mutating func deleteSections(_ removed: [SectionID]) throws(Failure) {
    for section in removed { _ = try index(of: section) }
    let gone = Set(removed)
    for section in gone {
      let items = chunks.removeSection(section)
      reconfiguredItems.subtract(items)
      reloadedItems.subtract(items)
    }
    sections.removeAll { gone.contains($0) }
    reloadedSections.subtract(gone)
  }

  /// Moves a section with its items in front of another one.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public mutating func moveSection(
    _ section: SectionID, beforeSection other: SectionID
  ) throws(Failure) {
    try move(section, beside: other, offset: 0)
  }

  /// Moves a section with its items behind another one.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  public mutating func moveSection(
    _ section: SectionID, afterSection other: SectionID
  ) throws(Failure) {
    try move(section, beside: other, offset: 1)
  }

  /// Has the headers and footers of sections shown anew.
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
