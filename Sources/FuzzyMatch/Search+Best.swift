extension Search {
  /// Returns the number of rows that match, the best of them, and the rows to keep for a query that
  /// narrows this one; or `nil` if the best can be found only by scoring all rows.
  ///
  /// As soon as there are enough rows, alignments that lose more than the worst of them are dropped.
  /// Groups are in the order of length, so that most rows that score as high as the worst one are
  /// excluded by their length.
  mutating func best<Failure>(
    _ count: Int, checking: () throws(Failure) -> Void, precedes: (Int32, Int32) -> Bool
  ) throws(Failure) -> (best: BestMatches, kept: KeptRows?)? {
    var (base, kept) = base
    guard count > 0, let program = boundedProgram(base.groups) else { return nil }
    let found = try find(&base.groups, checking)
    let wanted = min(count, found.count)
    var best = BestRows(capacity: count)
    for (group, masks) in zip(base.groups, found.masks) {
      for block in masks.indices where masks[block] != 0 {
        insert(program, group, block, among: masks[block], into: &best, precedes)
        try check(checking)
      }
    }
    // If rows are missing, their losses are more than a byte holds.
    guard best.count == wanted else { return nil }
    if found.areCopied { kept = KeptRows(query: query, group: base.groups[0], longRows: []) }
    let longRows = try scoreLongRows(base.longRows, checking)
    if kept?.query == query { kept?.longRows = longRows.map(\.row) }
    let lengths = MatchLengths(store, query)
    for row in longRows {
      best.insert(Candidate(row: row, length: lengths.length(of: row.row)), precedes)
    }
    let rows = best.sorted(precedes)
    return (BestMatches(count: found.count + longRows.count, rows: rows), kept)
  }

  /// Returns the term of a query that has only one, if blocks alone determine how its matches are
  /// ranked; otherwise `nil`.
  private func boundedProgram(_ groups: [BlockGroup]) -> TermProgram? {
    guard sets.count == 1, sets[0].count == 1, let program = sets[0].first,
      !program.term.isNegated, !program.needsText, !store.hasMembers,
      program.count <= TermProgram.longestScored,
      program.verified == 0 || groups.allSatisfy({ $0.flagged == 0 })
    else { return nil }
    return program
  }

  /// Inserts the best of the matching rows of a block.
  private mutating func insert(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, among matching: UInt16,
    into best: inout BestRows, _ precedes: (Int32, Int32) -> Bool
  ) {
    let first = block * Block.rows
    let shortest = LengthClass.shortest(LengthClass.index(group.lanes[first].count))
    let least = Int(best.leastScore(length: shortest))
    let limit = min(Int(TermProgram.mostLoss), Int(program.ideal) - least)
    guard limit >= 0 else { return }
    let losses = program.losses(
      group.blocks[block], &scratch, limit: UInt8(limit), among: matching, hasMembers: false)
    cost.steps += scratch.steps
    let reached = rows(otherBits(losses .> Vector(repeating: UInt8(limit))))
    forEachRow(of: matching & reached) { lane in
      let score = program.ideal - Int32(losses[lane])
      let found = group.lanes[first + lane]
      best.insert(
        Candidate(row: RankedRow(row: found.row, score: score), length: found.count), precedes)
    }
  }
}
