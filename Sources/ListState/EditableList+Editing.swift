import ListDiff

extension EditableList {
  /// Makes one edit; `past` gives the snapshots of older revisions.
  ///
  /// - Throws: where nothing of the edit was made that would count.
  mutating func make(
    _ edit: Edit, past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) {
    if case .moveSection = edit {} else { settleOrder() }
    try checkDistinct(edit)
    switch edit {
    case .appendItems(let items, let section):
      let target = try self.section(section)
      try checkNew(items)
      append(whole(items), to: target)
    case .insertItems(let items, let anchor):
      guard let handle = try handle(anchor.item, past) else {
        throw anchor.item.names(oneOf: keys(of: items))
          ? .anchoredToItself : .itemsNotFound([], anchor: true)
      }
      try checkApart(items, from: handle)
      try checkNew(items)
      insert(whole(items), at: handle, isAfter: anchor.isAfter)
    case .deleteItems(let items): remove(try handles(items, past))
    case .moveItems(let items, let anchor):
      let (moved, handle) = try handles(items, anchor.item, past)
      guard !moved.contains(handle) else { throw .anchoredToItself }
      remove(moved)
      insert(moved.map(Draft.piece), at: handle, isAfter: anchor.isAfter)
    case .moveItemsToSection(let items, let section):
      let moved = try handles(items, past).distinct
      let target = try self.section(section)
      remove(moved)
      append(moved.map(Draft.piece), to: target)
    case .updateItems(let items): try update(items, adds: false, section: nil)
    case .putItems(let items, let section): try update(items, adds: true, section: section)
    case .touchItems(let items, let change):
      for handle in try handles(items, past) {
        touchedItems[handle] = max(touchedItems[handle] ?? .none, change)
      }
    case .appendSections(let added): try insert(sections: added, at: .end)
    case .insertSections(let added, let anchor):
      let place = try place(anchor, of: sectionKeys(of: added))
      try insert(sections: added, at: place)
    case .deleteSections(let references):
      var seen = Set<SectionID>()
      let gone = try sections(references).filter { seen.insert($0).inserted }
      for section in gone { touchedSections[key(of: section)] = nil }
      remove(gone)
    case .moveSection(let reference, let anchor):
      let isAnchored = find(anchor.section) != nil
      guard let moved = find(reference), isAnchored else {
        throw .sectionsNotFound(find(reference) == nil ? [0] : [], anchor: !isAnchored)
      }
      guard reference != anchor.section else { throw .anchoredToItself }
      move(moved, to: try place(anchor))
    case .updateSections(let updates): try update(sections: updates)
    case .touchSections(let references, let change):
      for section in try sections(references) {
        let key = key(of: section)
        touchedSections[key] = max(touchedSections[key] ?? .none, change)
      }
    case .outline: throw .ofOutline
    case .deleteAllItems:
      removeAll()
      touchedSections = [:]
    }
  }

  // MARK: Items

  private func whole(_ items: Given) -> [Draft.Piece] {
    items.items.isEmpty ? [] : [Draft.Piece(source: broughtSource, range: items.items)]
  }

  private func keys(of given: Given) -> ArraySlice<UInt32> {
    given.items.isEmpty ? [] : sources[broughtSource].arrangement.rows[given.items]
  }

  private func sectionKeys(of given: Given) -> ArraySlice<UInt32> {
    given.sections.isEmpty ? [] : sources[broughtSource].arrangement.sections[given.sections]
  }

  private func isPromised(_ item: Int) -> Bool {
    sources[broughtSource].traits[item].contains(.promised)
  }

  /// Makes sure that an edit brings nothing twice.
  ///
  /// - Throws: also with what is there already of that which the edit brings.
  private func checkDistinct(_ edit: Edit) throws(EditFailure) {
    guard let given = edit.given, given.hasDuplicates else { return }
    switch edit {
    case .updateItems, .putItems:
      let present = items(withKeys: keys(of: given), first: 1)
      throw .duplicates(items: ambiguousItems(of: given, present))
    case .updateSections: throw .duplicates(items: [])
    case .appendSections, .insertSections:
      throw .duplicates(items: itemsThere(of: given), sections: sectionsThere(of: given))
    default: throw .duplicates(items: itemsThere(of: given))
    }
  }

  /// Makes sure that no identifier that is a promise would be there twice.
  private func checkNew(_ items: Given) throws(EditFailure) {
    let twice = itemsThere(of: items)
    guard twice.isEmpty else { throw .duplicates(items: twice) }
  }

  /// The items that cannot come, for their identifiers are there and are promises, by their places.
  private func itemsThere(of given: Given) -> [Int] {
    let present = items(withKeys: keys(of: given), first: 1)
    return present.indices.filter { place in
      // Of items that are the same none is promised.
      guard let first = present[place].first.first else { return false }
      return traits(of: first).contains(.promised)
        || isPromised(given.items.lowerBound + place)
    }
  }

  /// The sections that are there already, by their places.
  private func sectionsThere(of given: Given) -> [Int] {
    sectionKeys(of: given).enumerated().filter { section(withKey: $1) != nil }.map(\.offset)
  }

  /// The items that cannot replace those that are there, for these would repeat a promise, by their
  /// places.
  private func ambiguousItems(of given: Given, _ present: [SameItems]) -> [Int] {
    present.indices.filter {
      present[$0].count > 1 && isPromised(given.items.lowerBound + $0)
    }
  }

