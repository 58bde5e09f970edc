/// A hash table from hashes to numbers, with open addressing.
///
/// Only 32 bits of the hash and the slots that it leads to are compared, so the caller must verify
/// a hit.
@usableFromInline
struct HashTable {
  /// Each slot holds the upper half of the hash and, below it, the number plus one; 0 marks a free
  /// slot.
  private var slots: [UInt64]

  /// A number that is not the index of a row.
  static let noRow = 0xFFFF_FFFE

  /// Creates a table for up to `capacity` numbers.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Returns the number stored for the hash, or -1 after inserting `number` for it.
  @inline(__always)
  mutating func insert(_ hash: UInt64, _ number: Int) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { break }
      if (entry ^ hash) >> 32 == 0 { return Int(entry & 0xFFFF_FFFF) &- 1 }
      slot = (slot &+ 1) & mask
    }
    slots[slot] = hash & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: number &+ 1)
    return -1
  }

  /// Numbers hashes in the order of their first occurrence, starting with `count`, which is
  /// advanced.
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

  /// Returns whether the table contains one of the hashes.
  @usableFromInline
  func contains(anyOf hashes: [UInt64]) -> Bool {
    let slots = slots.view
    let hashes = hashes.view
    let mask = slots.count &- 1
    for index in hashes.indices {
      let hash = hashes[index]
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 {
        if (slots[slot] ^ hash) >> 32 == 0 { return true }
        slot = (slot &+ 1) & mask
      }
    }
    return false
  }
}
