import ListDiff

extension Draft {
  /// Makes one edit; `past` gives the snapshots of older revisions.
  ///
  /// - Throws: where nothing of the edit was made that would count.
  mutating func make(
    _ edit: Edit, past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) {
    try checkDistinct(edit)
    switch edit {
    case .appendItems(let items, let section):
      let target = try self.section(section)
      try checkNew(items)
      append([whole(items)].compactMap(\.self), to: target)
    case .insertItems(let items, let anchor):
      guard let handle = try handle(anchor.item, past) else {
        throw anchor.item.names(oneOf: items.arrangement.rows)
          ? .anchoredToItself : .itemsNotFound([], anchor: true)
      }
      try checkApart(items, from: handle)
      try checkNew(items)
      if let piece = whole(items) { insert([piece], at: handle, isAfter: anchor.isAfter) }
    case .deleteItems(let items): remove(try handles(items, past))
    case .moveItems(let items, let anchor):
      let (moved, handle) = try handles(items, anchor.item, past)
      guard !moved.contains(handle) else { throw .anchoredToItself }
      remove(moved)
      insert(moved.map(Self.piece), at: handle, isAfter: anchor.isAfter)
    case .moveItemsToSection(let items, let section):
      let moved = try handles(items, past).distinct
      let target = try self.section(section)
      remove(moved)
      append(moved.map(Self.piece), to: target)
    case .updateItems(let items): try update(items, adds: false, section: nil)
    case .putItems(let items, let section): try update(items, adds: true, section: section)
    case .touchItems(let items, let change):
      for handle in try handles(items, past) {
        touchedItems[handle] = max(touchedItems[handle] ?? .none, change)
      }
    case .appendSections(let added): try insert(sections: added, at: sections.count)
    case .insertSections(let added, let anchor):
      try insert(sections: added, at: try anchorIndex(anchor, of: added.arrangement.sections))
    case .deleteSections(let references):
      let gone = Set(try indices(references))
      for index in gone { touchedSections[sections[index].key] = nil }
      sections = sections.indices.filter { !gone.contains($0) }.map { sections[$0] }
    case .moveSection(let reference, let anchor):
      let isAnchored = index(anchor.section) != nil
      guard let from = index(reference), isAnchored else {
        throw .sectionsNotFound(index(reference) == nil ? [0] : [], anchor: !isAnchored)
      }
      guard reference != anchor.section else { throw .anchoredToItself }
      var to = try anchorIndex(anchor)
      let section = sections.remove(at: from)
      if to > from { to -= 1 }
      sections.insert(section, at: to)
    case .updateSections(let updates): try update(sections: updates)
    case .touchSections(let references, let change):
      for index in try indices(references) {
        let key = sections[index].key
        touchedSections[key] = max(touchedSections[key] ?? .none, change)
      }
    case .deleteAllItems:
      sections = []
      touchedSections = [:]
    }
  }

  // MARK: Items

  private mutating func whole(_ items: Snapshot) -> Piece? {
    guard items.itemCount > 0 else { return nil }
    return Piece(source: add(items), range: 0..<items.itemCount)
  }

  private mutating func append(_ pieces: [Piece], to section: Int) {
    sections[section].pieces += pieces
  }

  /// Makes sure that an edit brings nothing twice.
  ///
  /// - Throws: also with what is there already of that which the edit brings.
  private func checkDistinct(_ edit: Edit) throws(EditFailure) {
    guard let given = edit.given, given.hasDuplicates else { return }
    switch edit {
    case .updateItems, .putItems: throw .duplicates(items: ambiguousItems(of: given))
    case .updateSections: throw .duplicates(items: [])
    case .appendSections, .insertSections:
      throw .duplicates(items: itemsThere(of: given), sections: sectionsThere(of: given))
    default: throw .duplicates(items: itemsThere(of: given))
    }
  }

  /// Makes sure that no identifier that is a promise would be there twice.
  private func checkNew(_ items: Snapshot) throws(EditFailure) {
    let twice = itemsThere(of: items)
    guard twice.isEmpty else { throw .duplicates(items: twice) }
  }

  /// The items that cannot come, for their identifiers are there and are promises.
  private func itemsThere(of given: Snapshot) -> [Int] {
    let present = handles(withKeys: given.arrangement.rows)
    return present.indices.filter { item in
      present[item].contains {
        sources[$0.source].traits[$0.item].union(given.traits[item]).contains(.promised)
      }
    }
  }

  /// The sections that are there already.
  private func sectionsThere(of given: Snapshot) -> [Int] {
    let keys = given.arrangement.sections
    return keys.indices.filter { place in sections.contains { $0.key == keys[place] } }
  }

  /// The items that cannot replace those that are there, for these would repeat a promise.
  private func ambiguousItems(of given: Snapshot) -> [Int] {
    let present = handles(withKeys: given.arrangement.rows)
    return present.indices.filter {
      present[$0].count > 1 && given.traits[$0].contains(.promised)
    }
  }

