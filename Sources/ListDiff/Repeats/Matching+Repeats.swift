extension DiffEngine {
  /// Pairs rows whose keys may repeat, so that few of them move.
  ///
  /// The candidates are a matching by a long common subsequence of each section, a matching of rows
  /// with equal surroundings, which is tried if the first leaves many moves and many rows have them,
  /// and the *k*-th occurrence with the *k*-th. Each candidate then pairs the remaining rows in order.
  /// The candidate with the fewest operations is used.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows on both sides.
  package mutating func matchRepeatedRows(
    _ old: KeyedRows, _ new: KeyedRows, universe: Int, _ shown: ShownRows?
  ) {
    positions.all.reserve(universe: universe)
    band.reserve(universe: positions.all.count)
    if queueHead.count < positions.all.count {
      queueHead.fill(max(positions.all.count, queueHead.count * 2), with: -1)
    }
    unpairRows(old, new)
    pairByBand(old, new)
    var best = weigh(old, new, shown)
    // Without a move, no candidate can be better unless rows could be deleted or inserted with
    // their section.
    if best.moves == 0, movement.sectionCounts == Counts() { return }
    // If the rows that do not move are a longest common subsequence of each section, no fewer can
    // move.
    if band.isOptimal, shown == nil, allSectionsAreKept { return }
    var moves = best.moves
    if !band.isConfident, alignBlocks(old, new) > band.pairs {
      moves = adoptIfBetter(than: &best, old, new, shown) { $0.pairByBlocks(old, new) }.moves
    }
    if moves > old.rows.count / 4,
      windows.haveManyInCommon(old.rows.view, new.rows.view)
    {
      adoptIfBetter(than: &best, old, new, shown) { $0.pairByNeighbours(old, new) }
    }
    // The bound counts moves of items, including items that show no rows and cost nothing.
    if shown == nil, needsMovesInOrder(best.moves, old, new) { return }
    adoptIfBetter(than: &best, old, new, shown) {
      $0.pairInOrder(old, new, [old.rows.indices], [new.rows.indices])
    }
  }

  /// Whether no section is deleted or inserted.
  private var allSectionsAreKept: Bool {
    movement.sectionCounts.deletes == 0 && movement.sectionCounts.inserts == 0
  }

  /// Computes another matching, keeps it if it costs less than `best`, and returns its cost.
  @discardableResult
  private mutating func adoptIfBetter(
    than best: inout PairingCost, _ old: KeyedRows, _ new: KeyedRows,
    _ shown: ShownRows?, _ pair: (inout DiffEngine) -> Void
  ) -> PairingCost {
    let present = (matching, movement, movesAreFound)
    unpairRows(old, new)
    pair(&self)
    let cost = weigh(old, new, shown)
    if cost < best {
      best = cost
    } else {
      (matching, movement, movesAreFound) = present
    }
    return cost
  }

  /// Returns whether pairing the *k*-th occurrence with the *k*-th requires at least that many
  /// moves, in a list of one section.
  ///
  /// Of two neighbours in the wrong order, one has to move.
  private mutating func needsMovesInOrder(
    _ moves: Int, _ old: KeyedRows, _ new: KeyedRows
  ) -> Bool {
    guard matching.hasSingleSection else { return false }
    queueNext.reserve(old.rows.count)
    return Self.hasDescents(
      moves, old: old.rows.view, new: new.rows.view, queueHead: &queueHead,
      queueNext: &queueNext)
  }

  private static func hasDescents(
    _ limit: Int, old: ArrayView<UInt32>, new: ArrayView<UInt32>, queueHead: inout [Int32],
    queueNext: inout [Int32]
  ) -> Bool {
    var first = queueHead.mutableView
    var next = queueNext.mutableView
    var row = old.count
    while row > 0 {
      row &-= 1
      let key = Int(old[row])
      next[row] = first[key]
      first[key] = Int32(truncatingIfNeeded: row)
    }
    var descents = 0
    var last: Int32 = -1
    row = 0
    while row < new.count, descents < limit {
      let key = Int(new[row])
      row &+= 1
      let partner = first[key]
      guard partner >= 0 else { continue }
      first[key] = next[Int(partner)]
      let isBefore = partner < last
      descents &+= isBefore ? 1 : 0
      last = isBefore ? -1 : partner
    }
    for row in 0..<old.count { first[Int(old[row])] = -1 }
    return descents >= limit
  }

  /// The cost of a matching: first the rows in row operations, then the moves.
  private typealias PairingCost = (rowChanges: Int, moves: Int)

  private mutating func weigh(
    _ old: KeyedRows, _ new: KeyedRows, _ shown: ShownRows?
  ) -> PairingCost {
    matching.gatherRuns()
    movesAreFound = false
    guard let shown else {
      findMoves(oldStarts: old.starts, newStarts: new.starts)
      movesAreFound = true
      return (movement.explicitRowChanges, movement.rowCounts.moves)
    }
    let items = shown.match(&self)
    findMoves(oldStarts: shown.oldStarts, newStarts: shown.newStarts)
    matching = items
    return (movement.explicitRowChanges, movement.rowCounts.moves)
  }

  private mutating func pairByBand(_ old: KeyedRows, _ new: KeyedRows) {
    band.begin()
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      let before = old.starts.rows(ofSection: Int(home))
      let after = new.starts.rows(ofSection: section)
      band.align(
        old.rows.view.extracting(before), oldStart: before.lowerBound,
        new.rows.view.extracting(after), newStart: after.lowerBound, in: &matching)
    }
    pairRest(old, new)
  }

  /// Aligns all sections block by block, and returns the number of pairs.
  private mutating func alignBlocks(_ old: KeyedRows, _ new: KeyedRows) -> Int {
    blocks.begin()
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      blocks.align(
        old: old.rows.view, in: old.starts.rows(ofSection: Int(home)), new: new.rows.view,
        in: new.starts.rows(ofSection: section))
    }
    return blocks.pairs
  }

  private mutating func pairByBlocks(_ old: KeyedRows, _ new: KeyedRows) {
    for run in blocks.runs {
      matching.pairInARow(old: Int(run.old), new: Int(run.new), count: Int(run.count))
    }
    pairRest(old, new)
  }

  /// Pairs the remaining rows: first within a section, then among kept sections, then anywhere.
  private mutating func pairRest(_ old: KeyedRows, _ new: KeyedRows) {
    var keptOld: [Range<Int>] = []
    var keptNew: [Range<Int>] = []
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      keptNew.append(new.starts.rows(ofSection: section))
      pairInOrder(old, new, [old.starts.rows(ofSection: Int(home))], keptNew.suffix(1))
    }
    if old.starts.count == 2, new.starts.count == 2, keptNew.count == 1 { return }
    for (section, new) in matching.sectionsToNew.enumerated() where new >= 0 {
      keptOld.append(old.starts.rows(ofSection: section))
    }
    pairInOrder(old, new, keptOld[...], keptNew[...])
    pairInOrder(old, new, [old.rows.indices], [new.rows.indices])
  }

  private mutating func unpairRows(_ old: KeyedRows, _ new: KeyedRows) {
    matching.rowsToNew.fill(old.rows.count, with: -1)
    matching.rowsToOld.fill(new.rows.count, with: -1)
  }

  /// Pairs the unpaired rows of ascending ranges: of each key the first with the first, the second
  /// with the second and so on.
  private mutating func pairInOrder(
    _ old: KeyedRows, _ new: KeyedRows, _ oldRanges: ArraySlice<Range<Int>>,
    _ newRanges: ArraySlice<Range<Int>>
  ) {
    unpairedOld.removeAll(keepingCapacity: true)
    unpairedOld.reserveCapacity(old.rows.count)
    for range in oldRanges { unpairedOld.appendUnpaired(range, of: matching.rowsToNew) }
    if unpairedOld.isEmpty { return }
    unpairedNew.removeAll(keepingCapacity: true)
    unpairedNew.reserveCapacity(new.rows.count)
    for range in newRanges { unpairedNew.appendUnpaired(range, of: matching.rowsToOld) }
    queueNext.reserve(old.rows.count)
    let unpairedOld = unpairedOld
    let unpairedNew = unpairedNew
    Self.pairInOrder(
      oldKeys: old.rows.view, oldRows: unpairedOld.view, newKeys: new.rows.view,
      newRows: unpairedNew.view, queueHead: &queueHead,
      queueNext: &queueNext, toNew: &matching.rowsToNew, toOld: &matching.rowsToOld)
  }

  private static func pairInOrder(
    oldKeys old: ArrayView<UInt32>, oldRows: ArrayView<Int32>, newKeys new: ArrayView<UInt32>,
    newRows: ArrayView<Int32>, queueHead: inout [Int32], queueNext: inout [Int32],
    toNew rowsToNew: inout [Int32], toOld rowsToOld: inout [Int32]
  ) {
    var first = queueHead.mutableView
    var next = queueNext.mutableView
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var index = oldRows.count
    while index > 0 {
      index &-= 1
      let row = Int(oldRows[index])
      let key = Int(old[row])
      next[row] = first[key]
      first[key] = oldRows[index]
    }
    for index in 0..<newRows.count {
      let row = Int(newRows[index])
      let key = Int(new[row])
      let partner = first[key]
      guard partner >= 0 else { continue }
      first[key] = next[Int(partner)]
      toNew[Int(partner)] = newRows[index]
      toOld[row] = partner
    }
    for index in 0..<oldRows.count { first[Int(old[Int(oldRows[index])])] = -1 }
  }

  private mutating func pairByNeighbours(_ old: KeyedRows, _ new: KeyedRows) {
    pairDistinct(old, new)
    pairEndsOfSections(old, new)
    pairNeighbours(old, new)
    for width in [4, 2] {
      pairWindows(old, new, width: width)
      pairNeighbours(old, new)
    }
    pairRest(old, new)
  }

  /// Pairs the rows whose key occurs once on each side.
  private mutating func pairDistinct(_ old: KeyedRows, _ new: KeyedRows) {
    if oldCounts.count < queueHead.count {
      oldCounts.fill(queueHead.count, with: 0)
      newCounts.fill(queueHead.count, with: 0)
    }
    for key in old.rows { oldCounts[Int(key)] += 1 }
    for key in new.rows { newCounts[Int(key)] += 1 }
    for (row, key) in old.rows.enumerated() {
      positions.all[Int(key)] = Int32(truncatingIfNeeded: row)
    }
    for (row, key) in new.rows.enumerated()
    where oldCounts[Int(key)] == 1 && newCounts[Int(key)] == 1 {
      matching.pair(Int(positions.all[Int(key)]), row)
    }
    for key in old.rows { oldCounts[Int(key)] = 0 }
    for key in new.rows { newCounts[Int(key)] = 0 }
  }

  private mutating func pairEndsOfSections(_ old: KeyedRows, _ new: KeyedRows) {
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      let before = old.starts.rows(ofSection: Int(home))
      let after = new.starts.rows(ofSection: section)
      var head = 0
      let limit = min(before.count, after.count)
      while head < limit,
        pairIfSame(old, new, before.lowerBound + head, after.lowerBound + head)
      {
        head += 1
      }
      var tail = 1
      while tail <= limit - head,
        pairIfSame(old, new, before.upperBound - tail, after.upperBound - tail)
      {
        tail += 1
      }
    }
  }

  /// Pairs equal rows next to paired ones, forwards and then backwards (Heckel, "A technique for
  /// isolating differences between files", 1978, passes 4 and 5).
  private mutating func pairNeighbours(_ old: KeyedRows, _ new: KeyedRows) {
    for row in 1..<max(1, new.rows.count) where matching.rowsToOld[row] < 0 {
      let partner = Int(matching.rowsToOld[row - 1])
      if partner >= 0, partner + 1 < old.rows.count {
        _ = pairIfSame(old, new, partner + 1, row)
      }
    }
    for row in (0..<max(0, new.rows.count - 1)).reversed() where matching.rowsToOld[row] < 0 {
      let partner = Int(matching.rowsToOld[row + 1])
      if partner > 0 { _ = pairIfSame(old, new, partner - 1, row) }
    }
  }

  /// Pairs two rows if their keys are equal and neither has a partner. Returns whether they are a
  /// pair now.
  private mutating func pairIfSame(
    _ old: KeyedRows, _ new: KeyedRows, _ before: Int, _ after: Int
  ) -> Bool {
    guard old.rows[before] == new.rows[after] else { return false }
    let partner = Int(matching.rowsToNew[before])
    if partner < 0, matching.rowsToOld[after] < 0 {
      matching.pair(before, after)
      return true
    }
    return partner == after
  }

  /// Pairs rows whose key and next `width - 1` keys together occur once on each side.
  private mutating func pairWindows(_ old: KeyedRows, _ new: KeyedRows, width: Int) {
    guard old.rows.count >= width, new.rows.count >= width else { return }
    windows.removeAll(capacity: old.rows.count)
    for row in 0...old.rows.count - width where matching.rowsToNew[row] < 0 {
      windows.countOld(old.rows, row, width)
    }
    for row in 0...new.rows.count - width where matching.rowsToOld[row] < 0 {
      windows.countNew(new.rows, row, width, old: old.rows)
    }
    for pair in windows.distinctPairs() {
      for offset in 0..<width {
        guard pairIfSame(old, new, pair.old + offset, pair.new + offset) else { break }
      }
    }
  }
}

extension [Int32] {
  /// Appends the rows of a range that have no partner.
  mutating func appendUnpaired(_ range: Range<Int>, of partners: [Int32]) {
    append(addingCapacity: range.count) { rows in
      partners.view.forEachNegativeRange(from: range.lowerBound, to: range.upperBound) { row, end in
        var row = row
        // The loop is not unrolled, because most ranges are short.
        repeat {
          rows.append(Int32(truncatingIfNeeded: row))
          row &+= 1
        } while row < end
      }
    }
  }
}
