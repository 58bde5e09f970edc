import ListDiff

extension ListTree {
  /// Returns the key of the identity of an item.
  func identity(of key: UInt32) -> UInt32 { repeats.isEmpty ? key : repeats.base(of: key) }

  /// Returns the locations of all items with an identity, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of keys that the identity has.
  func locations(ofIdentity key: UInt32) -> [Location] {
    guard repeats.contains(key) else { return location(of: key).map { [$0] } ?? [] }
    let found = repeats.keys(of: repeats.base(of: key)).compactMap(location(of:))
    return found.map { (index(of: $0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the key of the first item with an identity.
  ///
  /// - Complexity: As of ``locations(ofIdentity:)``.
  func firstKey(ofIdentity key: UInt32) -> UInt32? {
    guard repeats.contains(key) else { return contains(key) ? key : nil }
    return locations(ofIdentity: key).first.map { record(at: $0).key }
  }

  /// Returns the key of the item with an identity that has `occurrence` such items before it.
  ///
  /// - Complexity: As of ``locations(ofIdentity:)``; O(1) if the identity never had two items, or if
  ///   the order of such items is known from the last call.
  mutating func key(ofIdentity key: UInt32, occurrence: Int) -> UInt32? {
    guard repeats.contains(key) else { return occurrence == 0 && contains(key) ? key : nil }
    if repeats.order(of: key) == nil {
      repeats.setOrder(locations(ofIdentity: key).map { record(at: $0).key }, of: key)
    }
    guard let order = repeats.order(of: key) else { return nil }
    return occurrence < order.count ? order[occurrence] : nil
  }

  /// Removes an item that is about to be removed from the known order of the items with its identity.
  ///
  /// - Complexity: O(*k* + log *k* log *n*), where *k* is the number of these items, if their order
  ///   is known.
  mutating func removeFromOrder(_ location: Location) {
    guard let position = positionInOrder(of: location) else { return }
    repeats.removeFromOrder(position, of: repeats.base(of: record(at: location).key))
  }

  /// Adds an item that was inserted to the known order of the items with its identity.
  ///
  /// - Complexity: As of ``removeFromOrder(_:)``.
  mutating func addToOrder(_ key: UInt32) {
    guard repeats.contains(key), let location = location(of: key),
      let position = positionInOrder(of: location)
    else { return }
    repeats.insertIntoOrder(key, at: position, of: repeats.base(of: key))
  }

  /// Returns the number of items before one in the order of the items with its identity, if that is
  /// known.
  private func positionInOrder(of location: Location) -> Int? {
    guard let order = repeats.order(of: repeats.base(of: record(at: location).key)) else {
      return nil
    }
    let wanted = index(of: location)
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if index(ofKey: order[middle])! < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the location of the item that a reference names. `known` has the older revisions.
  func location(of reference: ItemReference, _ known: inout KnownItems) -> Location? {
    switch reference {
    case .id(let key, let occurrence, let source):
      guard let key, source == nil || source == name else { return nil }
      guard repeats.contains(key) else { return occurrence == 0 ? location(of: key) : nil }
      return known.item(key, nil, occurrence: occurrence) { locations(ofIdentity: key) }
    case .path(let section, let row, let revision?):
      let item = known.pasts[revision]?.item(section: section, row: row)?.index
      return item.flatMap(location(at:))
    case .path(let section, let row, nil):
      return self.section(at: section).flatMap { location(section: $0, row: row)?.item }
    }
  }

  /// Returns for each of some identities the location of any item with it.
  ///
  /// - Complexity: O(*m* log *n* + *k*), where *m* is the number of identities and *k* that of their
  ///   keys.
  func anyLocations(ofIdentities keys: ArraySlice<UInt32>) -> [Location?] {
    if repeats.isEmpty { return keys.map { location(of: $0) } }
    var known: [UInt32: Location?] = .init()
    return keys.map { key in
      if let location = known[key] { return location }
      let present = repeats.contains(key) ? repeats.firstKey(of: key, where: contains) : key
      let location = present.flatMap(location(of:))
      known[key] = .some(location)
      return location
    }
  }

  /// Gives new items, which have the keys of their identities, keys that no item of the list has.
  /// `mayRepeat` reports whether several of them may have the same key. If the table overflows,
  /// removes the items without a key.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items.
  mutating func makeDistinct(
    _ records: inout [ItemRecord], mayRepeat: Bool, _ ids: inout IDTable
  ) {
    guard mayRepeat || records.contains(where: { contains($0.key) }) else { return }
    var taken = Set<UInt32>()
    for index in records.indices {
      guard let key = unusedKey(records[index].key, besides: taken, &ids) else {
        records.removeSubrange(index...)
        return
      }
      taken.insert(key)
      records[index].key = key
    }
  }

  /// Returns a key if no item has it, or else another one of the same identity.
  private mutating func unusedKey(
    _ key: UInt32, besides taken: Set<UInt32>, _ ids: inout IDTable
  ) -> UInt32? {
    if !taken.contains(key), !contains(key) { return key }
    let base = repeats.base(of: key)
    let known = repeats.someKeys(of: base).first { !taken.contains($0) && !contains($0) }
    return known ?? newOccurrence(of: base, &ids)
  }

  private mutating func newOccurrence(of base: UInt32, _ ids: inout IDTable) -> UInt32? {
    let key = ids.internOccurrence(repeats.count(of: base) + 1, of: base)
    if let key { repeats.add(key, of: base) }
    return key
  }

  /// Exchanges keys of items, of which the tree may have some: a permutation. The selection goes with
  /// the keys, unless it `keepsSelection` of each item.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of keys.
  mutating func exchange(_ keys: [KeyChange], keepsSelection: Bool) {
    var items: [(at: Location, key: UInt32)] = []
    for (old, new) in keys {
      if let location = location(of: old) { items.append((location, new)) }
    }
    if items.isEmpty { return }
    let selected = items.map { record(at: $0.at).traits.contains(.selected) }
    setKeys(items)
    guard keepsSelection else { return }
    for (item, isSelected) in zip(items, selected) { setSelected(isSelected, at: item.at) }
  }

  /// Exchanges keys of items with the same identity. The selection and forced updates of an item go
  /// with its key and its content, respectively.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items.
  private mutating func setKeys(_ items: [(at: Location, key: UInt32)]) {
    repeats.forgetOrders()
    whole = nil
    let before = items.map { record(at: $0.at) }
    var selected = Set(before.lazy.filter { $0.traits.contains(.selected) }.map(\.key))
    let gone = Set(before.map(\.key)).subtracting(items.map(\.key))
    let forced = before.map { change.forcedItems.removeValue(forKey: $0.key) }
    for (location, key) in items {
      setSelected(false, at: location)
      if !contains(key), restoresSelection(of: key) { selected.insert(key) }
    }
    for key in gone {
      removeLeaf(ofKey: key)
      if selected.contains(key) { change.removedSelected.insert(key) }
    }
    for (index, (location, key)) in items.enumerated() {
      save(location.leaf)
      var record = record(at: location)
      record.key = key
      leaves[location.leaf].replace(location.index, with: record)
      setLeaf(location.leaf, ofKey: key)
      if selected.contains(key) { setSelected(true, at: location) }
      if let forced = forced[index] { change.forcedItems[key] = forced }
    }
  }
}

extension Snapshot {
  /// Replaces the keys of a tree's items by those of their identities.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, if any identity had occurrences.
  mutating func restoreIdentities(_ repeats: RepeatedItems) {
    guard !repeats.isEmpty else { return }
    var seen = Set<UInt32>()
    for item in arrangement.rows.indices where repeats.contains(arrangement.rows[item]) {
      let base = repeats.base(of: arrangement.rows[item])
      arrangement.rows[item] = base
      if !seen.insert(base).inserted { arrangement.hasRepeats = true }
    }
  }
}
