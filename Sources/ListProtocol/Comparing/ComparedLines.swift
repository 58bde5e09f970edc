import JSONBytes
import ListDiff
import ListState

/// Two plain texts as lists of lines, compared only where they differ and a little around it.
struct ComparedLines {
  private let old: LineRange
  private let new: LineRange

  /// The number of lines before the first one that was compared.
  let linesBefore: Int
  let matching: Matching
  let movement: Movement

  /// Compares the lines that two texts have between their common first and last ones; `context` of
  /// those at both ends are taken along.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes, for what both texts begin and end with;
  ///   for the rest as of ``DiffEngine``.
  ///
  /// - Throws: where the lines are too long, too many or too large to be told apart.
  init(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, context: Int
  ) throws(IDOverflow) {
    var (before, after) = LineRange.differing(old, new)
    for _ in 0..<context {
      before.growBackward()
      after.growBackward()
      before.growForward(beside: &after)
    }
    var ids = IDTable()
    let oldLines = before.arrangement(&ids)
    let newLines = after.arrangement(&ids)
    if let overflow = ids.overflow { throw overflow }
    var engine = DiffEngine()
    engine.match(oldLines, newLines, universe: ids.universe)
    engine.findMoves(oldStarts: oldLines.starts, newStarts: newLines.starts)
    matching = engine.matching
    movement = engine.movement
    linesBefore = before.linesBefore
    self.old = before
    self.new = after
  }

  var oldCount: Int { old.lines.count }
  var newCount: Int { new.lines.count }

  /// The bytes of a line, without its end.
  func oldLine(_ row: Int) -> UnsafeRawBufferPointer { old[row] }
  func newLine(_ row: Int) -> UnsafeRawBufferPointer { new[row] }
}
