/// Numbers ids in the order of their first occurrence.
@frozen @usableFromInline
struct IDTable<ID: Hashable>: ~Copyable {
  /// The ids by key.
  @usableFromInline var ids: ContiguousArray<ID> = []
  @usableFromInline var table = HashTable(capacity: 8)
  @usableFromInline var hash = IDHash()

  @inlinable init() {}

  /// Returns the key of an id, adding it if necessary.
  @inlinable @inline(__always)
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

  /// Returns the keys of the ids of items.
  @inlinable
  mutating func keys<Rule: ItemRule>(
    of items: ContiguousArray<Rule.Item>, _ rule: Rule
  ) -> [UInt32] where Rule.ID == ID {
    table = HashTable(capacity: items.count &+ items.count &>> 2)
    ids.reserveCapacity(items.count)
    var keys: [UInt32] = []
    keys.reserveCapacity(items.count)
    for item in items { keys.append(key(of: rule.id(item))) }
    return keys
  }

  /// Enters all ids into a table of twice the size, by this hash.
  @inlinable @inline(never)
  mutating func rebuild(_ other: IDHash) {
    hash = other
    table = HashTable(capacity: ids.count &* 2)
    for key in ids.indices {
      let word = hash.hash(ids[key])
      table.store(word, key, at: table.freeSlot(of: word))
    }
  }
}
