/// Counts short sequences of keys on both sides, in a table with open addressing. The hash is
/// seeded, because a client that controls the order of the keys could otherwise choose sequences
/// that collide.
struct WindowTable {
  private struct Slot {
    var hash: UInt64
    var old: Int32
    var new: Int32
  }

  private static let none: Int32 = -1
  private static let several: Int32 = -2
  private var slots: [Slot] = []
  private let ids = IDHash()

  /// Empties the table and reserves space for `capacity` windows.
  mutating func removeAll(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots.fill(size, with: Slot(hash: 0, old: Self.none, new: Self.none))
  }

  /// Counts the window of `width` keys that begins at an old row.
  mutating func countOld(_ rows: [UInt32], _ row: Int, _ width: Int) {
    let hash = hash(rows, row, width)
    let slot = index(of: hash)
    let isFree = slots[slot].old == Self.none
    slots[slot].hash = hash
    slots[slot].old = isFree ? Int32(truncatingIfNeeded: row) : Self.several
  }

  /// Counts the window that begins at a new row, if the old side has the same window.
  mutating func countNew(_ rows: [UInt32], _ row: Int, _ width: Int, old: [UInt32]) {
    let slot = index(of: hash(rows, row, width))
    let partner = Int(slots[slot].old)
    guard partner >= 0 else { return }
    for offset in 0..<width where old[partner + offset] != rows[row + offset] { return }
    let isFree = slots[slot].new == Self.none
    slots[slot].new = isFree ? Int32(truncatingIfNeeded: row) : Self.several
  }

  /// Returns the rows at which windows begin that occur once on each side, in the order of the new
  /// rows.
  func distinctPairs() -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    for slot in slots where slot.old >= 0 && slot.new >= 0 {
      pairs.append((Int(slot.old), Int(slot.new)))
    }
    pairs.sort { $0.new < $1.new }
    return pairs
  }

  private func index(of hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].old != Self.none, slots[slot].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  private func hash(_ rows: [UInt32], _ row: Int, _ width: Int) -> UInt64 {
    var hash: UInt64 = 0
    for offset in 0..<width { hash = ids.hash(word: UInt64(rows[row + offset]) ^ hash) }
    return hash
  }
}
