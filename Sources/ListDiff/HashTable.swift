/// Numbers by the hash of what they stand for, with open addressing.
///
/// Nothing is compared but 32 bits of the hash and where it leads: what is found is to be checked.
@usableFromInline
struct HashTable {
  /// In each slot the upper half of the hash, and below it the number and one; 0 where it is free.
  private var slots: [UInt64]

  /// A number that is not that of a row.
  static let noRow = 0xFFFF_FFFE

  /// A table for up to `capacity` numbers.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Adds a number unless there is one with that hash, which is returned; else -1.
  @inline(__always)
  mutating func insert(_ hash: UInt64, _ number: Int) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { break }
      if (slot ^ hash) >> 32 == 0 { return Int(slot & 0xFFFF_FFFF) &- 1 }
      place = (place &+ 1) & mask
    }
    slots[place] = hash & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: number &+ 1)
    return -1
  }

  /// Numbers hashes by their first occurrence, from `count` on, which grows.
  mutating func keys(of hashes: [UInt64], _ count: inout Int) -> [UInt32] {
    var keys: [UInt32] = []
    keys.reserveCapacity(hashes.count)
    var next = count
    let hashes = hashes.view
    for index in hashes.indices {
      let known = insert(hashes[index], next)
      keys.append(UInt32(truncatingIfNeeded: known < 0 ? next : known))
      next &+= known < 0 ? 1 : 0
    }
    count = next
    return keys
  }

  /// Whether one of the hashes is here.
  @usableFromInline
  func contains(anyOf hashes: [UInt64]) -> Bool {
    let slots = slots.view
    let hashes = hashes.view
    let mask = slots.count &- 1
    for index in hashes.indices {
      let hash = hashes[index]
      var place = Int(truncatingIfNeeded: hash) & mask
      while slots[place] != 0 {
        if (slots[place] ^ hash) >> 32 == 0 { return true }
        place = (place &+ 1) & mask
      }
    }
    return false
  }
}
