internal import SumTrees

/// Edits by value. An edit that throws has changed nothing.
extension ItemTree {
  /// Appends items to a section, or to the last one.
  mutating func append(_ items: [Item], to section: Section.ID?) throws(Failure) {
    guard let number = try section.map(number(of:)) ?? order.last(ofTree: 0) else {
      throw .noSections
    }
    try checkNew(items)
    if !items.isEmpty { insert(items, at: end(ofSection: number)) }
  }

  /// Inserts items before or after an item.
  mutating func insert(
    _ items: [Item], beside other: ItemID, isAfter: Bool
  ) throws(Failure) {
    guard let location = location(of: other) else { throw .noItem(other) }
    try checkNew(items)
    insert(items, at: location.advanced(by: isAfter ? 1 : 0))
  }

  mutating func delete(_ items: [ItemID]) throws(Failure) {
    try checkKnown(items)
    for item in items { if let location = location(of: item) { remove(at: location) } }
  }

  /// Moves an item before or after another one.
  mutating func move(_ item: ItemID, beside other: ItemID, isAfter: Bool) throws(Failure) {
    try checkKnown([item, other])
    guard item != other, let from = location(of: item) else { return }
    let moved = remove(at: from)
    guard let location = location(of: other) else { return }
    insert([moved], at: location.advanced(by: isAfter ? 1 : 0))
  }

  /// Moves items to the end of a section.
  mutating func move(_ items: [ItemID], to section: Section.ID) throws(Failure) {
    let number = try number(of: section)
    try checkKnown(items)
    var moved: [Item] = []
    for item in items {
      if let location = location(of: item) { moved.append(remove(at: location)) }
    }
    if !moved.isEmpty { insert(moved, at: end(ofSection: number)) }
  }

  /// Replaces items by those with the same ids.
  mutating func update(_ items: [Item]) throws(Failure) {
    for item in items where !contains(item.id) { throw .noItem(item.id) }
    for item in items { if let location = location(of: item.id) { replace(location, with: item) } }
  }

  // MARK: Sections

  /// Inserts sections with their items before or after a section, or after the last one.
  mutating func insert(
    _ added: [Section], beside other: Section.ID?, isAfter: Bool
  ) throws(Failure) {
    let other = try other.map(number(of:))
    var seen: Set<Section.ID> = []
    for section in added where numbers[section.id] != nil || !seen.insert(section.id).inserted {
      throw .duplicateSection(section.id)
    }
    try checkNew(added.flatMap(\.items))
    var last = other.map { isAfter ? $0 : order.element(before: $0) } ?? order.last(ofTree: 0)
    for section in added { last = insertSection(section, after: last) }
  }

  mutating func delete(sections: [Section.ID]) throws(Failure) {
    for section in sections { _ = try number(of: section) }
    for section in sections { if let number = numbers[section] { removeSection(number) } }
  }

  /// Moves a section before or after another one.
  mutating func move(
    section: Section.ID, beside other: Section.ID, isAfter: Bool
  ) throws(Failure) {
    let number = try number(of: section)
    let target = try self.number(of: other)
    if number == target { return }
    let last = isAfter ? target : order.element(before: target)
    if last != number { moveSection(number, after: last) }
  }

  /// Replaces the content of sections by that of sections with the same ids, and keeps their items.
  mutating func update(sections: [Section]) throws(Failure) {
    for section in sections { _ = try number(of: section.id) }
    for section in sections { try updateSection(number(of: section.id), with: section) }
  }

  // MARK: Checks

  /// Returns the number of a section.
  func number(of section: Section.ID) throws(Failure) -> Int {
    guard let number = numbers[section] else { throw .noSection(section) }
    return number
  }

  func checkKnown(_ items: [ItemID]) throws(Failure) {
    for item in items where !contains(item) { throw .noItem(item) }
  }

  private func checkNew(_ items: [Item]) throws(Failure) {
    var seen: Set<ItemID> = []
    for item in items where contains(item.id) || items.count > 1 && !seen.insert(item.id).inserted {
      throw .duplicateItem(item.id)
    }
  }
}

extension ItemLocation {
  fileprivate func advanced(by count: Int) -> ItemLocation {
    ItemLocation(leaf: leaf, index: index + count)
  }
}
