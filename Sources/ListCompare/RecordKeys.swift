import JSONBytes
import ListDiff

/// The keys of two tables' rows as numbers: equal keys have equal numbers.
struct RecordKeys {
  private(set) var old: [UInt32]
  private(set) var new: [UInt32]

  /// One above the largest number.
  private(set) var universe: Int

  /// The first row on each side whose key occurred before.
  private(set) var repeated: (old: Int?, new: Int?)

  /// Whether a number may occur twice on one side.
  private(set) var hasRepeats: Bool

  /// The number of rows with each key, on the side that has more.
  private var counts: [Int32] = []

  /// - Complexity: O(*n*) on average, where *n* is the number of bytes of all keys.
  init(_ a: RecordTable, _ b: RecordTable, seed: UInt64) {
    var table = SliceKeys(capacity: max(a.rows.count, b.rows.count))
    var owners: [(isNew: Bool, row: Int32)] = []
    let (oldKeys, newKeys) = (a.keys.bytes, b.keys.bytes)
    let (oldRanges, newRanges) = (a.keyRanges, b.keyRanges)
    func numbers(_ isNew: Bool, _ counts: inout [Int32], _ repeated: inout Int?) -> [UInt32] {
      let keys = isNew ? newKeys : oldKeys
      let ranges = isNew ? newRanges : oldRanges
      return ranges.enumerated().map { row, range in
        let key = UnsafeRawBufferPointer(rebasing: keys[range])
        let number = table.insert(Bytes.hash(key, seed: seed)) { number in
          let owner = owners[number]
          let other = owner.isNew ? newRanges[Int(owner.row)] : oldRanges[Int(owner.row)]
          return Bytes.equal(
            UnsafeRawBufferPointer(rebasing: (owner.isNew ? newKeys : oldKeys)[other]), key)
        }
        if number == owners.count { owners.append((isNew, Int32(truncatingIfNeeded: row))) }
        while counts.count < owners.count { counts.append(0) }
        counts[number] += 1
        if counts[number] == 2, repeated == nil { repeated = row }
        return UInt32(truncatingIfNeeded: number)
      }
    }
    var oldCounts: [Int32] = []
    var newCounts: [Int32] = []
    var repeats: (old: Int?, new: Int?)
    old = numbers(false, &oldCounts, &repeats.old)
    newCounts = [Int32](repeating: 0, count: owners.count)
    new = numbers(true, &newCounts, &repeats.new)
    repeated = repeats
    universe = owners.count
    counts = newCounts
    for (number, count) in oldCounts.enumerated() { counts[number] = max(counts[number], count) }
    hasRepeats = repeats.old != nil || repeats.new != nil
    withExtendedLifetime((a, b)) {}
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
