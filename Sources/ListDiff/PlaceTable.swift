/// Numbers by the hash of what they stand for, with open addressing.
///
/// Nothing is compared but 32 bits of the hash and where it leads: what is found is to be checked.
struct PlaceTable {
  /// In each slot the upper half of the hash, and below it the number and one; 0 where it is free.
  private var slots: [UInt64]

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

  /// The number with that hash, or -1.
  @inline(__always)
  func find(_ hash: UInt64) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { return -1 }
      if (slot ^ hash) >> 32 == 0 { return Int(slot & 0xFFFF_FFFF) &- 1 }
      place = (place &+ 1) & mask
    }
  }
}
