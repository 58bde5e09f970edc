import ListDiff

/// Two blocks of the same row, header or footer, with the number of lines that they have in common;
/// or consecutive blocks in both texts whose lines are all equal.
struct BlockPair {
  var old: Int32
  var new: Int32
  var count: Int32 = 1

  /// The lines in both texts.
  var oldLines: Range<Int>
  var newLines: Range<Int>
  /// The number of common lines at the start.
  var head: Int32
  /// The number of common lines at the end, beside those at the start.
  var tail: Int32
}

/// The pairs of blocks of two texts in the order of the new text.
struct BlockPairs {
  private var pairs: [BlockPair] = []
  private var isInOrder = true

  /// Adds a pair, which may have no line in common.
  mutating func append(_ old: Int, _ new: Int, _ texts: inout LinePairs) {
    let oldLines = texts.old.lines(ofBlock: old)
    let newLines = texts.new.lines(ofBlock: new)
    let head = texts.commonHead(oldLines, newLines)
    let tail = texts.commonTail(oldLines.dropFirst(head), newLines.dropFirst(head))
    append(
      BlockPair(
        old: Int32(truncatingIfNeeded: old), new: Int32(truncatingIfNeeded: new),
        oldLines: oldLines, newLines: newLines,
        head: Int32(truncatingIfNeeded: head), tail: Int32(truncatingIfNeeded: tail)))
  }

  /// Adds blocks that are equal in both texts.
  mutating func append(_ run: RowPairs.Run, _ texts: inout LinePairs) {
    let newLines = texts.new.lines(ofBlocks: run.newBlocks)
    let start = texts.old.lines(ofBlock: Int(run.old)).lowerBound
    append(
      BlockPair(
        old: run.old, new: run.new, count: run.count, oldLines: start..<start + newLines.count,
        newLines: newLines, head: Int32(truncatingIfNeeded: newLines.count), tail: 0))
  }

  private mutating func append(_ pair: BlockPair) {
    if let last = pairs.last, last.old > pair.old { isInOrder = false }
    pairs.append(pair)
  }

  /// The pairs to keep, which have the same order in both texts and the maximum number of common
  /// lines, and the pairs that move. If there are several such choices, one with the most pairs is
  /// returned.
  ///
  /// - Complexity: O(*p* + *r* log *r*), where *p* is the number of pairs and *r* the number of
  ///   runs of pairs that are out of order.
  var byOrder: (kept: [BlockPair], moved: [BlockPair]) {
    if isInOrder { return (pairs, []) }
    // No block is between the blocks of a run, so a run is kept or moved as a whole.
    var runs: [Range<Int>] = []
    var weights: [Int] = []
    let lineWeight = pairs.count + 1
    for (index, pair) in pairs.enumerated() {
      let weight = Int(pair.head + pair.tail) * lineWeight + 1
      if index > 0, pairs[index - 1].old + pairs[index - 1].count == pair.old {
        runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<index + 1
        weights[weights.count - 1] += weight
      } else {
        runs.append(index..<index + 1)
        weights.append(weight)
      }
    }
    let first = runs.map { pairs[$0.lowerBound].old }
    let chosen = heaviestIncreasing(
      first, weights: weights, universe: Int(first.max() ?? 0) + 1)
    var next = 0
    var result: (kept: [BlockPair], moved: [BlockPair]) = ([], [])
    for (index, run) in runs.enumerated() {
      if next < chosen.count, Int(chosen[next]) == index {
        result.kept += pairs[run]
        next += 1
      } else {
        result.moved += pairs[run]
      }
    }
    return result
  }
}
