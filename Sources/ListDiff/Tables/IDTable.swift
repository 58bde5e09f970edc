/// Numbers ids in the order of their first occurrence.
@frozen @usableFromInline
struct IDTable<ID: Hashable>: ~Copyable {
  /// The ids by key.
  @usableFromInline var ids: ContiguousArray<ID> = []
  @usableFromInline var table = HashTable(capacity: 8)
  @usableFromInline var hash = IDHash()

  @_alwaysEmitIntoClient init() {}

  /// Returns the key of an id, adding it if necessary.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func key(of id: ID) -> UInt32 {
    let wasPlain = hash.isPlain
    var word = hash.hash(id)
    if hash.isPlain != wasPlain {
      // The id may be equal to one with other bytes.
      rebuild(IDHash(usingOwnHashes: true))
      word = hash.hash(id)
    }
    var slot = table.firstSlot(of: word)
    while true {
      let candidate = table.number(of: word, from: &slot)
      if candidate < 0 { break }
      if ids[candidate] == id { return UInt32(truncatingIfNeeded: candidate) }
    }
    if table.isFull(ids.count) {
      rebuild(hash)
      slot = table.freeSlot(of: word)
    }
    table.store(word, ids.count, at: slot)
    ids.append(id)
    return UInt32(truncatingIfNeeded: ids.count &- 1)
  }

  /// Appends the keys of the ids of some items, adding ids if necessary.
  @_alwaysEmitIntoClient
  mutating func appendKeys<Rule: ItemRule>(
    of items: Span<Rule.Item>, _ rule: Rule, to keys: inout [UInt32]
  ) where Rule.ID == ID {
    var next = 0
    keys.append(addingCapacity: items.count) { keys in
      while true {
        next = appendKnownKeys(of: items, from: next, rule, to: &keys)
        if next == items.count { break }
        keys.append(key(of: rule.id(items[next])))
        next &+= 1
      }
    }
  }

  /// Appends keys up to the first id that is new, and returns its index.
  ///
  /// Rows that were next to each other often have keys that follow each other, in one direction or
  /// the other, and remain neighbours. As long as that is so, ids are compared and not hashed.
  @_alwaysEmitIntoClient @inline(__always)
  func appendKnownKeys<Rule: ItemRule>(
    of items: Span<Rule.Item>, from start: Int, _ rule: Rule, to keys: inout OutputSpan<UInt32>
  ) -> Int where Rule.ID == ID {
    var own = hash
    var last = -2
    // The expected distance to the next key, or 0 if it is unknown.
    var step = 0
    var isConfirmed = false
    for index in start..<items.count {
      if step != 0 {
        let key = last &+ step
        if key >= 0, key < ids.count, ids[key] == rule.id(items[index]) {
          keys.append(UInt32(truncatingIfNeeded: key))
          last = key
          isConfirmed = true
          continue
        }
        if !isConfirmed { step = 0 }
        isConfirmed = false
      }
      // The id is read again, because a copy would be retained.
      let word = own.hash(rule.id(items[index]))
      if own.isPlain != hash.isPlain { return index }
      var slot = table.firstSlot(of: word)
      var key = table.number(of: word, from: &slot)
      while key >= 0, ids[key] != rule.id(items[index]) {
        key = table.number(of: word, from: &slot)
      }
      if key < 0 { return index }
      keys.append(UInt32(truncatingIfNeeded: key))
      if key == last &+ 1 || key == last &- 1 { step = key &- last }
      last = key
    }
    return items.count
  }

  /// Returns the keys of the ids of items, for an empty table.
  @_alwaysEmitIntoClient
  mutating func keys<Rule: ItemRule>(
    of items: ContiguousArray<Rule.Item>, _ rule: Rule
  ) -> [UInt32] where Rule.ID == ID {
    table = HashTable(capacity: items.count &+ items.count &>> 2)
    ids.reserveCapacity(items.count)
    var keys: [UInt32] = []
    appendKeys(of: items.span, rule, to: &keys)
    return keys
  }

  /// Enters all ids into a table of twice the size, by this hash.
  @_alwaysEmitIntoClient @inline(never)
  mutating func rebuild(_ other: IDHash) {
    hash = other
    table = HashTable(capacity: ids.count &* 2)
    for key in ids.indices {
      let word = hash.hash(ids[key])
      table.store(word, key, at: table.freeSlot(of: word))
    }
  }
}
