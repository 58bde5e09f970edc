import ByteBuffers
import ListDiff

/// The keys of two tables' rows as numbers: equal keys have equal numbers.
struct RecordKeys {
  private(set) var old: [UInt32]
  private(set) var new: [UInt32]

  /// One above the largest number.
  private(set) var universe: Int

  /// The first row on each side whose key, which is not its whole text, occurred before.
  private(set) var repeated: (old: Int?, new: Int?) = (nil, nil)

  /// Whether a number may occur twice on one side.
  private(set) var hasRepeats: Bool

  /// The number of rows with each key, on the side that has more.
  private var counts: [Int32] = []

  /// - Complexity: O(*n*) on average, where *n* is the number of bytes of all keys.
  init(_ a: RecordTable, _ b: RecordTable, seed: UInt64) {
    var table = SliceKeys(capacity: max(a.rows.count, b.rows.count))
    // The bytes of each key.
    var keys: [UnsafeRawBufferPointer] = []
    keys.reserveCapacity(a.rows.count)
    old = []
    new = []
    (old, repeated.old) = Self.numbers(of: a, &table, &keys, &counts, seed)
    var newCounts = [Int32](repeating: 0, count: counts.count)
    (new, repeated.new) = Self.numbers(of: b, &table, &keys, &newCounts, seed)
    for (number, count) in counts.enumerated() where newCounts[number] < count {
      newCounts[number] = count
    }
    counts = newCounts
    universe = keys.count
    hasRepeats = counts.contains { $0 > 1 }
    withExtendedLifetime((a, b)) {}
  }

  /// Returns the numbers of a table's keys and the first row whose key occurred before, and counts
  /// the rows with each key.
  private static func numbers(
    of rows: RecordTable, _ table: inout SliceKeys, _ keys: inout [UnsafeRawBufferPointer],
    _ counts: inout [Int32], _ seed: UInt64
  ) -> ([UInt32], Int?) {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(rows.keyRanges.count)
    var repeated: Int?
    for row in rows.keyRanges.indices {
      let key = rows.key(ofRow: row)
      let number = table.insert(Bytes.hash(key, seed: seed)) { Bytes.equal(keys[$0], key) }
      if number == keys.count { keys.append(key) }
      if number == counts.count { counts.append(0) }
      counts[number] += 1
      if counts[number] == 2, repeated == nil, rows.form == .json || rows.hasKey(row) {
        repeated = row
      }
      numbers.append(UInt32(truncatingIfNeeded: number))
    }
    return (numbers, repeated)
  }

  /// Gives each row with a repeated key its own number: rows with equal content are paired first,
  /// like lines of text, then the remaining rows of each key in order.
  mutating func separateRepeats(
    _ a: RecordTable, _ b: RecordTable, with engine: inout DiffEngine, seed: UInt64
  ) {
    let wholes = RecordKeys(
      a.byContent(old, where: counts), b.byContent(new, where: counts), seed: seed)
    engine.match(
      Arrangement(
        sections: [0], starts: [0, Int32(truncatingIfNeeded: old.count)], rows: wholes.old,
        hasRepeats: true),
      Arrangement(
        sections: [0], starts: [0, Int32(truncatingIfNeeded: new.count)], rows: wholes.new,
        hasRepeats: true),
      universe: max(1, wholes.universe))
    let partners = engine.matching.rowsToOld
    var waiting: [UInt32: [Int]] = [:]
    for row in old.indices.reversed() where engine.matching.rowsToNew[row] < 0 {
      waiting[old[row], default: []].append(row)
    }
    var numbers = [UInt32](repeating: 0, count: new.count)
    for row in new.indices {
      let partner = partners[row] >= 0 ? Int(partners[row]) : waiting[new[row]]?.popLast()
      numbers[row] = UInt32(truncatingIfNeeded: partner ?? old.count + row)
    }
    new = numbers
    old = old.indices.map { UInt32(truncatingIfNeeded: $0) }
    universe = old.count + new.count
    hasRepeats = false
  }
}

extension RecordTable {
  /// The same rows, with the whole row as key if the key repeats.
  fileprivate func byContent(_ numbers: [UInt32], where counts: [Int32]) -> RecordTable {
    var table = self
    var builder = Builder()
    for (row, range) in rows.enumerated() {
      let start = builder.keys.count
      builder.keys.append(key(ofRow: row))
      if counts[Int(numbers[row])] > 1 {
        builder.keys.append(1)
        if form == .json {
          builder.append(jsonKey: bytes(range))
        } else {
          builder.keys.append(bytes(range))
        }
      }
      builder.add(range, keyFrom: start)
    }
    table.set(builder)
    return table
  }
}
