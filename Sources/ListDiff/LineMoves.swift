/// Moves that happen at once, among removals and insertions, to be made one after the other.
///
/// Between two things that stay, what has been moved there comes before what still waits.
struct LineMoves {
  fileprivate struct Line {
    var at: Path
    var count: Int
    /// The index of the move, or -1 for a removal or an insertion.
    var move: Int
    /// How many things that stay are before it in its section.
    var staying = 0
  }

  private var removed: [Line] = []
  private var placed: [Line] = []
  private var moves = 0

  mutating func remove(_ at: Path, _ count: Int) {
    removed.append(Line(at: at, count: count, move: -1))
  }

  mutating func place(_ at: Path, _ count: Int) {
    placed.append(Line(at: at, count: count, move: -1))
  }

  mutating func move(_ from: Path, _ to: Path, _ count: Int) {
    removed.append(Line(at: from, count: count, move: moves))
    placed.append(Line(at: to, count: count, move: moves))
    moves += 1
  }

  /// Calls `body` with each move that changes anything, in the order of where they go: from where, to
  /// where after the removal, and how many, once the removals have happened and before the insertions.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of moves, removals and insertions.
  func forEachInTurn(_ body: (Path, Path, Int) -> Void) {
    guard moves > 0 else { return }
    let sources = Self.moves(in: removed)
    let targets = Self.moves(in: placed)
    var waiting = PartialSums(sources.map(\.count))
    var placedBefore = [0]
    for target in targets {
      placedBefore.append(placedBefore[placedBefore.count - 1] + target.count)
    }
    var sourceOfMove = [Int](repeating: 0, count: moves)
    for (index, source) in sources.enumerated() { sourceOfMove[source.move] = index }

    var sourceStarts = SectionStart()
    var targetStarts = SectionStart()
    var ownSourceStarts = SectionStart()
    var ownTargetStarts = SectionStart()
    for (turn, target) in targets.enumerated() {
      let index = sourceOfMove[target.move]
      let source = sources[index]
      let sourceStart = sourceStarts.find(source.at.section, in: sources)
      let targetStart = targetStarts.find(source.at.section, in: targets)
      // What was moved to the same gap stands before what waits in it.
      let passed = max(
        targetStart,
        min(turn, targets.firstIndex(ofSection: source.at.section, staying: source.staying + 1)))
      let from =
        source.staying + waiting.sum(sourceStart..<index)
        + placedBefore[passed] - placedBefore[targetStart]
      waiting.clear(index)
      let ownTargets = ownTargetStarts.find(target.at.section, in: targets)
      let ownSources = ownSourceStarts.find(target.at.section, in: sources)
      let ahead = sources.firstIndex(ofSection: target.at.section, staying: target.staying)
      let to =
        target.staying + waiting.sum(ownSources..<ahead)
        + placedBefore[turn] - placedBefore[ownTargets]
      if source.at.section == target.at.section, from == to { continue }
      body(
        Path(section: source.at.section, row: from), Path(section: target.at.section, row: to),
        target.count)
    }
  }

  /// The lines of moves in order, each knowing how many things stay before it.
  private static func moves(in lines: [Line]) -> [Line] {
    var result: [Line] = []
    var section = -1
    var others = 0
    // What is put in comes in order already, and so does much of what is taken out.
    let isSorted = zip(lines, lines.dropFirst()).allSatisfy { $0.at < $1.at }
    for var line in isSorted ? lines : lines.sorted(by: { $0.at < $1.at }) {
      if line.at.section != section {
        section = line.at.section
        others = 0
      }
      line.staying = line.at.row - others
      others += line.count
      if line.move >= 0 { result.append(line) }
    }
    return result
  }
}

extension [LineMoves.Line] {
  /// The index of the first line of a section with at least so many things that stay before it, or
  /// of the first one after.
  fileprivate func firstIndex(ofSection section: Int, staying: Int = 0) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let line = self[middle]
      let isBefore =
        line.at.section == section ? line.staying < staying : line.at.section < section
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Where the lines of the section asked for last begin.
private struct SectionStart {
  private var section = -1
  private var index = 0

  mutating func find(_ section: Int, in lines: [LineMoves.Line]) -> Int {
    if section != self.section {
      self.section = section
      index = lines.firstIndex(ofSection: section)
    }
    return index
  }
}

/// Sums of ranges of numbers that are set to zero one by one.
private struct PartialSums {
  private var tree: [Int]
  private var values: [Int]

  init(_ values: [Int]) {
    self.values = values
    tree = [0] + values
    for node in 1..<tree.count {
      let parent = node + node & -node
      if parent < tree.count { tree[parent] += tree[node] }
    }
  }

  mutating func clear(_ index: Int) {
    var node = index + 1
    while node < tree.count {
      tree[node] -= values[index]
      node += node & -node
    }
    values[index] = 0
  }

  func sum(_ range: Range<Int>) -> Int { sum(upTo: range.upperBound) - sum(upTo: range.lowerBound) }

  private func sum(upTo end: Int) -> Int {
    var node = end
    var sum = 0
    while node > 0 {
      sum += tree[node]
      node &= node - 1
    }
    return sum
  }
}
