extension Pairing {
  /// Whether what is not paired may have partners elsewhere.
  @usableFromInline var mayMove: Bool { !oldRest.isEmpty && !newRest.isEmpty }

  /// Whether a row could go or come with its section, so that a pairing without a move need not be
  /// among the best.
  @usableFromInline var mayLinger: Bool {
    sectionsToNew.contains(-1) || sectionsToOld.contains(-1)
  }

  /// Notes what no comparison has paired.
  @usableFromInline
  mutating func addRest() {
    oldRest = Self.places(in: rowsToNew) { $0 < 0 }
    newRest = Self.places(in: rowsToOld) { $0 < 0 }
  }

  /// The old rows that comparisons have paired.
  @usableFromInline
  var oldOthers: [Int32] {
    var isRest = [Bool](repeating: false, count: rowsToNew.count)
    for row in oldRest { isRest[Int(row)] = true }
    return Self.places(in: isRest) { !$0 }
  }

  private static func places<Element>(
    in list: [Element], where isIn: (Element) -> Bool
  ) -> [Int32] {
    var result: [Int32] = []
    for (place, element) in list.enumerated() where isIn(element) {
      result.append(Int32(truncatingIfNeeded: place))
    }
    return result
  }

  /// Pairs the rest by hashes alone; false where one repeats.
  @usableFromInline
  mutating func pairRest(_ oldHashes: [UInt64], _ newHashes: [UInt64]) -> Bool {
    var table = PlaceTable(capacity: oldHashes.count)
    unpairedHashes.removeAll(keepingCapacity: true)
    for (index, hash) in oldHashes.enumerated() {
      if table.insert(hash, Int(oldRest[index])) >= 0 { return false }
    }
    for (index, hash) in newHashes.enumerated() {
      let old = table.find(hash)
      if old < 0 {
        unpairedHashes.append(hash)
      } else if rowsToNew[old] < 0 {
        rowsToNew[old] = newRest[index]
        rowsToOld[Int(newRest[index])] = Int32(truncatingIfNeeded: old)
        isHashed = true
      } else {
        return false
      }
    }
    return true
  }

  /// Whether the hashes of all old rows, those of the rest and the others, and of the new rows
  /// without a partner differ from each other.
  ///
  /// A table of bits, small enough for a cache, finds nearly all that do; the few that share a bit
  /// are looked at once more.
  @usableFromInline
  func areDistinct(_ others: [UInt64], _ rest: [UInt64]) -> Bool {
    let count = others.count + rest.count + unpairedHashes.count
    var seen = HashBits(capacity: count)
    var shared: [UInt64] = []
    for hashes in [others, rest, unpairedHashes] { seen.insert(hashes, sharing: &shared) }
    if shared.isEmpty { return true }
    var suspects = HashBits(capacity: count)
    var hits: [UInt64] = []
    suspects.insert(shared, sharing: &hits)
    hits.removeAll()
    for hashes in [others, rest, unpairedHashes] { suspects.find(hashes, in: &hits) }
    var table = PlaceTable(capacity: hits.count)
    return hits.allSatisfy { table.insert($0, 0) < 0 }
  }

  /// Parts the rest again.
  @usableFromInline
  mutating func unpairRest() {
    for row in oldRest { rowsToNew[Int(row)] = -1 }
    for row in newRest { rowsToOld[Int(row)] = -1 }
    isHashed = false
  }

  /// Pairs all rows anew by hashes that repeat.
  @usableFromInline
  mutating func pairRepeats(_ oldHashes: [UInt64], _ newHashes: [UInt64]) {
    var table = PlaceTable(capacity: oldHashes.count + newHashes.count)
    var count = 0
    func key(_ hash: UInt64) -> UInt32 {
      let known = table.insert(hash, count)
      if known < 0 { count += 1 }
      return UInt32(truncatingIfNeeded: known < 0 ? count - 1 : known)
    }
    let oldKeys = oldHashes.map { key($0) }
    let newKeys = newHashes.map { key($0) }
    pairRepeats(oldKeys, newKeys, keys: count)
    isHashed = true
  }

  /// The new rows from one on whose partners, if any, are in one old section, and that section; -1
  /// where there are no partners.
  @usableFromInline
  func stretch(from start: Int, to end: Int) -> (rows: Range<Int>, section: Int) {
    let toOld = rowsToOld.span
    var row = start
    while row < end, toOld[row] < 0 { row += 1 }
    guard row < end else { return (start..<end, -1) }
    let section = oldStarts.section(ofRow: Int(toOld[row]))
    let home = oldStarts[section]..<oldStarts[section + 1]
    while row < end, toOld[row] < 0 || home.contains(toOld[row]) { row += 1 }
    return (start..<row, section)
  }
}

/// A set of hashes by one bit each, so that several may share one.
private struct HashBits {
  private var words: [UInt64]
  private let shift: UInt64

  /// A set with sixteen bits for each of `capacity` hashes.
  init(capacity: Int) {
    var bits: UInt64 = 6
    while 1 << bits < capacity * 16 { bits += 1 }
    shift = 64 - bits
    words = Array(repeating: 0, count: 1 << (bits - 6))
  }

  /// Adds hashes, and to `shared` those whose bit is there already.
  mutating func insert(_ hashes: [UInt64], sharing shared: inout [UInt64]) {
    let shift = shift
    var words = words.mutableSpan
    for hash in hashes {
      let place = hash &>> shift
      let index = Int(truncatingIfNeeded: place >> 6)
      let word = words[index]
      let bit: UInt64 = 1 &<< place
      words[index] = word | bit
      if word & bit != 0 { shared.append(hash) }
    }
  }

  /// Adds to `found` the hashes whose bit is there.
  func find(_ hashes: [UInt64], in found: inout [UInt64]) {
    let words = words.span
    for hash in hashes {
      let place = hash &>> shift
      if words[Int(truncatingIfNeeded: place >> 6)] & 1 &<< place != 0 { found.append(hash) }
    }
  }
}
