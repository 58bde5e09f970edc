/// Counts short sequences of keys on both sides, in a table with open addressing. The hash of the table
/// is seeded, because a client that controls the order of the keys could otherwise choose sequences
/// that collide.
struct WindowTable: ~Copyable {
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
    var pairs: [UInt64] = []
    for slot in slots where slot.old >= 0 && slot.new >= 0 {
      pairs.append(UInt64(slot.new) << 32 | UInt64(slot.old))
    }
    pairs.sortWords()
    return pairs.map { (Int($0 & 0xFFFF_FFFF), Int($0 >> 32)) }
  }

  /// Returns whether a quarter of the windows of three keys are on both sides, judged by hashes of which a
  /// sixteenth are the same by chance.
  func haveManyInCommon(_ old: ArrayView<UInt32>, _ new: ArrayView<UInt32>) -> Bool {
    let width = 3
    guard old.count >= width, new.count >= width else { return false }
    var size = 64
    while size < old.count * 16 { size *= 2 }
    var memory = [UInt64](repeating: 0, count: size / 64)
    var seen = memory.mutableView
    var pair = UInt64(old[0]) << 32 | UInt64(old[1])
    var row = 2
    while row < old.count {
      let last = UInt64(old[row])
      let bit = Self.hash(pair, last) & UInt64(size - 1)
      seen[Int(bit &>> 6)] |= 1 &<< (bit & 63)
      pair = pair &<< 32 | last
      row &+= 1
    }
    var common = 0
    pair = UInt64(new[0]) << 32 | UInt64(new[1])
    row = 2
    while row < new.count {
      let last = UInt64(new[row])
      let bit = Self.hash(pair, last) & UInt64(size - 1)
      common &+= Int(seen[Int(bit &>> 6)] &>> (bit & 63) & 1)
      pair = pair &<< 32 | last
      row &+= 1
    }
    return common >= new.count / 4
  }

  /// Returns the hash of three keys, of which the first two are in one word. It has no seed, because what is the
  /// same by chance decides which change is found, and each process is to find the same one.
  @inline(__always)
  private static func hash(_ pair: UInt64, _ last: UInt64) -> UInt64 {
    let word = pair ^ last &* 0x9E37_79B9_7F4A_7C15
    return IDHash.fold(word ^ 0xD1B5_4A32_D192_ED03, 0x8CB9_2BA7_2F3D_8DD7)
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
