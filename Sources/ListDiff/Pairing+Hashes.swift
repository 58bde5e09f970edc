extension Pairing {
  /// Whether what is not aligned may have partners elsewhere.
  @usableFromInline var mayMove: Bool { !oldRest.isEmpty && !newRest.isEmpty }

  /// Whether a row could go or come with its section, so that a pairing without a move need not be
  /// among the best.
  @usableFromInline var mayLinger: Bool {
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

  /// Pairs the rest by hashes alone; `nil` where one repeats, else all of them.
  @usableFromInline
  mutating func pairRest(_ oldHashes: [UInt64], _ newHashes: [UInt64]) -> HashTable? {
    var table = HashTable(capacity: oldHashes.count + newHashes.count)
    let oldRows = oldRest
    let newRows = newRest
    guard
      Self.pair(
        oldRows.view, oldHashes.view, newRows.view, newHashes.view, &table,
        &engine.matching.rowsToNew, &engine.matching.rowsToOld, &isHashed)
    else { return nil }
    return table
  }

  private static func pair(
    _ oldRest: Span<Int32>, _ oldHashes: Span<UInt64>, _ newRest: Span<Int32>,
    _ newHashes: Span<UInt64>, _ table: inout HashTable, _ rowsToNew: inout [Int32],
    _ rowsToOld: inout [Int32], _ isHashed: inout Bool
  ) -> Bool {
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    for index in oldHashes.indices {
      if table.insert(oldHashes[index], Int(oldRest[index])) >= 0 { return false }
    }
    for index in newHashes.indices {
      // What has no partner is not in the old list, and has to be here once.
      let old = table.insert(newHashes[index], HashTable.noRow)
      if old < 0 { continue }
      if old == HashTable.noRow || toNew[old] >= 0 { return false }
      toNew[old] = newRest[index]
      toOld[Int(newRest[index])] = Int32(truncatingIfNeeded: old)
      isHashed = true
    }
    return true
  }

  /// Parts the rest again.
  @usableFromInline
  mutating func unpairRest() {
    for row in oldRest { engine.matching.rowsToNew[Int(row)] = -1 }
    for row in newRest { engine.matching.rowsToOld[Int(row)] = -1 }
    isHashed = false
  }

  /// Pairs all rows anew by hashes that repeat.
  @usableFromInline
  mutating func pairRepeats(_ oldHashes: [UInt64], _ newHashes: [UInt64]) {
    var table = HashTable(capacity: oldHashes.count + newHashes.count)
    var count = 0
    let oldKeys = table.keys(of: oldHashes, &count)
    let newKeys = table.keys(of: newHashes, &count)
    pairRepeats(oldKeys, newKeys, keys: count)
    isHashed = true
  }

  /// The rows from one on, of some in order, that are in one new section and whose partners, if any,
  /// are in one old section; `nil` if no more has a partner.
  @usableFromInline
  func stretch(of rows: [Int32], from start: Int) -> PairedStretch? {
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
    return PairedStretch(indices: first..<index, old: old, new: new)
  }
}

/// Indices of rows in one new section whose partners are in one old section.
@frozen @usableFromInline
struct PairedStretch {
  @usableFromInline let indices: Range<Int>
  @usableFromInline let old: Int
  @usableFromInline let new: Int
}
