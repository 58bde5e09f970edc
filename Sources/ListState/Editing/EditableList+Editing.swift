import ListDiff

extension EditableList {
  /// Makes one edit. `past` returns the snapshot of an older revision.
  ///
  /// - Throws: `EditFailure` if the edit cannot be made. Nothing of it has been made then, or the
  ///   caller discards the list.
  mutating func make(
    _ edit: Edit, past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) {
    if case .moveSection = edit {} else { updateOrder() }
    try checkDistinct(edit)
    switch edit {
    case .appendItems(let items, let section):
      let target = try self.section(section)
      try checkNew(items)
      append(pieces(of: items), to: target)
    case .insertItems(let items, let anchor):
      guard let handle = try handle(anchor.item, past) else {
        throw anchor.item.names(oneOf: keys(of: items))
          ? .anchoredToItself : .itemsNotFound([], anchor: true)
      }
      try checkAnchor(items, from: handle)
      try checkNew(items)
      insert(pieces(of: items), at: handle, isAfter: anchor.isAfter)
    case .deleteItems(let items): remove(try handles(items, past))
    case .moveItems(let items, let anchor):
      let (moved, handle) = try handles(items, anchor.item, past)
      guard !moved.contains(handle) else { throw .anchoredToItself }
      remove(moved)
      insert(moved.map(PieceTable.piece), at: handle, isAfter: anchor.isAfter)
    case .moveItemsToSection(let items, let section):
      let moved = try handles(items, past).distinct
      let target = try self.section(section)
      remove(moved)
      append(moved.map(PieceTable.piece), to: target)
    case .updateItems(let items): try update(items, adds: false, section: nil)
    case .putItems(let items, let section): try update(items, adds: true, section: section)
    case .touchItems(let items, let change):
      for handle in try handles(items, past) {
        forcedItems[handle] = max(forcedItems[handle] ?? .none, change)
      }
    case .appendSections(let added): try insert(sections: added, at: .end)
    case .insertSections(let added, let anchor):
      let position = try position(anchor, of: sectionKeys(of: added))
      try insert(sections: added, at: position)
    case .deleteSections(let references):
      var seen = Set<SectionID>()
      let deleted = try sections(references).filter { seen.insert($0).inserted }
      for section in deleted { forcedSections[key(of: section)] = nil }
      remove(deleted)
    case .moveSection(let reference, let anchor):
      let isAnchored = find(anchor.section) != nil
      guard let moved = find(reference), isAnchored else {
        throw .sectionsNotFound(find(reference) == nil ? [0] : [], anchor: !isAnchored)
      }
      guard reference != anchor.section else { throw .anchoredToItself }
      move(moved, to: try position(anchor))
    case .updateSections(let updates): try update(sections: updates)
    case .touchSections(let references, let change):
      for section in try sections(references) {
        let key = key(of: section)
        forcedSections[key] = max(forcedSections[key] ?? .none, change)
      }
    case .outline: throw .ofOutline
    case .deleteAllItems:
      removeAll()
      forcedSections = [:]
    }
  }

  // MARK: Items

  private func pieces(of items: EditContent) -> [PieceTable.Piece] {
    items.items.isEmpty ? [] : [PieceTable.Piece(source: newContentSource, range: items.items)]
  }

  private func keys(of given: EditContent) -> ArraySlice<UInt32> {
    given.items.isEmpty ? [] : sources[newContentSource].arrangement.rows[given.items]
  }

  private func sectionKeys(of given: EditContent) -> ArraySlice<UInt32> {
    given.sections.isEmpty ? [] : sources[newContentSource].arrangement.sections[given.sections]
  }

  private func isExplicit(_ item: Int) -> Bool {
    sources[newContentSource].traits[item].contains(.hasExplicitID)
  }

