extension IDTable {
  /// Whether a key says from which list of a composite the item came to the list that has the key.
  func isSourced(_ key: UInt32) -> Bool { kind(of: base(of: key)) == .sourced }

  /// Returns the key that an item of another list has in a composite, adding it if necessary. An
  /// occurrence of an identity has the same number there. If the composite `keepsKeys` of that list
  /// (``NamedList/keySource``), only sourced keys are others there.
  mutating func internSourced(_ key: UInt32, from list: UInt32, keepsKeys: Bool) -> UInt32 {
    keepsKeys && !isSourced(key) ? key : internSourced(key, from: list)
  }

  /// Returns the key that an item of another list has in a composite, adding it if necessary.
  mutating func internSourced(_ key: UInt32, from list: UInt32) -> UInt32 {
    guard let occurrence = occurrence(of: key) else {
      if let known = sourced.find(key, from: list) { return marked(known) }
      makeRoom(for: 1)
      guard used < limits.keys else { return recordOverflow(0) }
      let added = add(Entry(start: Int(list), length: Int(key), kind: .sourced))
      sourced.add(added, for: key, from: list)
      used += 1
      return marked(added)
    }
    let base = internSourced(occurrence.base, from: list)
    return internOccurrence(occurrence.number, of: base) ?? base
  }

  /// Returns the key that an item of another list has in a composite, or `nil` if it has none. If the
  /// composite `keepsKeys` of that list, the item need not be in it.
  func findSourced(_ key: UInt32, from list: UInt32?, keepsKeys: Bool) -> UInt32? {
    keepsKeys && !isSourced(key) ? key : list.flatMap { findSourced(key, from: $0) }
  }

  /// Returns the key that an item of another list has in a composite, or `nil` if it has none.
  func findSourced(_ key: UInt32, from list: UInt32) -> UInt32? {
    guard let occurrence = occurrence(of: key) else {
      return sourced.find(key, from: list)
    }
    return findSourced(occurrence.base, from: list)
      .flatMap { findOccurrence(occurrence.number, of: $0) }
  }

  /// Returns the list that an item comes from, as the key of its name, and the key of the item's
  /// identity there. Returns `nil` if the key does not say so.
  func source(of key: UInt32) -> (list: UInt32, key: UInt32)? {
    switch kind(of: key) {
    case .sourced: pair(of: key)
    case .occurrence: source(of: base(of: key))
    case .string, .integer, .value, .part: nil
    }
  }

  /// Returns the list that an item comes from, as the key of its name, and the key that the item has
  /// there. Returns `nil` if the key does not say so.
  func sourceItem(of key: UInt32) -> (list: UInt32, key: UInt32)? {
    guard let (base, number) = occurrence(of: key) else { return source(of: key) }
    guard let source = source(of: base), let key = findOccurrence(number, of: source.key) else {
      return nil
    }
    return (source.list, key)
  }

  /// Returns the key of an item's identity in the ordinary list that the item comes from.
  package func original(_ key: UInt32) -> UInt32 {
    var key = key
    while let source = source(of: key) { key = source.key }
    return base(of: key)
  }
}