  /// Makes sure that what is to go before or after an item is not that item.
  private func checkApart(_ items: Snapshot, from anchor: Handle) throws(EditFailure) {
    let key = key(of: anchor)
    let isPromised = sources[anchor.source].traits[anchor.item].contains(.promised)
    let isSame = items.arrangement.rows.indices.contains { item in
      items.arrangement.rows[item] == key
        && (isPromised || items.traits[item].contains(.promised))
    }
    guard !isSame else { throw .anchoredToItself }
  }

  private mutating func update(
    _ items: Snapshot, adds: Bool, section: SectionReference?
  ) throws(EditFailure) {
    let present = handles(withKeys: items.arrangement.rows)
    // Of equal items the first is for the first that is there, the second for the second.
    var counts: [UInt32: Int] = [:]
    let replaced = items.arrangement.rows.enumerated().map { item, key -> Handle? in
      let nth = counts[key, default: 0]
      counts[key] = nth + 1
      return nth < present[item].count ? present[item][nth] : nil
    }
    let missing = replaced.indices.filter { replaced[$0] == nil }
    guard adds || missing.isEmpty else { throw .givenItemsNotFound(missing) }
    let twice = present.indices.filter {
      present[$0].count > 1 && items.traits[$0].contains(.promised)
    }
    guard twice.isEmpty else { throw .duplicates(items: twice) }
    let target = missing.isEmpty ? 0 : try self.section(section)
    guard items.itemCount > 0 else { return }
    let source = add(items)
    var changes: [(old: Handle, new: Handle?)] = []
    for (item, old) in replaced.enumerated() {
      let new = Handle(source: source, item: item)
      if let old {
        changes.append((old, new))
        if let change = touchedItems.removeValue(forKey: old) { touchedItems[new] = change }
      } else {
        append([Self.piece(new)], to: target)
      }
    }
    rewrite(changes)
  }

  /// The items of references, each once, and the one that they are to go before or after.
  private func handles(
    _ references: [ItemReference], _ anchor: ItemReference,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> (moved: [Handle], anchor: Handle) {
    let handle = try handle(anchor, past)
    let moved = try handles(references, isAnchored: handle != nil, past).distinct
    guard let handle else { throw .itemsNotFound([], anchor: true) }
    return (moved, handle)
  }

  /// The items of references; where some are missing, it is told whether an anchor is, too.
  private func handles(
    _ references: [ItemReference], isAnchored: Bool = true,
    _ past: (Int) throws(EditFailure) -> PastSnapshot
  ) throws(EditFailure) -> [Handle] {
    var found: [Handle] = []
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
  ) throws(EditFailure) -> Handle? {
    switch reference {
    case .id(let key, let occurrence, let source):
      guard let key, source == nil || source == name else { return nil }
      let handles = handles(withKeys: [key])[0]
      return occurrence < handles.count ? handles[occurrence] : nil
    case .path(let section, let row, nil): return handle(section: section, row: row)
    case .path(let section, let row, let revision?):
      guard let item = try past(revision).item(section: section, row: row) else { return nil }
      let old = item.index.map { Handle(source: 0, item: $0) }
      if let old, contains(old) { return old }
      // It may have been given new content, or have come back, by an edit before.
      return handles(withKeys: [item.key])[0].first { $0.source > 0 }
    }
  }

  // MARK: Sections

  private func section(_ reference: SectionReference?) throws(EditFailure) -> Int {
    if let reference { return try indices([reference])[0] }
    guard !sections.isEmpty else { throw .noSection }
    return sections.count - 1
  }

  private func indices(_ references: [SectionReference]) throws(EditFailure) -> [Int] {
    let found = references.map(index)
    let missing = found.indices.filter { found[$0] == nil }
    guard missing.isEmpty else { throw .sectionsNotFound(missing) }
    return found.compactMap(\.self)
  }

  private func index(_ reference: SectionReference) -> Int? {
    reference.key.flatMap { key in sections.firstIndex { $0.key == key } }
  }

  private func anchorIndex(
    _ anchor: AnchoredSection, of added: [UInt32] = []
  ) throws(EditFailure) -> Int {
    if let key = anchor.section.key, added.contains(key) { throw .anchoredToItself }
    guard let index = index(anchor.section) else { throw .sectionsNotFound([], anchor: true) }
    return anchor.isAfter ? index + 1 : index
  }

  private mutating func insert(sections added: Snapshot, at index: Int) throws(EditFailure) {
    let keys = added.arrangement.sections
    let twice = (items: itemsThere(of: added), sections: sectionsThere(of: added))
    guard twice.items.isEmpty, twice.sections.isEmpty else {
      throw .duplicates(items: twice.items, sections: twice.sections)
    }
    let source = add(added)
    sections.insert(
      contentsOf: keys.indices.map { place in
        let range = added.arrangement.range(ofSection: place)
        return Section(
          key: keys[place], source: source, index: place,
          pieces: range.isEmpty ? [] : [Piece(source: source, range: range)])
      }, at: index)
  }

  private mutating func update(sections updates: Snapshot) throws(EditFailure) {
    let places = try indices(updates.arrangement.sections.map { SectionReference(key: $0) })
    let source = add(updates)
    for (update, place) in places.enumerated() {
      sections[place].source = source
      sections[place].index = update
    }
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
  fileprivate func names(oneOf keys: [UInt32]) -> Bool {
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