  /// Checks that the new content of an edit has no duplicates.
  ///
  /// - Throws: `duplicates`, which also names the new items and sections that exist already.
  private func checkDistinct(_ edit: Edit) throws(EditFailure) {
    guard let given = edit.given, given.hasDuplicates else { return }
    switch edit {
    case .updateItems, .putItems:
      let present = items(withKeys: keys(of: given), first: 1)
      throw .duplicates(items: ambiguousItems(of: given, present))
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
    let present = items(withKeys: keys(of: given), first: 1)
    return present.indices.filter { index in
      // Of items with equal keys, either all have explicit identifiers or none has.
      guard let first = present[index].first.first else { return false }
      return traits(of: first).contains(.hasExplicitID)
        || isExplicit(given.items.lowerBound + index)
    }
  }

  /// Returns the indices of the new sections that exist already.
  private func existingSections(of given: EditContent) -> [Int] {
    sectionKeys(of: given).enumerated().filter { section(withKey: $1) != nil }.map(\.offset)
  }

  /// Returns the indices of the new items that cannot replace existing items, because that would
  /// repeat an explicit identifier.
  private func ambiguousItems(of given: EditContent, _ present: [SameItems]) -> [Int] {
    present.indices.filter {
      present[$0].count > 1 && isExplicit(given.items.lowerBound + $0)
    }
  }

  /// Checks that the anchor of an insertion is not one of the inserted items.
  private func checkAnchor(_ items: EditContent, from anchor: PieceTable.Handle) throws(EditFailure)
  {
    let key = key(of: anchor)
    let isAnchorExplicit = traits(of: anchor).contains(.hasExplicitID)
    let keys = keys(of: items)
    let isSame = keys.indices.contains { item in
      keys[item] == key && (isAnchorExplicit || isExplicit(item))
    }
    guard !isSame else { throw .anchoredToItself }
  }

  private mutating func update(
    _ given: EditContent, adds: Bool, section: SectionReference?
  ) throws(EditFailure) {
    let keys = keys(of: given)
    // The first of several equal items replaces the first equal item of the list, the second the
    // second.
    var counts: [UInt32: Int] = [:]
    let numbers = keys.map { key in
      defer { counts[key, default: 0] += 1 }
      return counts[key] ?? 0
    }
    let present = items(withKeys: keys, first: (numbers.max() ?? 0) + 1)
    let replaced = zip(numbers, present).map { number, items -> PieceTable.Handle? in
      number < items.first.count ? items.first[number] : nil
    }
    let missing = replaced.indices.filter { replaced[$0] == nil }
    guard adds || missing.isEmpty else { throw .givenItemsNotFound(missing) }
    let duplicates = ambiguousItems(of: given, present)
    guard duplicates.isEmpty else { throw .duplicates(items: duplicates) }
    // The section must exist even if nothing is appended to it.
    let target = missing.isEmpty && section == nil ? nil : try self.section(section)
    var changes: [(old: PieceTable.Handle, new: PieceTable.Handle)] = []
    for (item, old) in zip(given.items, replaced) {
      let new = PieceTable.Handle(source: newContentSource, item: item)
      if let old {
        changes.append((old, new))
        if let change = forcedItems.removeValue(forKey: old) { forcedItems[new] = change }
      } else if let target {
        append([PieceTable.piece(new)], to: target)
      }
    }
    replace(changes)
  }

  /// Returns the items that references name, without duplicates, and the anchor.
  private func handles(
    _ references: [ItemReference], _ anchor: ItemReference,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> (moved: [PieceTable.Handle], anchor: PieceTable.Handle) {
    let handle = try handle(anchor, past)
    let moved = try handles(references, isAnchored: handle != nil, past).distinct
    guard let handle else { throw .itemsNotFound([], anchor: true) }
    return (moved, handle)
  }

  /// Returns the items that references name. If some do not exist, the error also reports whether
  /// the anchor does not.
  private func handles(
    _ references: [ItemReference], isAnchored: Bool = true,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> [PieceTable.Handle] {
    var found: [PieceTable.Handle] = []
    var missing: [Int] = []
    for (index, reference) in references.enumerated() {
      if let handle = try handle(reference, past) {
        found.append(handle)
      } else {
        missing.append(index)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing, anchor: !isAnchored) }
    return found
  }

  private func handle(
    _ reference: ItemReference, _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> PieceTable.Handle? {
    switch reference {
    case .id(let key, let occurrence, let source):
      guard let key, source == nil || source == name else { return nil }
      return item(withKey: key, occurrence: occurrence)
    case .path(let section, let row, nil): return item(section: section, row: row)
    case .path(let section, let row, let revision?):
      guard let found = try past(revision).item(section: section, row: row) else { return nil }
      let old = found.index.map { PieceTable.Handle(source: 0, item: $0) }
      if let old, contains(old) { return old }
      // An edit before this one may have replaced the item, or deleted it and inserted it again.
      return items(withKeys: [found.key], first: .max)[0].first.first { $0.source > 0 }
    }
  }

  // MARK: Sections

  private func section(_ reference: SectionReference?) throws(EditFailure) -> SectionID {
    if let reference { return try sections([reference])[0] }
    guard let lastSection else { throw .noSection }
    return lastSection
  }

  private func sections(_ references: [SectionReference]) throws(EditFailure) -> [SectionID] {
    let found = references.map(find)
    let missing = found.indices.filter { found[$0] == nil }
    guard missing.isEmpty else { throw .sectionsNotFound(missing) }
    return found.compactMap(\.self)
  }

  private func find(_ reference: SectionReference) -> SectionID? {
    reference.key.flatMap(section(withKey:))
  }

  private func position(
    _ anchor: AnchoredSection, of added: ArraySlice<UInt32> = []
  ) throws(EditFailure) -> SectionPosition<SectionID> {
    if let key = anchor.section.key, added.contains(key) { throw .anchoredToItself }
    guard let section = find(anchor.section) else {
      throw .sectionsNotFound([], anchor: true)
    }
    return anchor.isAfter ? .after(section) : .before(section)
  }

  private mutating func insert(
    sections added: EditContent, at position: SectionPosition<SectionID>
  ) throws(EditFailure) {
    let existing = (items: existingItems(of: added), sections: existingSections(of: added))
    guard existing.items.isEmpty, existing.sections.isEmpty else {
      throw .duplicates(items: existing.items, sections: existing.sections)
    }
    insert(added, at: position)
  }

  private mutating func update(sections updates: EditContent) throws(EditFailure) {
    let sections = try sections(sectionKeys(of: updates).map { SectionReference(key: $0) })
    for (section, new) in zip(sections, updates.sections) { update(section, from: new) }
  }
}

/// The items of an older revision, as items of a later snapshot.
struct PastSnapshot {
  let snapshot: Snapshot
  let itemsToNew: [Int32]

  /// Returns the key of the item at a section and row, and its index in the later snapshot, or
  /// `nil` if it was deleted.
  func item(section: Int, row: Int) -> (key: UInt32, index: Int?)? {
    guard let row = snapshot.row(section: section, row) else { return nil }
    let old = snapshot.item(ofRow: row)
    let item = Int(itemsToNew[old])
    return (snapshot.arrangement.rows[old], item < 0 ? nil : item)
  }
}

extension ItemReference {
  /// Reports whether the reference names one of some keys.
  fileprivate func names(oneOf keys: ArraySlice<UInt32>) -> Bool {
    guard case .id(let key?, _, _) = self else { return false }
    return keys.contains(key)
  }
}

extension [PieceTable.Handle] {
  /// The handles without duplicates, in the order of their first occurrences.
  fileprivate var distinct: [PieceTable.Handle] {
    var seen = Set<PieceTable.Handle>()
    return filter { seen.insert($0).inserted }
  }
}
