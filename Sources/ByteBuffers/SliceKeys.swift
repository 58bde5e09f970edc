/// Dense keys of slices of texts: equal slices have equal keys.
///
/// Uses open addressing with linear probing. A slot holds 32 bits of the hash and the key, so that
/// the table can grow without the slices. The owner keeps the texts alive and compares the slice of
/// a key.
package struct SliceKeys {
  private var slots: [UInt64]
  private var mask: Int

  /// The number of keys.
  package private(set) var count = 0

  /// Creates a table with room for about `capacity` keys.
  package init(capacity: Int) {
    var size = 64
    while size < capacity + capacity / 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
  }

  /// Returns the key of a slice, or nil if there is none.
  ///
  /// `isSame` compares the slice with the slice of a key.
  ///
  /// - Complexity: O(1) on average, and one comparison.
  @inline(__always)
  package func find(_ hash: UInt64, isSame: (Int) -> Bool) -> Int? {
    let tag = hash &>> 32
    var slot = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { return nil }
      if entry &>> 32 == tag {
        let key = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
        if isSame(key) { return key }
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Returns the key of a slice, which is the number of keys so far if the slice is new.
  ///
  /// - Complexity: O(1) on average, amortised, and one comparison.
  @inline(__always)
  package mutating func insert(_ hash: UInt64, isSame: (Int) -> Bool) -> Int {
    let tag = hash &>> 32
    var slot = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { break }
      if entry &>> 32 == tag {
        let key = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
        if isSame(key) { return key }
      }
      slot = (slot &+ 1) & mask
    }
    let key = count
    count &+= 1
    slots[slot] = tag &<< 32 | UInt64(truncatingIfNeeded: count)
    if count &* 4 > slots.count &* 3 { grow() }
    return key
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    mask = slots.count - 1
    for entry in old where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry &>> 32) & mask
      while slots[slot] != 0 { slot = (slot &+ 1) & mask }
      slots[slot] = entry
    }
  }
}
