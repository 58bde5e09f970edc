/// Moves that happen at once, among removals and insertions, to be made one after the other.
///
/// Between two things that stay, what has been moved there comes before what still waits.
struct LineMoves {
  private var removed: [MovingLine] = []
  private var placed: [MovingLine] = []
  private var moves = 0

  mutating func remove(_ at: Path, _ count: Int) {
    removed.append(MovingLine(at: at, count: count, move: -1))
  }

  mutating func place(_ at: Path, _ count: Int) {
    placed.append(MovingLine(at: at, count: count, move: -1))
  }

  mutating func move(_ from: Path, _ to: Path, _ count: Int) {
    removed.append(MovingLine(at: from, count: count, move: moves))
    placed.append(MovingLine(at: to, count: count, move: moves))
    moves += 1
  }

  /// Calls `body` with each move that changes anything, in the order of where they go: from where, to
  /// where after the removal, and how many, once the removals have happened and before the insertions.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of moves, removals and insertions.
  func forEachInTurn(_ body: (Path, Path, Int) -> Void) {
    guard moves > 0 else { return }
    let sources = removed.sortedMoves()
    let targets = placed.sortedMoves()
    // By source, where what was moved to the same gap ends: it stands before what waits in the gap.
    let passed = sources.gaps(in: targets, after: 1)
    let ahead = targets.gaps(in: sources, after: 0)
    var waiting = PartialSums(sources.map(\.count))
    var placedBefore: [Int32] = [0]
    placedBefore.reserveCapacity(targets.count + 1)
    for target in targets {
      placedBefore.append(placedBefore[placedBefore.count - 1] + target.count)
    }
    var sourceOfMove = [Int32](repeating: 0, count: moves)
    for (index, source) in sources.enumerated() {
      sourceOfMove[Int(source.move)] = Int32(truncatingIfNeeded: index)
    }
    var own = (section: -1, start: 0)
    for (turn, target) in targets.enumerated() {
      if target.at.section != own.section { own = (target.at.section, turn) }
      let index = Int(sourceOfMove[Int(target.move)])
      let source = sources[index]
      let gap = passed[index]
      let from =
        Int(source.staying) + waiting.sum(gap.ownStart..<index)
        + Int(placedBefore[max(gap.start, min(turn, gap.end))] - placedBefore[gap.start])
      waiting.clear(index)
      let to =
        Int(target.staying) + waiting.sum(ahead[turn].start..<ahead[turn].end)
        + Int(placedBefore[turn] - placedBefore[own.start])
      if source.at.section == target.at.section, from == to { continue }
      body(
        Path(section: source.at.section, row: from), Path(section: target.at.section, row: to),
        Int(target.count))
    }
  }
}

/// Rows, or sections, that are taken out of a line or put into it together.
private struct MovingLine {
  var at: Path
  var count: Int32
  /// The index of the move, or -1 for a removal or an insertion.
  var move: Int32
  /// How many things that stay are before it in its section.
  var staying: Int32 = 0

  init(at: Path, count: Int, move: Int) {
    self.at = at
    self.count = Int32(truncatingIfNeeded: count)
    self.move = Int32(truncatingIfNeeded: move)
  }

  /// Its place as one number, in the order of places.
  var key: UInt64 {
    UInt64(truncatingIfNeeded: at.section) << 32 | UInt64(truncatingIfNeeded: at.row)
  }
}

/// The lines of one side that are in the section of a line of the other side, from the first of
/// that section to the first that is too far on.
private struct Gap {
  var first: Int32
  var last: Int32
  /// Where the line's own section begins on its own side.
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

extension [MovingLine] {
  /// The lines of moves in order, each knowing how many things stay before it.
  fileprivate func sortedMoves() -> [MovingLine] {
    var result: [MovingLine] = []
    result.reserveCapacity(count)
    var section = -1
    var others: Int32 = 0
    for var line in sorted() {
      if line.at.section != section {
        section = line.at.section
        others = 0
      }
      line.staying = Int32(truncatingIfNeeded: line.at.row) - others
      others += line.count
      if line.move >= 0 { result.append(line) }
    }
    return result
  }

  /// The lines by place: sorted by one digit after the other, from the lowest (Knuth, "The Art of
  /// Computer Programming", volume 3, 5.2.5), but for digits in which they do not differ.
  private func sorted() -> [MovingLine] {
    var differing: UInt64 = 0
    var isSorted = true
    var last: UInt64 = 0
    for line in self {
      differing |= line.key ^ self[0].key
      if line.key < last { isSorted = false }
      last = line.key
    }
    // What is put in comes in order already, and so does much of what is taken out.
    if isSorted { return self }
    var lines = self
    var next = self
    for shift in stride(from: UInt64(0), to: 64, by: 10) where differing >> shift & 1023 != 0 {
      var ends = [Int](repeating: 0, count: 1024)
      for line in lines { ends[Int(line.key >> shift & 1023)] += 1 }
      var start = 0
      for digit in ends.indices { (ends[digit], start) = (start, start + ends[digit]) }
      for line in lines {
        let digit = Int(line.key >> shift & 1023)
        next[ends[digit]] = line
        ends[digit] += 1
      }
      swap(&lines, &next)
    }
    return lines
  }

  /// For each line the others in its section before which no more things stay than before it, or
  /// `more` beyond that; both are in order.
  fileprivate func gaps(in others: [MovingLine], after more: Int32) -> [Gap] {
    var result: [Gap] = []
    result.reserveCapacity(count)
    var gap = (start: 0, end: 0, ownStart: 0)
    var section = -1
    for (index, line) in enumerated() {
      if line.at.section != section {
        section = line.at.section
        gap.ownStart = index
        gap.start = gap.end
        while gap.start < others.count, others[gap.start].at.section < section { gap.start += 1 }
        gap.end = gap.start
      }
      while gap.end < others.count, others[gap.end].at.section == section,
        others[gap.end].staying < line.staying + more
      {
        gap.end += 1
      }
      result.append(Gap(start: gap.start, end: gap.end, ownStart: gap.ownStart))
    }
    return result
  }
}
