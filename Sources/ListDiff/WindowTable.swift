/// Counts short sequences of keys on both sides, by open addressing on their hash, which is seeded:
/// whoever orders the keys could choose sequences that collide.
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

  /// Empties the table and makes room for `capacity` windows.
  mutating func removeAll(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots.fill(size, with: Slot(hash: 0, old: Self.none, new: Self.none))
  }

  /// Counts the window of `width` keys that begins at an old row.
  mutating func countOld(_ rows: [UInt32], _ row: Int, _ width: Int) {
    let hash = hash(rows, row, width)
    let place = place(of: hash)
    let isFree = slots[place].old == Self.none
    slots[place].hash = hash
    slots[place].old = isFree ? Int32(truncatingIfNeeded: row) : Self.several
  }

  /// Counts the window that begins at a new row where the old side has one.
  mutating func countNew(_ rows: [UInt32], _ row: Int, _ width: Int, old: [UInt32]) {
    let place = place(of: hash(rows, row, width))
    let partner = Int(slots[place].old)
    guard partner >= 0 else { return }
    for offset in 0..<width where old[partner + offset] != rows[row + offset] { return }
    let isFree = slots[place].new == Self.none
    slots[place].new = isFree ? Int32(truncatingIfNeeded: row) : Self.several
  }

  /// The rows at which a window begins that occurs once on each side.
  func distinctPairs() -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    for slot in slots where slot.old >= 0 && slot.new >= 0 {
      pairs.append((Int(slot.old), Int(slot.new)))
    }
    pairs.sort { $0.new < $1.new }
    return pairs
  }

  private func place(of hash: UInt64) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].old != Self.none, slots[place].hash != hash { place = (place + 1) & mask }
    return place
  }

  private func hash(_ rows: [UInt32], _ row: Int, _ width: Int) -> UInt64 {
    var hash: UInt64 = 0
    for offset in 0..<width { hash = ids.hash(word: UInt64(rows[row + offset]) ^ hash) }
    return hash
  }
}
