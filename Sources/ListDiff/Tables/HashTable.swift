/// A hash table from hashes to numbers, with open addressing.
///
/// Only a part of the hash is compared, so the caller must verify a hit.
@frozen @usableFromInline
struct HashTable {
  /// Each slot holds a number plus one and, above it, upper bits of its hash; 0 marks a free slot.
  ///
  /// The number takes as many bits as the index of a slot, which lower bits of the hash choose.
  @usableFromInline var slots: [UInt32]

  /// Creates a table without memory.
  init() { slots = [] }

  /// Creates a table for up to `capacity` numbers, which are less than it.
  @usableFromInline
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Whether the table should be replaced by a larger one before another number is stored.
  @_alwaysEmitIntoClient @inline(__always)
  func isFull(_ count: Int) -> Bool { count &* 2 >= slots.count }

  @_alwaysEmitIntoClient @inline(__always)
  func firstSlot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

  /// Returns the bits of a slot with a number for the hash.
  @_transparent @usableFromInline
  static func entry(_ hash: UInt64, _ number: Int, mask: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash &>> 32) & ~UInt32(truncatingIfNeeded: mask)
      | UInt32(truncatingIfNeeded: number &+ 1)
  }

  /// Returns the next number stored for the hash and advances `slot` beyond it, or returns -1 and
  /// sets `slot` to a free one.
  @_alwaysEmitIntoClient @inline(__always)
  func number(of hash: UInt64, from slot: inout Int) -> Int {
    let mask = slots.count &- 1
    let part = Self.entry(hash, -1, mask: mask)
    while true {
      let entry = slots[slot]
      if entry == 0 { return -1 }
      slot = (slot &+ 1) & mask
      if (entry ^ part) & ~UInt32(truncatingIfNeeded: mask) == 0 {
        return Int(entry & UInt32(truncatingIfNeeded: mask)) &- 1
      }
    }
  }

  /// Returns the free slot in which a number for the hash is to be stored.
  @_alwaysEmitIntoClient
  func freeSlot(of hash: UInt64) -> Int {
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    return slot
  }

  /// Stores a number for the hash in a free slot.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func store(_ hash: UInt64, _ number: Int, at slot: Int) {
    slots[slot] = Self.entry(hash, number, mask: slots.count &- 1)
  }
}
