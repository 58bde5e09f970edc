/// The tables that pair rows with repeated keys, kept from one diff to the next.
struct RepeatTables {
  var oldCounts: [Int32] = []
  var newCounts: [Int32] = []
  /// The first old row of a key that waits for a partner, and the one after each; `-1` ends.
  var firstWaiting: [Int32] = []
  var nextWaiting: [Int32] = []
  /// The old rows that wait or waited for a partner, and the new rows that look for one.
  var waiting: [Int32] = []
  var seeking: [Int32] = []
  var windows = WindowTable()
  var band = BandAlignment()
  var blocks = BlockAlignment()

  mutating func reserve(universe: Int) {
    band.reserve(universe: universe)
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
  /// The candidates are: what a long common subsequence of each section pairs, then the rest; rows in
  /// the same surroundings, then the rest, where the first leaves much; the *k*-th with the *k*-th. The
  /// one with the fewest operations is taken.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows on both sides.
  mutating func matchRepeatedRows(
    _ old: Arrangement, _ new: Arrangement, _ shown: (old: ItemRows?, new: ItemRows?)
  ) {
    repeats.reserve(universe: places.positions.count)
    unpairRows(old, new)
    pairByBand(old, new)
    var best = weigh(old, new, shown)
    // Without a move there is nothing to gain unless a row could end or begin with its section.
    if best.moves == 0, movement.sectionCounts == Counts() { return }
    var moves = best.moves
    if !repeats.band.isSure {
      moves = takeIfBetter(than: &best, old, new, shown) { $0.pairByBlocks(old, new) }.moves
    }
    if moves > old.rows.count / 4 {
      takeIfBetter(than: &best, old, new, shown) { $0.pairByNeighbours(old, new) }
    }
    // The bound counts moves of items, also of those that show no rows and cost nothing.
    if shown.old == nil, shown.new == nil, needsMovesInOrder(best.moves, old, new) { return }
    takeIfBetter(than: &best, old, new, shown) {
      $0.pairInOrder(old, new, [old.rows.indices], [new.rows.indices])
    }
  }

  /// Pairs in another way, goes back to the present one unless that costs less, and returns its cost.
  @discardableResult
  private mutating func takeIfBetter(
    than best: inout PairingCost, _ old: Arrangement, _ new: Arrangement,
    _ shown: (old: ItemRows?, new: ItemRows?), _ pair: (inout DiffEngine) -> Void
  ) -> PairingCost {
    let present = matching
    unpairRows(old, new)
    pair(&self)
    let cost = weigh(old, new, shown)
    if cost < best {
      best = cost
    } else {
      matching = present
      movesAreFound = false
    }
    return cost
  }

  /// Whether pairing the *k*-th with the *k*-th surely takes that many moves, in a list of one section.
  ///
  /// Of two neighbours in the wrong order one has to move.
  private mutating func needsMovesInOrder(
    _ moves: Int, _ old: Arrangement, _ new: Arrangement
  ) -> Bool {
    guard matching.hasOnlySection else { return false }
    repeats.nextWaiting.reserve(old.rows.count)
    return Self.hasDescents(
      moves, old.rows.view, new.rows.view, &repeats.firstWaiting, &repeats.nextWaiting)
  }

  private static func hasDescents(
    _ limit: Int, _ old: Span<UInt32>, _ new: Span<UInt32>, _ firstWaiting: inout [Int32],
    _ nextWaiting: inout [Int32]
  ) -> Bool {
    var first = firstWaiting.mutableView
    var next = nextWaiting.mutableView
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

  /// What a pairing costs: operations told, then moves.
  private struct PairingCost: Comparable {
    var told: Int
    var moves: Int

    static func < (a: PairingCost, b: PairingCost) -> Bool {
      a.told == b.told ? a.moves < b.moves : a.told < b.told
    }
  }

  private mutating func weigh(
    _ old: Arrangement, _ new: Arrangement, _ shown: (old: ItemRows?, new: ItemRows?)
  ) -> PairingCost {
    matching.gatherRuns()
    movesAreFound = false
    guard shown.old != nil || shown.new != nil else {
      findMoves(oldStarts: old.starts, newStarts: new.starts)
      movesAreFound = true
      return PairingCost(told: movement.rowOpsTold, moves: movement.rowCounts.moves)
    }
    let items = matchRows(of: shown.old, shown.new)
    findMoves(
      oldStarts: shown.old.starts(of: old.starts), newStarts: shown.new.starts(of: new.starts))
    matching = items
    return PairingCost(told: movement.rowOpsTold, moves: movement.rowCounts.moves)
  }

  private mutating func pairByBand(_ old: Arrangement, _ new: Arrangement) {
    repeats.band.begin()
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      let before = old.range(ofSection: Int(home))
      let after = new.range(ofSection: section)
      repeats.band.align(
        old.rows.view.extracting(before), before.lowerBound,
        new.rows.view.extracting(after), after.lowerBound, in: &matching)
    }
    cost.alignmentSteps = repeats.band.steps + repeats.blocks.steps
    pairRest(old, new)
  }

  private mutating func pairByBlocks(_ old: Arrangement, _ new: Arrangement) {
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      let before = old.range(ofSection: Int(home))
      let after = new.range(ofSection: section)
      repeats.blocks.align(old.rows.view, before, new.rows.view, after)
      for run in repeats.blocks.runs {
        matching.pairInARow(old: Int(run.old), new: Int(run.new), count: Int(run.count))
      }
    }
    cost.alignmentSteps = repeats.band.steps + repeats.blocks.steps
    pairRest(old, new)
  }

