/// The tables that pair rows with repeated keys, kept from one diff to the next.
struct RepeatTables {
  var oldCounts: [Int32] = []
  var newCounts: [Int32] = []
  /// The first old row of a key that waits for a partner, and the one after each; `-1` ends.
  var firstWaiting: [Int32] = []
  var nextWaiting: [Int32] = []
  var windows = WindowTable()

  mutating func reserve(universe: Int) {
    guard firstWaiting.count < universe else { return }
    let size = max(universe, firstWaiting.count * 2)
    oldCounts.fill(size, with: 0)
    newCounts.fill(size, with: 0)
    firstWaiting.fill(size, with: -1)
  }
}

extension DiffEngine {
  /// Pairs rows whose keys may repeat, so that few of them move.
  ///
  /// Rows in the same surroundings first, then the rest in order; where that takes more operations
  /// than pairing the *k*-th with the *k*-th, the latter.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows on both sides.
  mutating func matchRepeatedRows(_ old: Arrangement, _ new: Arrangement) {
    repeats.reserve(universe: places.positions.count)
    unpairRows(old, new)
    pairInOrder(old, new, old.rows.indices, new.rows.indices)
    matching.gatherRuns()
    findMoves(oldStarts: old.starts, newStarts: new.starts)
    let plain = matching
    let plainCost = (told: movement.rowOpsTold, moves: movement.rowCounts.moves)
    // Without a move there is nothing to gain unless a row could end or begin with its section.
    if plainCost.moves == 0, movement.sectionCounts == Counts() { return }

    unpairRows(old, new)
    pairByNeighbours(old, new)
    matching.gatherRuns()
    findMoves(oldStarts: old.starts, newStarts: new.starts)
    if movement.rowOpsTold > plainCost.told || movement.rowCounts.moves > plainCost.moves {
      matching = plain
    }
  }

  private mutating func unpairRows(_ old: Arrangement, _ new: Arrangement) {
    matching.rowsToNew.fill(old.rows.count, with: -1)
    matching.rowsToOld.fill(new.rows.count, with: -1)
  }

  /// Pairs what is unpaired in two ranges: of each key the first with the first, and so on.
  private mutating func pairInOrder(
    _ old: Arrangement, _ new: Arrangement, _ oldRange: Range<Int>, _ newRange: Range<Int>
  ) {
    if repeats.nextWaiting.count < old.rows.count {
      repeats.nextWaiting.fill(old.rows.count, with: -1)
    }
    for row in oldRange.reversed() where matching.rowsToNew[row] < 0 {
      let key = Int(old.rows[row])
      repeats.nextWaiting[row] = repeats.firstWaiting[key]
      repeats.firstWaiting[key] = Int32(truncatingIfNeeded: row)
    }
    for row in newRange where matching.rowsToOld[row] < 0 {
      let key = Int(new.rows[row])
      let partner = repeats.firstWaiting[key]
      guard partner >= 0 else { continue }
      repeats.firstWaiting[key] = repeats.nextWaiting[Int(partner)]
      matching.pair(Int(partner), row)
    }
    for row in oldRange { repeats.firstWaiting[Int(old.rows[row])] = -1 }
  }

  private mutating func pairByNeighbours(_ old: Arrangement, _ new: Arrangement) {
    pairDistinct(old, new)
    pairEndsOfSections(old, new)
    pairNeighbours(old, new)
    for width in [4, 2] {
      pairWindows(old, new, width: width)
      pairNeighbours(old, new)
    }
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      pairInOrder(
        old, new, old.range(ofSection: Int(home)), new.range(ofSection: section))
    }
    pairInOrder(old, new, old.rows.indices, new.rows.indices)
  }

  /// Pairs the rows whose key occurs once on each side.
  private mutating func pairDistinct(_ old: Arrangement, _ new: Arrangement) {
    for key in old.rows { repeats.oldCounts[Int(key)] += 1 }
    for key in new.rows { repeats.newCounts[Int(key)] += 1 }
    for (row, key) in old.rows.enumerated() {
      places.positions[Int(key)] = Int32(truncatingIfNeeded: row)
    }
    for (row, key) in new.rows.enumerated()
    where repeats.oldCounts[Int(key)] == 1 && repeats.newCounts[Int(key)] == 1 {
      matching.pair(Int(places.positions[Int(key)]), row)
    }
    for key in old.rows { repeats.oldCounts[Int(key)] = 0 }
    for key in new.rows { repeats.newCounts[Int(key)] = 0 }
  }

  private mutating func pairEndsOfSections(_ old: Arrangement, _ new: Arrangement) {
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      let before = old.range(ofSection: Int(home))
      let after = new.range(ofSection: section)
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
  private mutating func pairNeighbours(_ old: Arrangement, _ new: Arrangement) {
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

  /// Pairs two rows unless they differ or one has another partner; true where they are a pair now.
  private mutating func pairIfSame(
    _ old: Arrangement, _ new: Arrangement, _ before: Int, _ after: Int
  ) -> Bool {
    guard old.rows[before] == new.rows[after] else { return false }
    let partner = Int(matching.rowsToNew[before])
    if partner < 0, matching.rowsToOld[after] < 0 {
      matching.pair(before, after)
      return true
    }
    return partner == after
  }

  /// Pairs rows whose key and next `width - 1` keys occur together once on each side.
  private mutating func pairWindows(_ old: Arrangement, _ new: Arrangement, width: Int) {
    guard old.rows.count >= width, new.rows.count >= width else { return }
    repeats.windows.removeAll(capacity: old.rows.count)
    for row in 0...old.rows.count - width where matching.rowsToNew[row] < 0 {
      repeats.windows.countOld(old.rows, row, width)
    }
    for row in 0...new.rows.count - width where matching.rowsToOld[row] < 0 {
      repeats.windows.countNew(new.rows, row, width, old: old.rows)
    }
    for pair in repeats.windows.distinctPairs() {
      for offset in 0..<width {
        guard pairIfSame(old, new, pair.old + offset, pair.new + offset) else { break }
      }
    }
  }
}
