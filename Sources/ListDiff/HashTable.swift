/// A hash table from hashes to numbers, with open addressing.
///
/// Only 32 bits of the hash and the slots that it leads to are compared, so the caller must verify
/// a hit.
@frozen @usableFromInline
struct HashTable {
  /// Each slot holds the upper half of the hash and, below it, the number plus one; 0 marks a free
  /// slot.
  @usableFromInline var slots: [UInt64]

  /// The number of hashes that were numbered.
  private(set) var count = 0

  /// Creates a table without memory.
  init() { slots = [] }

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
      slot = (slot &+ 1) & (slots.count &- 1)
      if (entry ^ hash) >> 32 == 0 { return Int(entry & 0xFFFF_FFFF) &- 1 }
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
    _ hash: UInt64, _ number: Int, in slots: inout MutableArrayView<UInt64>
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

  /// Pairs old rows with the new ones after them by their hashes, and numbers these in the order of their
  /// first occurrence. Returns whether there is a pair; `nil` as soon as a hash repeats, with the
  /// hashes before it numbered.
  mutating func pair(
    _ rows: inout MutableArrayView<UnalignedRow>, old: Int, new: Int,
    toNew rowsToNew: inout [Int32],
    toOld rowsToOld: inout [Int32]
  ) -> Bool? {
    var slots = slots.mutableView
    for index in 0..<old {
      if Self.insert(rows[index].hash, index, in: &slots) >= 0 {
        count = index
        return nil
      }
    }
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var next = old
    var hasPair = false
    defer { count = next }
    for index in old..<old &+ new {
      // A row without a partner is not in the old list, and its hash must not repeat here either.
      let number = Self.insert(rows[index].hash, next, in: &slots)
      if number < 0 {
        rows[index].partner = -1
        next &+= 1
        continue
      }
      guard number < old else { return nil }
      let partner = rows[number].row
      if toNew[Int(partner)] >= 0 { return nil }
      rows[index].partner = partner
      toNew[Int(partner)] = rows[index].row
      toOld[Int(rows[index].row)] = partner
      hasPair = true
    }
    return hasPair
  }

  /// Numbers the hashes of rows in the order of their first occurrence, after those that already
  /// have a number.
  mutating func number(_ rows: ArrayView<UnalignedRow>, in keys: inout [UInt32]) {
    var next = count
    var keys = keys.mutableView
    var slots = slots.mutableView
    for index in rows.indices {
      let known = Self.insert(rows[index].hash, next, in: &slots)
      keys[Int(rows[index].row)] = UInt32(truncatingIfNeeded: known < 0 ? next : known)
      next &+= known < 0 ? 1 : 0
    }
    count = next
  }

  /// Returns whether the table contains the hash of one of the rows from an index on.
  func contains(anyOf rows: [UnalignedRow], from start: Int) -> Bool {
    rows[start...].contains {
      var slot = firstSlot(of: $0.hash)
      return number(of: $0.hash, from: &slot) >= 0
    }
  }
}
