/// Puts simultaneous moves, among removals and insertions, into a sequence.
///
/// Between two elements that stay, elements that were moved there precede those that have not been
/// moved yet.
struct MoveSequencer {
  private var removed: [MovingRange] = []
  private var inserted: [MovingRange] = []
  private var moves = 0

  mutating func remove(_ at: Path, _ count: Int) {
    removed.append(MovingRange(at: at, count: count, move: -1))
  }

  mutating func insert(_ at: Path, _ count: Int) {
    inserted.append(MovingRange(at: at, count: count, move: -1))
  }

  mutating func move(_ from: Path, _ to: Path, _ count: Int) {
    removed.append(MovingRange(at: from, count: count, move: moves))
    inserted.append(MovingRange(at: to, count: count, move: moves))
    moves += 1
  }

  /// Calls `body` with each effective move in the order of the destinations: the source, the
  /// destination after the removal, and the number of elements. The moves apply after all removals
  /// and before all insertions.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of moves, removals and insertions.
  func forEachInSequence(_ body: (Path, Path, Int) -> Void) {
    guard moves > 0 else { return }
    let sources = removed.sortedMoves()
    let targets = inserted.sortedMoves()
    // For each source, the targets in the same gap: elements moved there precede those that wait in
    // it.
    let targetGaps = sources.gaps(in: targets, after: 1)
    let sourceGaps = targets.gaps(in: sources, after: 0)
    var unmoved = PartialSums(sources.map(\.count))
    var insertedBefore: [Int32] = [0]
    insertedBefore.reserveCapacity(targets.count + 1)
    for target in targets {
      insertedBefore.append(insertedBefore[insertedBefore.count - 1] + target.count)
    }
    var sourceOfMove = [Int32](repeating: 0, count: moves)
    for (index, source) in sources.enumerated() {
      sourceOfMove[Int(source.move)] = Int32(truncatingIfNeeded: index)
    }
    var own = (section: -1, start: 0)
    for (targetIndex, target) in targets.enumerated() {
      if target.at.section != own.section { own = (target.at.section, targetIndex) }
      let index = Int(sourceOfMove[Int(target.move)])
      let source = sources[index]
      let gap = targetGaps[index]
      let from =
        Int(source.staying) + unmoved.sum(gap.ownStart..<index)
        + Int(insertedBefore[max(gap.start, min(targetIndex, gap.end))] - insertedBefore[gap.start])
      unmoved.clear(index)
      let to =
        Int(target.staying)
        + unmoved.sum(sourceGaps[targetIndex].start..<sourceGaps[targetIndex].end)
        + Int(insertedBefore[targetIndex] - insertedBefore[own.start])
      if source.at.section == target.at.section, from == to { continue }
      body(
        Path(section: source.at.section, row: from), Path(section: target.at.section, row: to),
        Int(target.count))
    }
  }
}

/// Rows or sections that are removed or inserted together.
private struct MovingRange {
  var at: Path
  var count: Int32
  /// The index of the move, or -1 for a removal or an insertion.
  var move: Int32
  /// The number of elements before it in its section that stay.
  var staying: Int32 = 0

  init(at: Path, count: Int, move: Int) {
    self.at = at
    self.count = Int32(truncatingIfNeeded: count)
    self.move = Int32(truncatingIfNeeded: move)
  }

  /// The path as one number with the same order.
  var key: UInt64 {
    UInt64(truncatingIfNeeded: at.section) << 32 | UInt64(truncatingIfNeeded: at.row)
  }
}

/// The ranges of one side that are in the section of a range of the other side, from the first of
/// that section to the first that is behind the range.
private struct Gap {
  var first: Int32
  var last: Int32
  /// The index of the first range of the section on the range's own side.
  var own: Int32

  init(start: Int, end: Int, ownStart: Int) {
    first = Int32(truncatingIfNeeded: start)
    last = Int32(truncatingIfNeeded: end)
    own = Int32(truncatingIfNeeded: ownStart)
  }

  var start: Int { Int(first) }
  var end: Int { Int(last) }
  var ownStart: Int { Int(own) }
}

extension [MovingRange] {
  /// Returns the ranges of moves in order, with `staying` set.
  fileprivate func sortedMoves() -> [MovingRange] {
    var result: [MovingRange] = []
    result.reserveCapacity(count)
    var section = -1
    var others: Int32 = 0
    for var range in sorted() {
      if range.at.section != section {
        section = range.at.section
        others = 0
      }
      range.staying = Int32(truncatingIfNeeded: range.at.row) - others
      others += range.count
      if range.move >= 0 { result.append(range) }
    }
    return result
  }

  /// Returns the ranges sorted by path, with a radix sort from the lowest digit (Knuth, "The Art of
  /// Computer Programming", volume 3, 5.2.5). Digits that are equal in all ranges are skipped.
  private func sorted() -> [MovingRange] {
    var differing: UInt64 = 0
    var isSorted = true
    var last: UInt64 = 0
    for range in self {
      differing |= range.key ^ self[0].key
      if range.key < last { isSorted = false }
      last = range.key
    }
    // Insertions are in order already, and often so are removals.
    if isSorted { return self }
    var ranges = self
    var next = self
    for shift in stride(from: UInt64(0), to: 64, by: 10) where differing >> shift & 1023 != 0 {
      var ends = [Int](repeating: 0, count: 1024)
      for range in ranges { ends[Int(range.key >> shift & 1023)] += 1 }
      var start = 0
      for digit in ends.indices { (ends[digit], start) = (start, start + ends[digit]) }
      for range in ranges {
        let digit = Int(range.key >> shift & 1023)
        next[ends[digit]] = range
        ends[digit] += 1
      }
      swap(&ranges, &next)
    }
    return ranges
  }

  /// Returns, for each range, the others in its section before which fewer than `staying + more`
  /// elements stay. Both sides must be sorted.
  fileprivate func gaps(in others: [MovingRange], after more: Int32) -> [Gap] {
    var result: [Gap] = []
    result.reserveCapacity(count)
    var gap = (start: 0, end: 0, ownStart: 0)
    var section = -1
    for (index, range) in enumerated() {
      if range.at.section != section {
        section = range.at.section
        gap.ownStart = index
        gap.start = gap.end
        while gap.start < others.count, others[gap.start].at.section < section { gap.start += 1 }
        gap.end = gap.start
      }
      while gap.end < others.count, others[gap.end].at.section == section,
        others[gap.end].staying < range.staying + more
      {
        gap.end += 1
      }
      result.append(Gap(start: gap.start, end: gap.end, ownStart: gap.ownStart))
    }
    return result
  }
}
