extension Search {
  /// Appends the rows of a group that a short query matches.
  mutating func score<Failure>(
    _ group: BlockGroup, into result: inout [RankedRow], _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    for block in group.blocks.indices {
      try append(group, block, nil, to: &result, checking)
      cost.blocks += 1
    }
  }

  /// Appends the rows of a block that match.
  ///
  /// - Parameter known: The rows that match, or `nil` if they are not known because the query is short.
  mutating func append<Failure>(
    _ group: BlockGroup, _ block: Int, _ known: UInt16?, to result: inout [RankedRow],
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    var scores = SIMD16<Int32>.zero
    var matching = known ?? 0
    for set in sets {
      if known == nil || set.count == 1 {
        let (found, score) = score(set[0], group, block, known)
        scores &+= score
        matching = known ?? found
      } else {
        scores &+= score(set, group, block, matching)
      }
      try check(checking)
    }
    let first = block * Block.rows
    forEachRow(of: matching) { lane in
      result.append(RankedRow(row: group.lanes[first + lane].row, score: scores[lane]))
    }
  }

  /// Returns the highest score of the terms of a set for each row of a block that matches.
  private mutating func score(
    _ set: [TermProgram], _ group: BlockGroup, _ block: Int, _ matching: UInt16
  ) -> SIMD16<Int32> {
    var best = SIMD16<Int32>(repeating: .min)
    for program in set {
      let rows = find(program, group, block, among: matching)
      let counted = program.term.isNegated ? matching & ~rows : rows
      let scores =
        program.term.isNegated ? .zero : score(program, group, block, counted).scores
      forEachRow(of: counted) { best[$0] = max(best[$0], scores[$0]) }
    }
    forEachRow(of: ~matching) { best[$0] = 0 }
    return best
  }

  /// Returns the score of a term for each row of a block that matches it, and which rows these are.
  private mutating func score(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, _ known: UInt16?
  ) -> (matching: UInt16, scores: SIMD16<Int32>) {
    guard !program.term.isNegated else { return (known ?? 0, .zero) }
    let columns = group.blocks[block].pairs * 2
    let isLong = program.count > TermProgram.longestScored
    let mayOverflow = program.mayOverflow(columns: columns)
    let matching =
      known
      ?? (mayOverflow
        ? find(program, group, block, among: group.allRows(ofBlock: block)) : nil)
    guard matching != 0 else { return (0, .zero) }
    var losses = Vector(repeating: 255)
    if !isLong {
      cost.steps += columns * program.count * 4
      losses = program.losses(group.blocks[block], &scratch, hasMembers: store.hasMembers)
    }
    let reached = rows(otherBits(losses .== Vector(repeating: 255)))
    var scores =
      SIMD16<Int32>(repeating: program.ideal) &- SIMD16<Int32>(truncatingIfNeeded: losses)
    guard let matching else { return (reached, scores) }
    var single = matching & group.rows(ofBlock: block, withFlags: program.verified)
    if program.needsText { single = matching }
    if mayOverflow { single |= matching & ~reached }
    forEachRow(of: single) { lane in
      let characters = characters(group.lanes[block * Block.rows + lane].row)
      scores[lane] = program.term.score(in: characters) ?? 0
      cost.steps += columns * program.count
    }
    return (matching, scores)
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
