extension Pairing {
  /// Pairs `count` new rows from an index on with their partners.
  func pair(_ rows: [UnalignedRow], from start: Int, count: Int) {
    for row in rows[start..<start + count] where row.partner >= 0 {
      engine.matching.pair(Int(row.partner), Int(row.row))
    }
  }

  /// Pairs the unaligned rows by their keys, which do not repeat.
  func pairRest(oldKeys: [UInt32], newKeys: [UInt32], keys: Int) {
    collectRest()
    engine.pair(oldRest, oldKeys, newRest, newKeys, keys: keys)
  }

  /// Finds the new rows whose content differs from that of their partners by the closure.
  @usableFromInline
  func findChanges(_ isSame: (Int, Int) -> Bool) {
    changedRows = []
    for (new, old) in engine.matching.rowsToOld.enumerated() where old >= 0 {
      if !isSame(Int(old), new) { changedRows.append(Int32(truncatingIfNeeded: new)) }
    }
  }

  /// Pairs all rows by hashes that repeat: those of the unaligned rows and, after these, those of the aligned old
  /// rows. Removes the rows, whose memory is that of what comes next.
  func pairRepeats(
    _ rows: inout [UnalignedRow], old: Int, new: Int, _ alignment: Alignment,
    _ sections: SectionPartners
  ) {
    var table = RowTable(capacity: rows.count)
    var oldKeys: [UInt32] = []
    var newKeys: [UInt32] = []
    oldKeys.fill(oldRows.count, with: 0)
    newKeys.fill(newRows.count, with: 0)
    let end = rows.count
    var view = rows.mutableView
    table.number(0..<old, of: &view, in: &oldKeys)
    table.number(old + new..<end, of: &view, in: &oldKeys)
    table.number(old..<old + new, of: &view, in: &newKeys)
    alignment.forEachPair(sections, oldRows, newRows) { newKeys[$1] = oldKeys[$0] }
    let count = table.count
    rows = []
    pairRepeats(oldKeys, newKeys, keys: count)
  }
}

extension DiffEngine {
  /// Pairs rows by their keys, which do not repeat.
  fileprivate mutating func pair(
    _ oldRows: [Int32], _ oldKeys: [UInt32], _ newRows: [Int32], _ newKeys: [UInt32], keys: Int
  ) {
    positions.reserve(universe: keys)
    Self.pair(
      oldRows: oldRows.view, oldKeys: oldKeys.view, newRows: newRows.view, newKeys: newKeys.view,
      positions: &positions, toNew: &matching.rowsToNew, toOld: &matching.rowsToOld)
  }

  private static func pair(
    oldRows: ArrayView<Int32>, oldKeys: ArrayView<UInt32>, newRows: ArrayView<Int32>,
    newKeys: ArrayView<UInt32>,
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
}
