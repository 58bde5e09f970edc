extension Search {
  /// Returns the number of rows that match, the best of them, and the rows to keep for a query that
  /// narrows this one.
  ///
  /// As soon as there are enough rows, alignments that lose more than the worst of them are dropped.
  /// Groups are in the order of length, so that most rows that score as high as the worst one are
  /// excluded by their length.
  mutating func best<Failure>(
    _ count: Int, checking: () throws(Failure) -> Void, precedes: (Int32, Int32) -> Bool
  ) throws(Failure) -> (best: BestMatches, kept: KeptRows) {
    let base = base
    let lengths = MatchLengths(store, query)
    let ideal = sets.reduce(0) { $0 + Self.ideal($1) }
    var kept = KeptRows(query: query)
    var best = BestRows(capacity: count)
    var found = 0
    for part in base.parts {
      guard let (rows, count) = try find(part, checking) else { continue }
      kept.parts.append(rows)
      found += count
      let shortest =
        lengths.isWhole ? LengthClass.shortest(LengthClass.index(rows.group.pairs * 2)) : 0
      for block in 0..<rows.group.blockCount {
        let matching = rows.rows(ofBlock: block)
        guard matching != 0 else { continue }
        let limit = ideal - Int(best.leastScore(length: shortest))
        let bounds = losses(rows.group, block, among: matching, limit: limit)
        forEachRow(of: bounds.rows) { lane in
          let row = rows.group.lanes[block * BlockGroup.rows + lane].row
          let score =
            bounds.inexact & 1 << UInt16(lane) == 0
            ? ideal - Int(bounds.losses[lane]) : query.score(of: characters(row)) ?? 0
          guard score >= best.leastScore(length: shortest) else { return }
          let ranked = RankedRow(row: row, score: Int32(clamping: score))
          best.insert(Candidate(row: ranked, length: lengths.length(of: row)), precedes)
        }
        try check(checking)
      }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    kept.longRows = longRows.map(\.row)
    for row in longRows {
      best.insert(Candidate(row: row, length: lengths.length(of: row.row)), precedes)
    }
    let rows = best.sorted(precedes)
    return (BestMatches(count: found + longRows.count, rows: rows), kept)
  }

  /// The score of a set of alternatives without losses.
  private static func ideal(_ set: [TermProgram]) -> Int {
    Int(set.reduce(.min) { max($0, $1.term.isNegated ? 0 : $1.ideal) })
  }

  /// Losses of some rows of a block.
  private struct BlockLosses {
    /// The rows whose loss may be as low as was asked for.
    var rows: UInt16 = 0
    var losses = SIMD16<Int32>.zero
    /// The rows whose loss is at least as high.
    var inexact: UInt16 = 0
  }

  /// Returns the losses of those of some matching rows of a block that may lose at most `limit`.
  private mutating func losses(
    _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int
  ) -> BlockLosses {
    guard limit >= 0 else { return BlockLosses() }
    var all = BlockLosses(rows: matching)
    // The least loss of any row in the sets so far.
    var least = 0
    for set in sets where !set.allSatisfy(\.term.isNegated) {
      let more = losses(set, group, block, among: all.rows, limit: limit - least)
      all.inexact |= more.inexact
      all.rows = 0
      least = .max
      forEachRow(of: more.rows) { lane in
        let (sum, isMore) = all.losses[lane].addingReportingOverflow(more.losses[lane])
        guard !isMore, Int(sum) <= limit else { return }
        all.losses[lane] = sum
        all.rows |= 1 << UInt16(lane)
        least = min(least, Int(sum))
      }
      if all.rows == 0 { break }
    }
    return all
  }

  /// Returns the least losses of the terms of a set in those of some rows of a block that match it and
  /// may lose at most `limit`.
  private mutating func losses(
    _ set: [TermProgram], _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int
  ) -> BlockLosses {
    let ideal = Self.ideal(set)
    var least = BlockLosses()
    for program in set {
      let own = program.term.isNegated ? ideal : ideal - Int(program.ideal)
      guard own <= limit else { continue }
      var counted = matching
      if set.count > 1 {
        let rows = find(program, group, block: block, among: matching)
        counted = program.term.isNegated ? matching & ~rows : rows
      }
      guard counted != 0 else { continue }
      var losses = Vector.zero
      if !program.term.isNegated {
        let (found, inexact) = self.losses(
          program, group, block, among: counted, limit: limit - own)
        let most = Vector(repeating: UInt8(min(Int(TermProgram.mostLoss), limit - own)))
        counted &= rows(otherBits(found .> most)) | inexact
        least.inexact |= inexact
        losses = found
      }
      forEachRow(of: counted) { lane in
        let loss = Int32(losses[lane]) + Int32(own)
        let isFirst = least.rows & 1 << UInt16(lane) == 0
        least.losses[lane] = isFirst ? loss : min(least.losses[lane], loss)
      }
      least.rows |= counted
    }
    return least
  }
}
