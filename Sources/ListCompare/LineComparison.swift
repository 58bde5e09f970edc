import JSONBytes
import ListDiff

/// The lines of two texts, and which of them were deleted, inserted and moved.
struct LineComparison {
  let old: ComparedFile
  let new: ComparedFile

  /// Steps in lines, counted from the first line of each file's content.
  private(set) var steps: [ChangeStep] = []

  let rows: LineAnchors

  /// Compares two texts of less than 2 GiB.
  ///
  /// If `moves` is false, a moved line is deleted and inserted. `seed` is the seed of the hash.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; with repeated lines and moves O(*m*
  ///   log *m*) more, where *m* is the number of lines outside of common runs.
  init(_ old: ComparedFile, _ new: ComparedFile, moves: Bool = true, seed: UInt64) {
    self.old = old
    self.new = new
    let (a, b) = (old.content.bytes, new.content.bytes)
    defer { withExtendedLifetime((old, new)) {} }
    var rows = LineAnchors(a, b, seed: seed)
    // The scratch memory of each part is released before the next one.
    let pairs = Self.pairs(&rows, a, b, moves: moves, seed: seed)
    var layout = StepLayout(pairs) { _ in false }
    layout.append(rows: 0..<rows.new.count, home: 0..<rows.old.count)
    var steps = layout.takeSteps()
    for index in steps.indices { steps[index] = Self.lines(of: steps[index], rows) }
    self.steps = steps
    self.rows = rows
  }

  private static func pairs(
    _ rows: inout LineAnchors, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer,
    moves: Bool, seed: UInt64
  ) -> RowPairs {
    let keys = LineKeys(rows, a, b)
    rows.removeHashes()
    var pairs = pairs(keys)
    guard pairs.moved.contains(true) else { return pairs }
    if moves {
      let frequencies = LineFrequencies(rows, keys, a, b, seed: seed)
      unpairMoves(in: &pairs) { frequencies.isWorthMarking($0) }
      pairs.extendMoves { keys.old.rows[$0] == keys.new.rows[$1] }
    } else {
      unpairMoves(in: &pairs) { _ in false }
    }
    return pairs
  }

  private static func pairs(_ keys: LineKeys) -> RowPairs {
    var engine = DiffEngine()
    engine.rowWeights = keys.weights
    engine.match(keys.old, keys.new, universe: max(1, keys.universe))
    engine.findMoves(oldStarts: keys.old.starts, newStarts: keys.new.starts)
    return RowPairs(
      toNew: engine.matching.rowsToNew, toOld: engine.matching.rowsToOld,
      moved: engine.movement.movedRows)
  }

  /// Unpairs moved rows, unless the rows that move together are worth marking.
  private static func unpairMoves(
    in pairs: inout RowPairs, unless isWorthMarking: (Range<Int>) -> Bool
  ) {
    var row = 0
    while row < pairs.moved.count {
      guard pairs.moved[row] else {
        row += 1
        continue
      }
      var end = row + 1
      while end < pairs.moved.count, pairs.moved[end],
        pairs.toNew[end] == pairs.toNew[end - 1] + 1
      {
        end += 1
      }
      if !isWorthMarking(row..<end) {
        for row in row..<end { pairs.unpair(old: row) }
      }
      row = end
    }
  }

  /// Converts a step over rows to a step over lines.
  private static func lines(of step: ChangeStep, _ rows: LineAnchors) -> ChangeStep {
    var result = step
    func firstLine(_ row: Int, _ side: LineAnchors.Side) -> Int {
      guard row >= 0 else { return -1 }
      result.count = side.line(row + step.count) - side.line(row)
      return side.line(row)
    }
    result.old = firstLine(step.old, rows.old)
    result.new = firstLine(step.new, rows.new)
    return result
  }
}
