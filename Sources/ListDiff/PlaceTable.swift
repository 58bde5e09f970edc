/// Numbers by the hash of what they stand for, with open addressing; who asks compares.
@usableFromInline
struct PlaceTable {
  @usableFromInline
  struct Slot {
    @usableFromInline var fingerprint: UInt32
    @usableFromInline var index: Int32

    @inlinable init(fingerprint: UInt32, index: Int32) {
      self.fingerprint = fingerprint
      self.index = index
    }
  }

  @usableFromInline var slots: [Slot]

  /// A table for up to `capacity` numbers.
  @inlinable
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: Slot(fingerprint: 0, index: -1), count: size)
  }

  /// Adds a number unless `isSame` says that one like it is there; false where it is.
  @inlinable @inline(__always)
  mutating func insert(hash: Int, _ index: Int, isSame: (Int) -> Bool) -> Bool {
    let fingerprint = UInt32(truncatingIfNeeded: hash >> 32)
    let mask = slots.count - 1
    var place = hash & mask
    while slots[place].index >= 0 {
      if slots[place].fingerprint == fingerprint, isSame(Int(slots[place].index)) { return false }
      place = (place + 1) & mask
    }
    slots[place] = Slot(fingerprint: fingerprint, index: Int32(truncatingIfNeeded: index))
    return true
  }

  /// The number of which `isSame` is true, or -1.
  @inlinable @inline(__always)
  func find(hash: Int, isSame: (Int) -> Bool) -> Int {
    let fingerprint = UInt32(truncatingIfNeeded: hash >> 32)
    let mask = slots.count - 1
    var place = hash & mask
    while slots[place].index >= 0 {
      if slots[place].fingerprint == fingerprint, isSame(Int(slots[place].index)) {
        return Int(slots[place].index)
      }
      place = (place + 1) & mask
    }
    return -1
  }
}

/// Finds the section of one row after the other, quickly where the next is in the same.
@usableFromInline
struct SectionCursor {
  @usableFromInline let starts: [Int32]
  @usableFromInline var section = 0

  @inlinable init(_ starts: [Int32]) { self.starts = starts }

  @inlinable @inline(__always)
  mutating func place(of row: Int32) -> (section: Int, item: Int) {
    if row < starts[section] || row >= starts[section + 1] {
      section = Self.find(row, starts).section
    }
    return (section, Int(row - starts[section]))
  }

  /// The place of a flat row.
  @inlinable @inline(__always)
  static func find(_ row: Int32, _ starts: [Int32]) -> (section: Int, item: Int) {
    var low = 0
    var high = starts.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return (low, Int(row - starts[low]))
  }
}
