import ListDiff

extension Changes {
  /// Computes the change between two lists that are shortened: a row may stand for a block of
  /// consecutive rows, which are the same and equal in both lists.
  ///
  /// `oldLengths` and `newLengths` are the numbers of rows that the rows stand for. All keys must be
  /// different and below `universe`. `isSameSection` and `isSameRow` return whether the contents of a
  /// kept section and row, given by their old and new indices, are equal. If `moves` is false, what would
  /// move is deleted and inserted.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of sections and rows of the short lists.
  package init(
    from old: Arrangement, lengths oldLengths: [Int32], to new: Arrangement,
    lengths newLengths: [Int32], universe: Int, moves: Bool = true,
    isSameSection: (Int, Int) -> Bool, isSameRow: (Int, Int) -> Bool
  ) {
    var engine = DiffEngine()
    engine.weights.rows = oldLengths
    engine.match(old, new, universe: universe)
    if !moves {
      engine.findMoves(oldStarts: old.starts, newStarts: new.starts)
      engine.dissolveMoves(oldStarts: old.starts, newStarts: new.starts)
    }
    var stages = engine.stages(oldStarts: old.starts, newStarts: new.starts) {
      isSameSection($0, $1) ? .none : .reconfigure
    } row: {
      isSameRow($0, $1) ? .none : .reconfigure
    }
    RowLengths(oldLengths, starts: old.starts)
      .expand(&stages, to: RowLengths(newLengths, starts: new.starts))
    var rowCounts = Counts(updates: engine.movement.rowCounts.updates)
    for (row, partner) in engine.matching.rowsToNew.enumerated() {
      if partner < 0 { rowCounts.deletes += Int(oldLengths[row]) }
      if engine.movement.movedRows[row] { rowCounts.moves += Int(oldLengths[row]) }
    }
    for (row, partner) in engine.matching.rowsToOld.enumerated() where partner < 0 {
      rowCounts.inserts += Int(newLengths[row])
    }
    self.init(
      stages: stages, rowCounts: rowCounts,
      sectionCounts: engine.movement.sectionCounts, oldShape: old.shape(oldLengths),
      newShape: new.shape(newLengths))
  }
}

extension Arrangement {
  /// Returns the number of rows of each section, if rows stand for so many rows.
  fileprivate func shape(_ lengths: [Int32]) -> [Int] {
    sections.indices.map { section in
      range(ofSection: section).reduce(0) { $0 + Int(lengths[$1]) }
    }
  }
}
