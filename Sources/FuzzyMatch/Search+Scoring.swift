extension Search {
  /// Returns the rows that match, with their scores, and the rows to keep for a query that narrows
  /// this one.
  mutating func run<Failure>(
    checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: [RankedRow], kept: KeptRows) {
    let base = base
    var kept = KeptRows(query: query)
    var result: [RankedRow] = []
    for part in base.parts {
      guard let (rows, count) = try find(part, checking) else { continue }
      kept.parts.append(rows)
      if result.capacity < result.count + count {
        result.reserveCapacity(max(result.count + count, result.count * 2))
      }
      for block in 0..<rows.group.blockCount where rows.rows(ofBlock: block) != 0 {
        try append(rows, block, to: &result, checking)
      }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    kept.longRows = longRows.map(\.row)
    return (result + longRows, kept)
  }

  /// Appends the rows of a block that match.
  private mutating func append<Failure>(
    _ part: SelectedRows, _ block: Int, to result: inout [RankedRow],
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    let matching = part.rows(ofBlock: block)
    var scores = SIMD16<Int32>.zero
    for set in sets {
      if set.count == 1 {
        scores &+= score(set[0], part.group, block, matching)
      } else {
        scores &+= score(set, part.group, block, matching)
      }
      try check(checking)
    }
    let first = block * BlockGroup.rows
    forEachRow(of: matching) { lane in
      result.append(RankedRow(row: part.group.lanes[first + lane].row, score: scores[lane]))
    }
  }

  /// Returns the highest score of the terms of a set for each row of a block that matches.
  private mutating func score(
    _ set: [TermProgram], _ group: BlockGroup, _ block: Int, _ matching: UInt16
  ) -> SIMD16<Int32> {
    var best = SIMD16<Int32>(repeating: .min)
    for program in set {
      let rows = find(program, group, block: block, among: matching)
      let counted = program.term.isNegated ? matching & ~rows : rows
      let scores = score(program, group, block, counted)
      forEachRow(of: counted) { best[$0] = max(best[$0], scores[$0]) }
    }
    forEachRow(of: ~matching) { best[$0] = 0 }
    return best
  }

  /// Returns the rows of a block, among some, that a term matches, ignoring its negation.
  mutating func find(
    _ program: TermProgram, _ group: BlockGroup, block: Int, among: UInt16
  ) -> UInt16 {
    var rows = SlabRows.zero
    rows[block % Slab.blocks] = among
    return find(program, group, block / Slab.blocks, among: rows)[block % Slab.blocks]
  }

  /// Returns the score of a term for each row of a block that matches it.
  private mutating func score(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, _ matching: UInt16
  ) -> SIMD16<Int32> {
    guard !program.term.isNegated, matching != 0 else { return .zero }
    let (losses, single) = losses(program, group, block, among: matching, limit: .max)
    var scores =
      SIMD16<Int32>(repeating: program.ideal) &- SIMD16<Int32>(truncatingIfNeeded: losses)
    forEachRow(of: single) { lane in
      let characters = characters(group.lanes[block * BlockGroup.rows + lane].row)
      scores[lane] = program.term.score(in: characters) ?? 0
      cost.steps += group.pairs * 2 * program.count
    }
    return scores
  }

  /// Returns the loss of a term in each of some rows of a block that match it. A loss of more than
  /// `limit` may be returned as 255.
  ///
  /// The loss of the rows that are `inexact` is at least as high.
  mutating func losses(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, among: UInt16, limit: Int
  ) -> (losses: Vector, inexact: UInt16) {
    guard program.count <= TermProgram.longestScored else { return (.zero, among) }
    let mostLoss = Int(TermProgram.mostLoss)
    let losses = program.losses(
      group, block, &scratch, limit: UInt8(min(mostLoss, limit)), among: among,
      hasMembers: store.hasMembers)
    cost.steps += scratch.steps
    var inexact =
      program.needsText || program.verifiesAll
      ? among : among & group.rows(ofBlock: block, withFlags: program.verified)
    if limit > mostLoss, program.mayOverflow(columns: group.pairs * 2) {
      inexact |= among & rows(bits(losses .== Vector(repeating: 255)))
    }
    return (losses, inexact)
  }

  /// Returns those of some rows that match and are too long for blocks.
  mutating func scoreLongRows<Failure>(
    _ rows: [Int32], _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> [RankedRow] {
    var result: [RankedRow] = []
    for row in rows {
      let characters = characters(row)
      cost.steps += characters.points.count * query.sets.reduce(1) { $0 + $1.count }
      if let score = query.score(of: characters) {
        result.append(RankedRow(row: row, score: Int32(clamping: score)))
      }
      try check(checking)
    }
    return result
  }
}
