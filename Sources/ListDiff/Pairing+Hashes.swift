extension Pairing {
  /// Whether rows that are not aligned may have partners elsewhere.
  @usableFromInline var mayMove: Bool { !oldRest.isEmpty && !newRest.isEmpty }

  /// Whether sections are deleted or inserted. Then rows could be deleted or inserted with them,
  /// and a matching without moves need not be optimal.
  @usableFromInline var hasUnpairedSections: Bool {
    engine.matching.sectionsToNew.contains(-1) || engine.matching.sectionsToOld.contains(-1)
  }

  /// The aligned old rows, in order.
  @usableFromInline
  var oldOthers: [Int32] {
    let count = engine.matching.rowsToNew.count
    var result: [Int32] = []
    if oldRest.count == count { return result }
    result.append(addingCapacity: count - oldRest.count) { result in
      var next: Int32 = 0
      func append(upTo end: Int32) {
        while next < end {
          result.append(next)
          next += 1
        }
        next = end + 1
      }
      for row in oldRest { append(upTo: row) }
      append(upTo: Int32(truncatingIfNeeded: count))
    }
    return result
  }

  /// Pairs the unaligned rows by hashes alone. Returns false if one repeats.
  @usableFromInline
  mutating func pairRest(
    _ oldHashes: [UInt64], _ newHashes: [UInt64], in table: inout HashTable
  ) -> Bool {
    let oldRows = oldRest
    let newRows = newRest
    return table.pair(
      oldRows: oldRows.view, oldHashes: oldHashes.view, newRows: newRows.view,
      newHashes: newHashes.view, toNew: &engine.matching.rowsToNew,
      toOld: &engine.matching.rowsToOld, &isHashed)
  }

  /// Pairs the unaligned rows by their keys, which do not repeat.
  mutating func pairRest(oldKeys: [UInt32], newKeys: [UInt32], keys: Int) {
    collectRest()
    engine.keyTable.reserve(universe: keys)
    let oldRows = oldRest
    let newRows = newRest
    Self.pair(
      oldRows: oldRows.view, oldKeys: oldKeys.view, newRows: newRows.view, newKeys: newKeys.view,
      positions: &engine.keyTable.positions, toNew: &engine.matching.rowsToNew,
      toOld: &engine.matching.rowsToOld)
  }

  private static func pair(
    oldRows: Span<Int32>, oldKeys: Span<UInt32>, newRows: Span<Int32>, newKeys: Span<UInt32>,
    positions: inout [Int32], toNew rowsToNew: inout [Int32], toOld rowsToOld: inout [Int32]
  ) {
    var positions = positions.mutableView
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    for index in oldRows.indices {
      positions[Int(oldKeys[Int(oldRows[index])])] = oldRows[index]
    }
    let last = UInt32(truncatingIfNeeded: oldKeys.count &- 1)
    for index in newRows.indices {
      let key = newKeys[Int(newRows[index])]
      // The stored position may be stale; then its key differs.
      let old = Int(min(UInt32(bitPattern: positions[Int(key)]), last))
      if oldKeys[old] != key { continue }
      toNew[old] = newRows[index]
      toOld[Int(newRows[index])] = Int32(truncatingIfNeeded: old)
    }
  }

  /// Returns the new rows whose content differs from that of their partners by the closure.
  @usableFromInline
  func changes(_ isSame: (Int, Int) -> Bool) -> [Int32] {
    var changed: [Int32] = []
    for (new, old) in engine.matching.rowsToOld.enumerated() where old >= 0 {
      if !isSame(Int(old), new) { changed.append(Int32(truncatingIfNeeded: new)) }
    }
    return changed
  }

  /// Unpairs the rows that are not aligned.
  @usableFromInline
  mutating func unpairRest() {
    for row in oldRest { engine.matching.rowsToNew[Int(row)] = -1 }
    for row in newRest { engine.matching.rowsToOld[Int(row)] = -1 }
    isHashed = false
  }

  /// Pairs all rows again by hashes that repeat: those of the unaligned rows, some of which have a
  /// number in `table`, and of the aligned old rows.
  @usableFromInline
  mutating func pairRepeats(
    _ oldHashes: [UInt64], _ newHashes: [UInt64], _ others: [Int32], _ otherHashes: [UInt64],
    in table: inout HashTable
  ) {
    let capacity = oldHashes.count + newHashes.count + otherHashes.count
    if table.isFull(capacity) { table = HashTable(capacity: capacity) }
    var oldKeys = [UInt32](repeating: 0, count: engine.matching.rowsToNew.count)
    var newKeys = [UInt32](repeating: 0, count: engine.matching.rowsToOld.count)
    table.number(oldHashes, of: oldRest, in: &oldKeys)
    table.number(otherHashes, of: others, in: &oldKeys)
    table.number(newHashes, of: newRest, in: &newKeys)
    for row in others { newKeys[Int(engine.matching.rowsToNew[Int(row)])] = oldKeys[Int(row)] }
    pairRepeats(oldKeys, newKeys, keys: table.count)
    isHashed = true
  }

  /// Returns the next rows, in order from `start` on, that are in one new section and whose
  /// partners, if any, are in one old section; `nil` if no further row has a partner.
  @usableFromInline
  func pairedRange(
    of rows: [Int32], from start: Int
  ) -> (indices: Range<Int>, old: Int, new: Int)? {
    if oldStarts.count == 2, newStarts.count == 2 {
      return start < rows.count ? (start..<rows.count, 0, 0) : nil
    }
    let toOld = engine.matching.rowsToOld.view
    let rows = rows.view
    var index = start
    while index < rows.count, toOld[Int(rows[index])] < 0 { index += 1 }
    guard index < rows.count else { return nil }
    let first = index
    let new = newStarts.section(ofRow: Int(rows[first]))
    let end = newStarts[new + 1]
    let old = oldStarts.section(ofRow: Int(toOld[Int(rows[first])]))
    let home = oldStarts[old]..<oldStarts[old + 1]
    while index < rows.count, rows[index] < end {
      let partner = toOld[Int(rows[index])]
      if partner >= 0, !home.contains(partner) { break }
      index += 1
    }
    return (first..<index, old, new)
  }
}
