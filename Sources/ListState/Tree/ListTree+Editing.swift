import ByteBuffers
import ListDiff
import ListStages

extension ListTree {
  /// Makes one edit. `past` returns the item at a section and row of an older revision, or `nil`
  /// if there is none. If the identifier table overflows, some items may not be inserted.
  ///
  /// - Throws: `EditFailure` if the edit cannot be made. Part of it may have been made then.
  mutating func make(
    _ edit: Edit, _ ids: inout IDTable, past: (Int, Int, Int) throws(EditFailure) -> PastItem?
  ) throws(EditFailure) {
    try checkDistinct(edit)
    switch edit {
    case .appendItems(let items, let section):
      let target = try self.section(section)
      try checkNew(items)
      append(records(items.items, &ids), toSection: target)
    case .insertItems(let items, let anchor):
      guard let key = try key(of: anchor.item, past) else {
        throw anchor.item.names(oneOf: keys(of: items))
          ? .anchoredToItself : .itemsNotFound([], anchor: true)
      }
      try checkAnchor(items, from: key)
      try checkNew(items)
      insert(records(items.items, &ids), beside: key, isAfter: anchor.isAfter)
    case .deleteItems(let items):
      for key in try keys(of: items, past) {
        if let location = location(of: key) { remove(at: location) }
        change.forcedItems[key] = nil
      }
    case .moveItems(let items, let anchor):
      let key = try key(of: anchor.item, past)
      let moved = try keys(of: items, isAnchored: key != nil, past).distinct
      guard let key else { throw .itemsNotFound([], anchor: true) }
      guard !moved.contains(key) else { throw .anchoredToItself }
      insert(removeItems(withKeys: moved), beside: key, isAfter: anchor.isAfter)
    case .moveItemsToSection(let items, let section):
      let moved = try keys(of: items, past).distinct
      let target = try sections([section])[0]
      append(removeItems(withKeys: moved), toSection: target)
    case .updateItems(let items): try update(items, adds: false, section: nil, &ids)
    case .putItems(let items, let section): try update(items, adds: true, section: section, &ids)
    case .touchItems(let items, let change): try force(change, ofItems: items, past)
    case .appendSections(let added):
      try insert(sections: added, after: order.last(ofTree: 0), &ids)
    case .insertSections(let added, let anchor):
      let (section, isAfter) = try self.anchor(anchor, of: sectionKeys(of: added))
      try insert(
        sections: added, after: isAfter ? section : order.element(before: section), &ids)
    case .deleteSections(let references):
      for section in try sections(references) where !sections[section].isDeleted {
        deleteSection(section)
      }
    case .moveSection(let reference, let anchor): try move(reference, anchor)
    case .updateSections(let updates):
      let found = try sections(sectionKeys(of: updates).map { SectionReference(key: $0) })
      for (index, section) in zip(updates.sections, found) {
        setTraits(newTraits(ofSection: index), ofSection: section)
      }
    case .touchSections(let references, let forced):
      for section in try sections(references) {
        let key = sections[section].key
        change.forcedSections[key] = max(change.forcedSections[key] ?? .none, forced)
      }
    case .outline: throw .ofOutline
    case .deleteAllItems: for section in sectionsInOrder { deleteSection(section) }
    }
  }

  // MARK: New content

  private func keys(of given: EditContent) -> ArraySlice<UInt32> {
    given.items.isEmpty ? [] : change.newContent.arrangement.rows[given.items]
  }

  private func sectionKeys(of given: EditContent) -> ArraySlice<UInt32> {
    given.sections.isEmpty ? [] : change.newContent.arrangement.sections[given.sections]
  }

  /// Returns new items as records with the keys of their identities. The tree keeps their buffers.
  private mutating func newItems(_ items: some Sequence<Int>) -> [ItemRecord] {
    let newContent = change.newContent
    let buffers = numbers(of: newContent.buffers)
    return items.map { record(of: $0, newContent, buffers) }
  }

  /// Adds buffers, and returns their numbers.
  private mutating func numbers(of buffers: [SharedBytes]) -> [UInt32] {
    buffers.map { texts.number(of: $0) }
  }

  /// Returns new items as records with keys of their own. The tree keeps their buffers.
  private mutating func records(
    _ items: some Sequence<Int>, _ ids: inout IDTable
  ) -> [ItemRecord] {
    var records = newItems(items)
    makeDistinct(&records, mayRepeat: change.newContent.arrangement.hasRepeats, &ids)
    return records
  }

  private mutating func newTraits(ofSection section: Int) -> SectionTraits {
    var traits = change.newContent.sections[section]
    traits.own.buffer = texts.number(of: change.newContent.buffers[Int(traits.own.buffer)])
    return traits
  }

