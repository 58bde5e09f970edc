/// The items of two lists as numbers, between reading them and computing their change.
///
/// Rows explained by their neighbours arrive as an ``Alignment``; the rest are paired by hashes or keys.
///
/// It is a class, because its tables are too many to be passed by value.
@usableFromInline
final class Pairing {
  let oldRows: ListShape
  let newRows: ListShape
  private let oldStarts: [Int32]
  private let newStarts: [Int32]

  /// Whether all rows were paired again because ids repeat, so that the alignment no longer
  /// applies.
  private var hasRepeats = false

  /// The changed rows and sections by new index, in order.
  var changedRows: [Int32] = []
  var changedSections: [Int]

  var engine = DiffEngine()

  /// Creates a pairing of lists whose rows are paired next.
  @usableFromInline
  init(_ old: ListShape, _ new: ListShape, _ partners: SectionPartners, changedSections: [Int]) {
    (oldRows, newRows, self.changedSections) = (old, new, changedSections)
    oldStarts = old.starts
    newStarts = old == new ? oldStarts : new.starts
    if partners.areInOrder {
      let all = oldStarts.count == 2 ? Self.onlySection : Self.all(oldStarts.count - 1)
      (engine.matching.sectionsToOld, engine.matching.sectionsToNew) = (all, all)
    } else {
      engine.matching.sectionsToOld = partners.toOld
      engine.matching.sectionsToNew = partners.toNew
    }
  }

  /// The partner of the only section. A constant is not allocated.
  private static let onlySection: [Int32] = [0]

  /// Pairs the aligned rows, and no others.
  func pair(_ alignment: Alignment, _ sections: SectionPartners) {
    var matching = Matching()
    swap(&matching, &engine.matching)
    matching.rowsToNew.fill(oldRows.count, with: -1)
    matching.rowsToOld.fill(newRows.count, with: -1)
    alignment.forEachRun(sections, oldRows, newRows) {
      matching.pairInARow(old: $0, new: $1, count: $2)
    }
    swap(&matching, &engine.matching)
  }

  /// Pairs `count` new rows from an index on with their partners.
  func pair(_ rows: [UnalignedRow], from start: Int, count: Int) {
    for row in rows[start..<start + count] where row.partner >= 0 {
      engine.matching.pair(Int(row.partner), Int(row.row))
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

  /// Pairs rows.
  @usableFromInline
  func pair(toNew: [Int32], toOld: [Int32]) {
    (engine.matching.rowsToNew, engine.matching.rowsToOld) = (toNew, toOld)
  }

  /// The old row of each new row; -1 if it has no partner.
  var rowsToOld: [Int32] { engine.matching.rowsToOld }

  private static func all(_ count: Int) -> [Int32] {
    var rows: [Int32] = []
    rows.append(addingCapacity: count) { rows in
      for row in 0..<count { rows.append(Int32(truncatingIfNeeded: row)) }
    }
    return rows
  }

  /// Finds the rows and sections that move. If `moves` is false, unpairs them instead. Call it after the
  /// contents are compared.
  @usableFromInline
  func solve(moves: Bool) {
    if !hasRepeats {
      // The rows may have been paired again since the moves were found.
      engine.matching.gatherRuns()
      engine.movesAreFound = false
    }
    engine.findMoves(oldStarts: oldStarts, newStarts: newStarts)
    if moves { return }
    engine.dissolveMoves(oldStarts: oldStarts, newStarts: newStarts)
    // What would move has no partner any more.
    let (rowsToOld, sectionsToOld) = (engine.matching.rowsToOld, engine.matching.sectionsToOld)
    if !changedRows.isEmpty { changedRows.removeAll { rowsToOld[Int($0)] < 0 } }
    if !changedSections.isEmpty { changedSections.removeAll { sectionsToOld[$0] < 0 } }
  }

  /// Pairs all items again by their keys, some of which repeat.
  func pairRepeats(_ oldKeys: [UInt32], _ newKeys: [UInt32], keys: Int) {
    engine.matchRepeatedRows((oldStarts, oldKeys), (newStarts, newKeys), universe: keys, nil)
    hasRepeats = true
  }

  /// Returns the change. Call it after ``solve(moves:)``.
  @usableFromInline
  func changes() -> Changes {
    Changes(
      engine.structuralStages(oldStarts: oldStarts, newStarts: newStarts),
      engine.movement.rowCounts, engine.movement.sectionCounts, changedSections,
      changedRows: changedRows, oldRows: oldRows, newRows: newRows)
  }
}

extension DiffEngine {
  /// Unpairs the sections and rows that would move, so that they are deleted and inserted instead.
  /// Call it after ``findMoves(oldStarts:newStarts:)``, which it repeats.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections.
  package mutating func dissolveMoves(oldStarts: [Int32], newStarts: [Int32]) {
    for (old, section) in movement.oldSections.enumerated() where section.isMoved {
      matching.sectionsToOld[Int(matching.sectionsToNew[old])] = -1
      matching.sectionsToNew[old] = -1
      for row in Int(oldStarts[old])..<Int(oldStarts[old + 1]) { unpair(row) }
    }
    for (new, old) in matching.sectionsToOld.enumerated() where old < 0 {
      for row in Int(newStarts[new])..<Int(newStarts[new + 1]) {
        if matching.rowsToOld[row] >= 0 { unpair(Int(matching.rowsToOld[row])) }
      }
    }
    for (row, moved) in movement.movedRows.enumerated() where moved { unpair(row) }
    matching.gatherRuns()
    findMoves(oldStarts: oldStarts, newStarts: newStarts)
  }

  private mutating func unpair(_ old: Int) {
    let new = Int(matching.rowsToNew[old])
    guard new >= 0 else { return }
    matching.rowsToNew[old] = -1
    matching.rowsToOld[new] = -1
  }
}
