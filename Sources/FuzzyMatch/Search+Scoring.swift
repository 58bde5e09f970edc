extension Search {
  /// Returns the rows that match, with their scores and, if wanted, their lengths, and the rows to keep
  /// for a query that narrows this one.
  mutating func run<Failure>(
    withLengths: Bool, checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: [RankedRow], lengths: [Int32], kept: KeptRows) {
    let base = base
    var kept = KeptRows(query: query)
    var result: [RankedRow] = []
    var lengths: [Int32] = []
    for part in base.parts {
      guard let (rows, count) = try find(part, checking) else { continue }
      kept.parts.append(rows)
      if result.capacity < result.count + count {
        result.reserveCapacity(max(result.count + count, result.count * 2))
      }
      for block in 0..<rows.group.blockCount where rows.rows(ofBlock: block) != 0 {
        rank(
          rows.group, block, among: rows.rows(ofBlock: block), limit: .max,
          withLengths: withLengths)
        forEachRow(of: ranks.rows) { lane in
          let row = rows.group.numbers[block * BlockGroup.rows + lane]
          result.append(RankedRow(row: row, score: ranks.scores[lane]))
          if withLengths { lengths.append(ranks.lengths[lane]) }
        }
        try check(checking)
      }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    kept.longRows = longRows.map(\.row)
    if withLengths {
      for row in longRows {
        lengths.append(Int32(truncatingIfNeeded: length(of: row.row)))
      }
    }
    return (result + longRows, lengths, kept)
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
