/// The first row with each hash, in a ``HashTable`` of the indices of rows.
struct RowTable: ~Copyable {
  private var slots: [UInt32]

  /// The number of hashes that were numbered.
  private(set) var count = 0

  /// Creates a table without memory.
  init() { slots = [] }

  /// Creates a table for up to `capacity` rows, which fill two thirds of it at most.
  init(capacity: Int) { slots = HashTable(capacity: capacity - capacity / 4).slots }

  /// Returns the index of the first row with a hash, or -1 and sets `slot` to a free one.
  @_transparent
  private static func first(
    with hash: UInt64, _ rows: borrowing MutableArrayView<UnalignedRow>,
    in slots: borrowing MutableArrayView<UInt32>, slot: inout Int
  ) -> Int {
    let mask = slots.count &- 1
    // Then the masked index of a slot is valid.
    precondition(mask >= 0)
    let numbers = UInt32(truncatingIfNeeded: mask)
    let part = HashTable.entry(hash, -1, mask: mask)
    slot = Int(truncatingIfNeeded: hash) & mask
    var entry = slots[unchecked: slot]
    while entry != 0 {
      // If the parts of the hashes are equal, only the number is left.
      let number = entry ^ part
      if number <= numbers {
        let row = Int(number) &- 1
        if rows[row].hash == hash { return row }
      }
      slot = (slot &+ 1) & mask
      entry = slots[unchecked: slot]
    }
    return -1
  }

  /// Returns the index of the first row with the hash of a row, or -1 after inserting that row.
  @_transparent
  private static func insert(
    _ row: Int, _ rows: borrowing MutableArrayView<UnalignedRow>,
    in slots: inout MutableArrayView<UInt32>
  ) -> Int {
    let hash = rows[row].hash
    var slot = 0
    let known = first(with: hash, rows, in: slots, slot: &slot)
    if known < 0 {
      slots[unchecked: slot] = HashTable.entry(hash, row, mask: slots.count &- 1)
    }
    return known
  }

  /// Pairs old rows with the new ones after them by their hashes. Returns the number of pairs; `nil` as soon as
  /// a hash repeats. The rows have no partners.
  mutating func pair(_ rows: inout [UnalignedRow], old: Int, new: Int) -> Int? {
    var rows = rows.mutableView
    var slots = slots.mutableView
    var row = 0
    while row < old {
      if Self.insert(row, rows, in: &slots) >= 0 { return nil }
      row &+= 1
    }
    var pairs = 0
    while row < old &+ new {
      // A row without a partner is not in the old list, and its hash must not repeat here either.
      let number = Self.insert(row, rows, in: &slots)
      if number >= 0 {
        if number >= old || rows[number].partner >= 0 { return nil }
        rows[row].partner = rows[number].row
        rows[number].partner = rows[row].row
        pairs &+= 1
      }
      row &+= 1
    }
    return pairs
  }

  /// Numbers the hashes of a range of rows in the order of their first occurrence, after those that already
  /// have a number. The first row with a hash keeps its number as its partner.
  mutating func number(
    _ range: Range<Int>, of rows: inout MutableArrayView<UnalignedRow>, in keys: inout [UInt32]
  ) {
    var next = count
    var keys = keys.mutableView
    var slots = slots.mutableView
    for row in range {
      var first = Self.insert(row, rows, in: &slots)
      if first < 0 {
        first = row
        rows[row].partner = Int32(truncatingIfNeeded: next)
        next &+= 1
      }
      keys[Int(rows[row].row)] = UInt32(bitPattern: rows[first].partner)
    }
    count = next
  }

  /// Returns whether the table contains the hash of one of the rows from an index on.
  mutating func contains(anyOf rows: inout [UnalignedRow], from start: Int) -> Bool {
    let count = rows.count
    let rows = rows.mutableView
    let slots = slots.mutableView
    var slot = 0
    for row in start..<count
    where Self.first(with: rows[row].hash, rows, in: slots, slot: &slot) >= 0 { return true }
    return false
  }
}
