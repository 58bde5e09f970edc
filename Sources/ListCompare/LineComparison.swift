/// The lines of two texts, and which of them were deleted, inserted and moved.
struct LineComparison {
  let old: ComparedFile
  let new: ComparedFile

  /// Steps in lines, counted from the first line of each file's content.
  private(set) var steps: [ChangeStep] = []

  let rows: TextRows

  /// Compares two texts of less than 2 GiB.
  ///
  /// If `moves` is false, a moved line is deleted and inserted. `seed` is the seed of the hash.
  ///
  /// - Complexity: As `LineAlignment`, and O(*n*), where *n* is the number of bytes.
  init(_ old: ComparedFile, _ new: ComparedFile, moves: Bool = true, seed: UInt64) {
    self.old = old
    self.new = new
    let (a, b) = (old.content.bytes, new.content.bytes)
    defer { withExtendedLifetime((old, new)) {} }
    var rows = TextRows(a, b)
    // The scratch memory of each part is released before the next one.
    let pairs = Self.pairs(&rows, a, b, moves: moves, seed: seed)
    var layout = StepLayout(pairs) { _ in false }
    layout.append(rows: 0..<rows.new.count, home: 0..<rows.old.count)
    steps = Self.steps(layout.takeSteps(), rows)
    self.rows = rows
  }

  private static func pairs(
    _ rows: inout TextRows, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer,
    moves: Bool, seed: UInt64
  ) -> RowPairs {
    let keys = LineKeys(splitting: &rows, a, b, seed: seed)
    let pairs = aligned(keys, rows, a, b)
    guard moves else { return pairs }
    var moved = MovedLines(pairs, keys)
    guard moved.hasCandidates else { return pairs }
    let frequencies = LineFrequencies(rows, keys, a, b, seed: seed)
    moved.pair { frequencies.isWorthMarking($0) }
    var result = moved.pairs
    result.extendMoves { keys.old[$0] == keys.new[$1] }
    return result
  }

  /// Pairs the lines that do not move.
  private static func aligned(
    _ keys: LineKeys, _ rows: TextRows, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> RowPairs {
    let alignment = LineAlignment(keys.old, keys.new, universe: keys.universe)
    let deleted = ShiftedChanges(
      alignment.deleted, alignment.inserted, keys: keys.old, LineIndents(rows.old, a)
    ).isChanged
    let inserted = ShiftedChanges(
      alignment.inserted, deleted, keys: keys.new, LineIndents(rows.new, b)
    ).isChanged
    return RowPairs(deleted: deleted, inserted: inserted)
  }

  /// Converts steps over compared lines to steps over all lines.
  private static func steps(_ compared: [ChangeStep], _ rows: TextRows) -> [ChangeStep] {
    let (before, after) = (rows.old.linesBefore, rows.old.linesAfter)
    var steps = compared
    for index in steps.indices {
      if steps[index].old >= 0 { steps[index].old += before }
      if steps[index].new >= 0 { steps[index].new += before }
    }
    if before > 0 {
      if let first = steps.first, first.kind == .same {
        steps[0] = ChangeStep(kind: .same, old: 0, new: 0, count: before + first.count)
      } else {
        steps.insert(ChangeStep(kind: .same, old: 0, new: 0, count: before), at: 0)
      }
    }
    if after > 0 {
      if let last = steps.last, last.kind == .same {
        steps[steps.count - 1].count += after
      } else {
        steps.append(
          ChangeStep(
            kind: .same, old: rows.old.lineCount - after, new: rows.new.lineCount - after,
            count: after))
      }
    }
    return steps
  }
}