  /// Pairs what is left: in the same section, then in sections that stay, then anywhere.
  private mutating func pairRest(_ old: Arrangement, _ new: Arrangement) {
    var stayingOld: [Range<Int>] = []
    var stayingNew: [Range<Int>] = []
    for (section, home) in matching.sectionsToOld.enumerated() where home >= 0 {
      stayingOld.append(old.range(ofSection: Int(home)))
      stayingNew.append(new.range(ofSection: section))
      pairInOrder(old, new, stayingOld.suffix(1), stayingNew.suffix(1))
    }
    if old.sections.count == 1, new.sections.count == 1, stayingOld.count == 1 { return }
    stayingOld.sort { $0.lowerBound < $1.lowerBound }
    pairInOrder(old, new, stayingOld[...], stayingNew[...])
    pairInOrder(old, new, [old.rows.indices], [new.rows.indices])
  }

  private mutating func unpairRows(_ old: Arrangement, _ new: Arrangement) {
    matching.rowsToNew.fill(old.rows.count, with: -1)
    matching.rowsToOld.fill(new.rows.count, with: -1)
  }

  /// Pairs what is unpaired in ascending ranges: of each key the first with the first, and so on.
  private mutating func pairInOrder(
    _ old: Arrangement, _ new: Arrangement, _ oldRanges: ArraySlice<Range<Int>>,
    _ newRanges: ArraySlice<Range<Int>>
  ) {
    repeats.waiting.removeAll(keepingCapacity: true)
    repeats.waiting.reserveCapacity(old.rows.count)
    for range in oldRanges { repeats.waiting.appendUnpaired(range, of: matching.rowsToNew) }
    if repeats.waiting.isEmpty { return }
    repeats.seeking.removeAll(keepingCapacity: true)
    repeats.seeking.reserveCapacity(new.rows.count)
    for range in newRanges { repeats.seeking.appendUnpaired(range, of: matching.rowsToOld) }
    repeats.nextWaiting.reserve(old.rows.count)
    let waiting = repeats.waiting
    let seeking = repeats.seeking
    Self.pairInOrder(
      old.rows.view, waiting.view, new.rows.view, seeking.view, &repeats.firstWaiting,
      &repeats.nextWaiting, &matching.rowsToNew, &matching.rowsToOld)
  }

  private static func pairInOrder(
    _ old: Span<UInt32>, _ waiting: Span<Int32>, _ new: Span<UInt32>, _ seeking: Span<Int32>,
    _ firstWaiting: inout [Int32], _ nextWaiting: inout [Int32], _ rowsToNew: inout [Int32],
    _ rowsToOld: inout [Int32]
  ) {
    var first = firstWaiting.mutableView
    var next = nextWaiting.mutableView
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    for index in stride(from: waiting.count - 1, through: 0, by: -1) {
      let row = Int(waiting[index])
      let key = Int(old[row])
      next[row] = first[key]
      first[key] = waiting[index]
    }
    for index in 0..<seeking.count {
      let row = Int(seeking[index])
      let key = Int(new[row])
      let partner = first[key]
      guard partner >= 0 else { continue }
      first[key] = next[Int(partner)]
      toNew[Int(partner)] = seeking[index]
      toOld[row] = partner
    }
    for index in 0..<waiting.count { first[Int(old[Int(waiting[index])])] = -1 }
  }

  private mutating func pairByNeighbours(_ old: Arrangement, _ new: Arrangement) {
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

extension [Int32] {
  /// Adds the rows of a range that have no partner.
  fileprivate mutating func appendUnpaired(_ range: Range<Int>, of partners: [Int32]) {
    append(addingCapacity: range.count) { rows in
      partners.view.forEachNegativeRange(from: range.lowerBound, to: range.upperBound) {
        for row in $0..<$1 { rows.append(Int32(truncatingIfNeeded: row)) }
      }
    }
  }
}
