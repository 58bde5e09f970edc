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

  /// Pairs rows by their hashes, and numbers these in the order of their first occurrence. Returns
  /// false as soon as a hash repeats, with the hashes before it numbered.
  mutating func pair(
    oldRows: Span<Int32>, oldHashes: Span<UInt64>, newRows: Span<Int32>, newHashes: Span<UInt64>,
    toNew rowsToNew: inout [Int32], toOld rowsToOld: inout [Int32], _ isHashed: inout Bool
  ) -> Bool {
    var slots = slots.mutableView
    for index in oldHashes.indices {
      if Self.insert(oldHashes[index], index, in: &slots) >= 0 {
        count = index
        return false
      }
    }
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var next = oldHashes.count
    defer { count = next }
    for index in newHashes.indices {
      // A row without a partner is not in the old list, and its hash must not repeat here either.
      let number = Self.insert(newHashes[index], next, in: &slots)
      if number < 0 {
        next &+= 1
        continue
      }
      guard number < oldRows.count else { return false }
      let old = oldRows[number]
      if toNew[Int(old)] >= 0 { return false }
      toNew[Int(old)] = newRows[index]
      toOld[Int(newRows[index])] = old
      isHashed = true
    }
    return true
  }

  /// Numbers the hashes of rows in the order of their first occurrence, after those that already
  /// have a number.
  mutating func number(_ hashes: [UInt64], of rows: [Int32], in keys: inout [UInt32]) {
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
    hashes.contains {
      var slot = firstSlot(of: $0)
      return number(of: $0, from: &slot) >= 0
    }
  }
}
