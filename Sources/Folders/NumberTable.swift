/// Numbers that are found by the hashes of keys, which are kept elsewhere. It uses open addressing: 0, which
/// is not one of the numbers, is a free slot.
struct NumberTable {
  private var slots: [UInt32] = []
  private(set) var count = 0

  /// The numbers, in no order.
  var numbers: some Sequence<UInt32> { slots.lazy.filter { $0 != 0 } }

  /// Returns the first number that matches, of those whose keys may have a hash; `nil` if none does.
  func first(_ hash: Int, where matches: (UInt32) -> Bool) -> UInt32? {
    guard count > 0 else { return nil }
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      if matches(slots[slot]) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Whether there have to be more slots before another number is inserted: one of four is free.
  var isFull: Bool { 4 * (count + 1) > 3 * slots.count }

  /// Doubles the slots. `numbers` are those of the table, in any order.
  ///
  /// - Complexity: O(`count`)
  mutating func grow(_ numbers: some Sequence<UInt32>, hashOf: (UInt32) -> Int) {
    slots = Array(repeating: 0, count: max(8, 2 * slots.count))
    for number in numbers { place(number, hashOf(number)) }
  }

  /// Inserts a number whose key has a hash. The table is not full.
  mutating func insert(_ number: UInt32, _ hash: Int) {
    precondition(!isFull)
    place(number, hash)
    count += 1
  }

  private mutating func place(_ number: UInt32, _ hash: Int) {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = number
  }

  /// Removes a number, if it is there, whose key has a hash.
  mutating func remove(_ number: UInt32, _ hash: Int, hashOf: (UInt32) -> Int) {
    guard count > 0 else { return }
    let mask = slots.count - 1
    var free = hash & mask
    while slots[free] != number {
      if slots[free] == 0 { return }
      free = (free + 1) & mask
    }
    count -= 1
    // Numbers after it that would not be found any more take its slot.
    var next = free
    while true {
      next = (next + 1) & mask
      guard slots[next] != 0 else { break }
      let distance = (next - hashOf(slots[next])) & mask
      guard distance >= (next - free) & mask else { continue }
      slots[free] = slots[next]
      free = next
    }
    slots[free] = 0
  }
}
