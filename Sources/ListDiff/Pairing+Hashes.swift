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
    var result: [Int32] = []
    result.reserveCapacity(engine.matching.rowsToNew.count - oldRest.count)
    var next: Int32 = 0
    for row in oldRest {
      while next < row {
        result.append(next)
        next += 1
      }
      next = row + 1
    }
    while Int(next) < engine.matching.rowsToNew.count {
      result.append(next)
      next += 1
    }
    return result
  }

  /// Pairs the unaligned rows by hashes alone. Returns the table of all hashes, or `nil` if one
  /// repeats.
  @usableFromInline
  mutating func pairRest(_ oldHashes: [UInt64], _ newHashes: [UInt64]) -> HashTable? {
    var table = HashTable(capacity: oldHashes.count + newHashes.count)
    let oldRows = oldRest
    let newRows = newRest
    guard
      Self.pair(
        oldRows: oldRows.view, oldHashes: oldHashes.view, newRows: newRows.view,
        newHashes: newHashes.view, table: &table, toNew: &engine.matching.rowsToNew,
        toOld: &engine.matching.rowsToOld, isHashed: &isHashed)
    else { return nil }
    return table
  }

  private static func pair(
    oldRows oldRest: Span<Int32>, oldHashes: Span<UInt64>, newRows newRest: Span<Int32>,
    newHashes: Span<UInt64>, table: inout HashTable, toNew rowsToNew: inout [Int32],
    toOld rowsToOld: inout [Int32], isHashed: inout Bool
  ) -> Bool {
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    for index in oldHashes.indices {
      if table.insert(oldHashes[index], Int(oldRest[index])) >= 0 { return false }
    }
    for index in newHashes.indices {
      // A row without a partner is not in the old list, and its hash must not repeat here either.
      let old = table.insert(newHashes[index], HashTable.noRow)
      if old < 0 { continue }
      if old == HashTable.noRow || toNew[old] >= 0 { return false }
      toNew[old] = newRest[index]
      toOld[Int(newRest[index])] = Int32(truncatingIfNeeded: old)
      isHashed = true
    }
    return true
  }

  /// Unpairs the rows that are not aligned.
  @usableFromInline
  mutating func unpairRest() {
    for row in oldRest { engine.matching.rowsToNew[Int(row)] = -1 }
    for row in newRest { engine.matching.rowsToOld[Int(row)] = -1 }
    isHashed = false
  }

  /// Pairs all rows again by hashes that repeat.
  @usableFromInline
  mutating func pairRepeats(_ oldHashes: [UInt64], _ newHashes: [UInt64]) {
    var table = HashTable(capacity: oldHashes.count + newHashes.count)
    var count = 0
    let oldKeys = table.keys(of: oldHashes, &count)
    let newKeys = table.keys(of: newHashes, &count)
    pairRepeats(oldKeys, newKeys, keys: count)
    isHashed = true
  }

  /// Returns the next rows, in order from `start` on, that are in one new section and whose
  /// partners, if any, are in one old section; `nil` if no further row has a partner.
  @usableFromInline
  func pairedRange(of rows: [Int32], from start: Int) -> PairedRange? {
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
    return PairedRange(indices: first..<index, old: old, new: new)
  }
}

/// Indices of rows in one new section whose partners are in one old section.
@frozen @usableFromInline
struct PairedRange {
  @usableFromInline let indices: Range<Int>
  @usableFromInline let old: Int
  @usableFromInline let new: Int
}