  /// Makes sure that what is to go before or after an item is not that item.
  private func checkApart(_ items: Given, from anchor: Draft.Handle) throws(EditFailure) {
    let key = key(of: anchor)
    let isAnchorPromised = traits(of: anchor).contains(.promised)
    let keys = keys(of: items)
    let isSame = keys.indices.contains { item in
      keys[item] == key && (isAnchorPromised || isPromised(item))
    }
    guard !isSame else { throw .anchoredToItself }
  }

  private mutating func update(
    _ given: Given, adds: Bool, section: SectionReference?
  ) throws(EditFailure) {
    let keys = keys(of: given)
    // Of equal items the first is for the first that is there, the second for the second.
    var counts: [UInt32: Int] = [:]
    let numbers = keys.map { key in
      defer { counts[key, default: 0] += 1 }
      return counts[key] ?? 0
    }
    let present = items(withKeys: keys, first: (numbers.max() ?? 0) + 1)
    let replaced = zip(numbers, present).map { number, items -> Draft.Handle? in
      number < items.first.count ? items.first[number] : nil
    }
    let missing = replaced.indices.filter { replaced[$0] == nil }
    guard adds || missing.isEmpty else { throw .givenItemsNotFound(missing) }
    let twice = ambiguousItems(of: given, present)
    guard twice.isEmpty else { throw .duplicates(items: twice) }
    // A section that is named is one of the list, also if nothing is appended to it.
    let target = missing.isEmpty && section == nil ? nil : try self.section(section)
    var changes: [(old: Draft.Handle, new: Draft.Handle)] = []
    for (item, old) in zip(given.items, replaced) {
      let new = Draft.Handle(source: broughtSource, item: item)
      if let old {
        changes.append((old, new))
        if let change = touchedItems.removeValue(forKey: old) { touchedItems[new] = change }
      } else if let target {
        append([Draft.piece(new)], to: target)
      }
    }
    replace(changes)
  }

  /// The items of references, each once, and the one that they are to go before or after.
  private func handles(
    _ references: [ItemReference], _ anchor: ItemReference,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> (moved: [Draft.Handle], anchor: Draft.Handle) {
    let handle = try handle(anchor, past)
    let moved = try handles(references, isAnchored: handle != nil, past).distinct
    guard let handle else { throw .itemsNotFound([], anchor: true) }
    return (moved, handle)
  }

  /// The items of references; where some are missing, it is told whether an anchor is, too.
  private func handles(
    _ references: [ItemReference], isAnchored: Bool = true,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> [Draft.Handle] {
    var found: [Draft.Handle] = []
    var missing: [Int] = []
    for (place, reference) in references.enumerated() {
      if let handle = try handle(reference, past) {
        found.append(handle)
      } else {
        missing.append(place)
      }
    }
    guard missing.isEmpty else { throw .itemsNotFound(missing, anchor: !isAnchored) }
    return found
  }

  private func handle(
    _ reference: ItemReference, _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> Draft.Handle? {
    switch reference {
    case .id(let key, let occurrence, let source):
      guard let key, source == nil || source == name else { return nil }
      return item(withKey: key, occurrence: occurrence)
    case .path(let section, let row, nil): return item(section: section, row: row)
    case .path(let section, let row, let revision?):
      guard let found = try past(revision).item(section: section, row: row) else { return nil }
      let old = found.index.map { Draft.Handle(source: 0, item: $0) }
      if let old, contains(old) { return old }
      // It may have been given new content, or have come back, by an edit before.
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

  private func place(
    _ anchor: AnchoredSection, of added: ArraySlice<UInt32> = []
  ) throws(EditFailure) -> SectionPlace<SectionID> {
    if let key = anchor.section.key, added.contains(key) { throw .anchoredToItself }
    guard let section = find(anchor.section) else {
      throw .sectionsNotFound([], anchor: true)
    }
    return anchor.isAfter ? .after(section) : .before(section)
  }

  private mutating func insert(
    sections added: Given, at place: SectionPlace<SectionID>
  ) throws(EditFailure) {
    let twice = (items: itemsThere(of: added), sections: sectionsThere(of: added))
    guard twice.items.isEmpty, twice.sections.isEmpty else {
      throw .duplicates(items: twice.items, sections: twice.sections)
    }
    insert(added, at: place)
  }

  private mutating func update(sections updates: Given) throws(EditFailure) {
    let places = try sections(sectionKeys(of: updates).map { SectionReference(key: $0) })
    for (section, brought) in zip(places, updates.sections) { update(section, from: brought) }
  }
}

/// The items of an older revision, as items of a later snapshot.
struct PastSnapshot {
  let snapshot: Snapshot
  let itemsToNew: [Int32]

  /// The key of the item at a place, and its index in the later snapshot where it is there.
  func item(section: Int, row: Int) -> (key: UInt32, index: Int?)? {
    guard let row = snapshot.row(section: section, row) else { return nil }
    let old = snapshot.item(ofRow: row)
    let item = Int(itemsToNew[old])
    return (snapshot.arrangement.rows[old], item < 0 ? nil : item)
  }
}

extension ItemReference {
  /// Whether the reference is to an identifier that is one of some keys.
  fileprivate func names(oneOf keys: ArraySlice<UInt32>) -> Bool {
    guard case .id(let key?, _, _) = self else { return false }
    return keys.contains(key)
  }
}

extension [Draft.Handle] {
  /// Each handle once, where it comes first.
  fileprivate var distinct: [Draft.Handle] {
    var seen = Set<Draft.Handle>()
    return filter { seen.insert($0).inserted }
  }
}