  /// Checks that the new content of an edit has no duplicates.
  ///
  /// - Throws: `duplicates`, which also names the new items and sections that exist already.
  private func checkDistinct(_ edit: Edit) throws(EditFailure) {
    guard let given = edit.given, given.hasDuplicates else { return }
    switch edit {
    case .updateItems, .putItems: throw .duplicates(items: ambiguousItems(of: given))
    case .updateSections: throw .duplicates(items: [])
    case .appendSections, .insertSections:
      throw .duplicates(items: existingItems(of: given), sections: existingSections(of: given))
    default: throw .duplicates(items: existingItems(of: given))
    }
  }

  /// Checks that inserting items does not repeat an explicit identifier.
  private func checkNew(_ items: EditContent) throws(EditFailure) {
    let duplicates = existingItems(of: items)
    guard duplicates.isEmpty else { throw .duplicates(items: duplicates) }
  }

  /// Returns the indices of the new items that cannot be inserted, because an item with the same
  /// explicit identifier exists.
  private func existingItems(of given: EditContent) -> [Int] {
    anyLocations(ofIdentities: keys(of: given)).enumerated().filter { index, location in
      location.map {
        let new = change.newContent.traits[given.items.lowerBound + index]
        return record(at: $0).traits.union(new).contains(.hasExplicitID)
      } ?? false
    }.map(\.offset)
  }

  /// Returns the indices of the new sections that exist already.
  private func existingSections(of given: EditContent) -> [Int] {
    sectionKeys(of: given).enumerated().filter { section(withKey: $1) != nil }.map(\.offset)
  }

  /// Returns the indices of the new items that cannot replace existing items, because that would
  /// repeat an explicit identifier.
  private func ambiguousItems(of given: EditContent) -> [Int] {
    guard !repeats.isEmpty else { return [] }
    return keys(of: given).enumerated().filter { index, key in
      change.newContent.traits[given.items.lowerBound + index].contains(.hasExplicitID)
        && locations(ofIdentity: key).count > 1
    }.map(\.offset)
  }

  /// Checks that the anchor of an insertion is not one of the inserted items.
  private func checkAnchor(_ items: EditContent, from anchor: UInt32) throws(EditFailure) {
    guard let location = location(of: anchor) else { return }
    let isExplicit = record(at: location).traits.contains(.hasExplicitID)
    let keys = keys(of: items)
    let identity = identity(of: anchor)
    let isSame = keys.indices.contains { item in
      keys[item] == identity
        && (isExplicit || change.newContent.traits[item].contains(.hasExplicitID))
    }
    guard !isSame else { throw .anchoredToItself }
  }

  // MARK: Items

  private mutating func insert(_ records: [ItemRecord], beside key: UInt32, isAfter: Bool) {
    guard var location = location(of: key) else { preconditionFailure("an anchor exists") }
    if isAfter { location.index += 1 }
    insert(records, at: location)
  }

  /// Removes items and returns them.
  private mutating func removeItems(withKeys keys: [UInt32]) -> [ItemRecord] {
    keys.compactMap { key in
      location(of: key).map { remove(at: $0) }.map { record in
        var record = record
        // The selection is restored when the item is inserted again.
        record.traits.remove(.selected)
        return record
      }
    }
  }

  private mutating func update(
    _ given: EditContent, adds: Bool, section: SectionReference?, _ ids: inout IDTable
  ) throws(EditFailure) {
    let present = presentItems(given)
    let missing = present.indices.filter { present[$0] == nil }
    guard adds || missing.isEmpty else { throw .givenItemsNotFound(missing) }
    let ambiguous = ambiguousItems(of: given)
    guard ambiguous.isEmpty else { throw .duplicates(items: ambiguous) }
    // The section must exist even if nothing is appended to it.
    let target = missing.isEmpty && section == nil ? nil : try self.section(section)
    let newContent = change.newContent
    let buffers = numbers(of: newContent.buffers)
    var added: [ItemRecord] = []
    for (index, item) in given.items.enumerated() {
      var record = self.record(of: item, newContent, buffers)
      guard let location = present[index] else {
        added.append(record)
        continue
      }
      if !repeats.isEmpty { record.key = self.record(at: location).key }
      replace(location, with: record)
    }
    guard let target else { return }
    makeDistinct(&added, mayRepeat: change.newContent.arrangement.hasRepeats, &ids)
    append(added, toSection: target)
  }

  /// Returns the locations of the items that new items replace. The first of several new items with
  /// the same identity replaces the first such item of the list, the second one the second.
  private mutating func presentItems(_ given: EditContent) -> [Location?] {
    guard change.newContent.arrangement.hasRepeats || !repeats.isEmpty else {
      return keys(of: given).map { location(of: $0) }
    }
    var counts: [UInt32: Int] = [:]
    return keys(of: given).map { key in
      let number = counts[key, default: 0]
      counts[key] = number + 1
      return self.key(ofIdentity: key, occurrence: number).flatMap(location(of:))
    }
  }

