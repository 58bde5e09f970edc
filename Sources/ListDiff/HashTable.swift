/// A hash table from hashes to numbers, with open addressing.
///
/// Only 32 bits of the hash and the slots that it leads to are compared, so the caller must verify
/// a hit.
@frozen @usableFromInline
struct HashTable {
  /// Each slot holds the upper half of the hash and, below it, the number plus one; 0 marks a free
  /// slot.
  @usableFromInline var slots: [UInt64]

  /// A number that is not the index of a row.
  static let noRow = 0xFFFF_FFFE

  /// Creates a table for up to `capacity` numbers.
  @usableFromInline
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Whether the table should be replaced by a larger one before another number is stored.
  @inlinable @inline(__always)
  func isFull(_ count: Int) -> Bool { count &* 2 >= slots.count }

  @inlinable @inline(__always)
  func firstSlot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

  /// Returns the next number stored for the hash and advances `slot` beyond it, or returns -1 and
  /// sets `slot` to a free one.
  @inlinable @inline(__always)
  func number(of hash: UInt64, from slot: inout Int) -> Int {
    while true {
      let entry = slots[slot]
      if entry == 0 { return -1 }
      let isSame = (entry ^ hash) >> 32 == 0
      if isSame {
        slot = (slot &+ 1) & (slots.count &- 1)
        return Int(entry & 0xFFFF_FFFF) &- 1
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
  }

  /// Returns the free slot in which a number for the hash is to be stored.
  @inlinable
  func freeSlot(of hash: UInt64) -> Int {
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    return slot
  }

  /// Stores a number for the hash in a free slot.
  @inlinable @inline(__always)
  mutating func store(_ hash: UInt64, _ number: Int, at slot: Int) {
    slots[slot] = hash & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: number &+ 1)
  }

  /// Returns the number stored for the hash, or -1 after inserting `number` for it.
  @inline(__always)
  static func insert(
    _ hash: UInt64, _ number: Int, in slots: inout MutableSpan<UInt64>
  ) -> Int {
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

  /// Numbers the hashes of rows in the order of their first occurrence, starting with `count`,
  /// which is advanced.
  mutating func number(
    _ hashes: [UInt64], of rows: [Int32], in keys: inout [UInt32], _ count: inout Int
  ) {
    var next = count
    let hashes = hashes.view
    let rows = rows.view
    var keys = keys.mutableView
    var slots = slots.mutableView
    for index in hashes.indices {
      let known = Self.insert(hashes[index], next, in: &slots)
      keys[Int(rows[index])] = UInt32(truncatingIfNeeded: known < 0 ? next : known)
      next &+= known < 0 ? 1 : 0
    }
    count = next
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
