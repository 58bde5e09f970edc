import ByteBuffers
import ListDiff
import ListStages

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

  /// For each number, whether several rows of one side have it.
  private var isRepeated: [Bool] = []

  /// - Complexity: O(*n*) on average, where *n* is the number of bytes of all keys.
  init(_ a: RecordTable, _ b: RecordTable, seed: UInt64) {
    var numbering = KeyNumbering(a, b, seed: seed)
    (old, repeated.old) = numbering.numbers(of: a, from: 0, &isRepeated)
    if a.keys === b.keys {
      (new, repeated.new) = (old, repeated.old)
    } else {
      (new, repeated.new) = numbering.numbers(of: b, from: a.rows.count, &isRepeated)
    }
    universe = isRepeated.count
    hasRepeats = isRepeated.contains(true)
    withExtendedLifetime((a, b)) {}
  }

  /// Gives each row with a repeated key its own number: rows with equal content are paired first,
  /// like lines of text, then the remaining rows of each key in order.
  mutating func separateRepeats(
    _ a: RecordTable, _ b: RecordTable, with engine: inout DiffEngine, seed: UInt64
  ) {
    let wholes = RecordKeys(
      a.byContent(old, where: isRepeated), b.byContent(new, where: isRepeated), seed: seed)
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
  fileprivate func byContent(_ numbers: [UInt32], where isRepeated: [Bool]) -> RecordTable {
    var table = self
    var builder = Builder()
    for (row, range) in rows.enumerated() {
      builder.keys.append(key(ofRow: row))
      if isRepeated[Int(numbers[row])] {
        builder.keys.append(1)
        if form == .json {
          builder.append(jsonKey: bytes(range))
        } else {
          builder.keys.append(bytes(range))
        }
      }
      builder.add(range)
    }
    table.set(builder)
    return table
  }
}

/// Numbers the keys of two tables in the order of their first occurrence.
private struct KeyNumbering {
  private let old: RecordTable
  private let new: RecordTable
  private let seed: UInt64
  private var table: SliceKeys

  /// For each number, the first row with its key. New rows follow old ones.
  private var firstRows: [UInt32] = []

  init(_ old: RecordTable, _ new: RecordTable, seed: UInt64) {
    self.old = old
    self.new = new
    self.seed = seed
    table = SliceKeys(capacity: old.rows.count)
    firstRows.reserveCapacity(old.rows.count)
  }

  @inline(__always)
  private static func key(
    ofRow row: UInt32, _ old: RecordTable, _ new: RecordTable
  ) -> UnsafeRawBufferPointer {
    let row = Int(row)
    return row < old.rows.count ? old.key(ofRow: row) : new.key(ofRow: row - old.rows.count)
  }

  /// Returns the numbers of the rows of one of the tables, which follow `start` others, and the
  /// first row whose key occurred before. Sets `isRepeated` by number.
  mutating func numbers(
    of rows: RecordTable, from start: Int, _ isRepeated: inout [Bool]
  ) -> ([UInt32], Int?) {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(rows.rows.count)
    var repeated: Int?
    var isSeen = [Bool](repeating: false, count: isRepeated.count)
    var firstRows = self.firstRows
    self.firstRows = []
    defer { self.firstRows = firstRows }
    let (old, new) = (old, new)
    // Most new keys follow the same key as in the old table.
    var next = 0
    for row in rows.keyRanges.indices {
      let key = rows.key(ofRow: row)
      var number = next
      if next >= min(start, firstRows.count)
        || !Bytes.equal(Self.key(ofRow: firstRows[next], old, new), key)
      {
        number = table.insert(Bytes.hash(key, seed: seed)) {
          Bytes.equal(Self.key(ofRow: firstRows[$0], old, new), key)
        }
      }
      next = number + 1
      if number == firstRows.count { firstRows.append(UInt32(truncatingIfNeeded: start + row)) }
      if number == isSeen.count {
        isSeen.append(false)
        isRepeated.append(false)
      }
      if isSeen[number] {
        isRepeated[number] = true
        if repeated == nil, rows.form == .json || rows.hasKey(row) { repeated = row }
      }
      isSeen[number] = true
      numbers.append(UInt32(truncatingIfNeeded: number))
    }
    return (numbers, repeated)
  }
}