  private mutating func force(
    _ forced: ContentChange, ofItems items: [ItemReference],
    _ past: (Int, Int, Int) throws(EditFailure) -> PastItem?
  ) throws(EditFailure) {
    for key in try keys(of: items, past) {
      if let location = location(of: key) { save(location.leaf) }
      change.forcedItems[key] = max(change.forcedItems[key] ?? .none, forced)
    }
  }

  /// Returns the keys of the items that references name.
  ///
  /// - Throws: `itemsNotFound` with all missing items, and whether an anchor is missing.
  private mutating func keys(
    of references: [ItemReference], isAnchored: Bool = true,
    _ past: (Int, Int, Int) throws(EditFailure) -> PastItem?
  ) throws(EditFailure) -> [UInt32] {
    var found: [UInt32] = []
    var missing: [Int] = []
    for (index, reference) in references.enumerated() {
      if let key = try key(of: reference, past) {
        found.append(key)
      } else {
        missing.append(index)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing, anchor: !isAnchored) }
    return found
  }

  private mutating func key(
    of reference: ItemReference, _ past: (Int, Int, Int) throws(EditFailure) -> PastItem?
  ) throws(EditFailure) -> UInt32? {
    switch reference {
    case .id(let key, let occurrence, let source):
      guard let key, source == nil || source == name else { return nil }
      return self.key(ofIdentity: key, occurrence: occurrence)
    case .path(let section, let row, nil):
      return self.section(at: section).flatMap { location(section: $0, row: row)?.item }
        .map { record(at: $0).key }
    case .path(let section, let row, let revision?):
      return try past(revision, section, row).flatMap(key(of:))
    }
  }

  // MARK: Sections

  /// Returns the section that a reference names; without one, the last section. If there is none,
  /// inserts the section of items that are not in sections.
  private mutating func section(_ reference: SectionReference?) throws(EditFailure) -> Int {
    if let reference { return try sections([reference])[0] }
    if let last = order.last(ofTree: 0) { return last }
    guard let main = change.main else { throw .sectionsNotFound([]) }
    let own = Payload(
      start: 0, length: main.own.count, buffer: Int(texts.number(of: main.own)))
    return insertSection(main.key, SectionTraits(own: own), after: nil)
  }

  private func sections(_ references: [SectionReference]) throws(EditFailure) -> [Int] {
    let found = references.map { $0.key.flatMap(section(withKey:)) }
    let missing = found.indices.filter { found[$0] == nil }
    guard missing.isEmpty else { throw .sectionsNotFound(missing) }
    return found.compactMap(\.self)
  }

  private func anchor(
    _ anchor: AnchoredSection, of added: ArraySlice<UInt32>
  ) throws(EditFailure) -> (section: Int, isAfter: Bool) {
    if let key = anchor.section.key, added.contains(key) { throw .anchoredToItself }
    guard let section = anchor.section.key.flatMap(section(withKey:)) else {
      throw .sectionsNotFound([], anchor: true)
    }
    return (section, anchor.isAfter)
  }

  private mutating func insert(
    sections added: EditContent, after last: Int?, _ ids: inout IDTable
  ) throws(EditFailure) {
    let existing = (items: existingItems(of: added), sections: existingSections(of: added))
    guard existing.items.isEmpty, existing.sections.isEmpty else {
      throw .duplicates(items: existing.items, sections: existing.sections)
    }
    var last = last
    for index in added.sections {
      let key = change.newContent.arrangement.sections[index]
      let section = insertSection(key, newTraits(ofSection: index), after: last)
      append(
        records(change.newContent.arrangement.range(ofSection: index), &ids), toSection: section)
      last = section
    }
  }

  private mutating func move(
    _ reference: SectionReference, _ anchor: AnchoredSection
  ) throws(EditFailure) {
    let moved = reference.key.flatMap(section(withKey:))
    guard let target = anchor.section.key.flatMap(section(withKey:)), let moved else {
      let isAnchored = anchor.section.key.flatMap(section(withKey:)) != nil
      throw .sectionsNotFound(moved == nil ? [0] : [], anchor: !isAnchored)
    }
    guard moved != target else { throw .anchoredToItself }
    guard !anchor.isAfter else { return moveSection(moved, after: target) }
    let before = order.element(before: target)
    if before != moved { moveSection(moved, after: before) }
  }
}

extension ItemReference {
  /// Reports whether the reference names one of some keys.
  fileprivate func names(oneOf keys: ArraySlice<UInt32>) -> Bool {
    guard case .id(let key?, _, _) = self else { return false }
    return keys.contains(key)
  }
}

extension [UInt32] {
  /// The keys without duplicates, in the order of their first occurrences.
  fileprivate var distinct: [UInt32] {
    if count < 2 { return self }
    var seen = Set<UInt32>()
    return filter { seen.insert($0).inserted }
  }
}
