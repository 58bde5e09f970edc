extension Search {
  /// Returns the number of rows that match, the best of them, and the rows to keep for a query that
  /// narrows this one.
  ///
  /// As soon as there are enough rows, alignments that lose more than the worst of them are dropped.
  /// Groups are in the order of length, so that most rows of one member that score as high as the worst
  /// one are excluded by their length, and others by their place among rows that are equal.
  mutating func best<Failure>(
    _ count: Int, ties: TieOrder, checking: () throws(Failure) -> Void
  ) throws(Failure) -> (best: BestMatches, kept: KeptRows) {
    let base = base
    let comparesLengths = ties.comparesLengths
    let isWhole = comparesLengths && lengths.kind == .whole
    func precedes(_ row: Int32, _ other: Int32) -> Bool {
      ties.place(of: row) < ties.place(of: other)
    }
    var kept = KeptRows(query: query)
    var best = BestRows(capacity: count)
    var found = 0
    for part in base.parts {
      guard let (rows, count) = try find(part, checking) else { continue }
      kept.parts.append(rows)
      found += count
      let shortest = isWhole ? LengthClass.shortest(LengthClass.index(rows.group.pairs * 2)) : 0
      for block in 0..<rows.group.blockCount where rows.rows(ofBlock: block) != 0 {
        var matching = rows.rows(ofBlock: block)
        var limit = ideal - Int(best.leastScore)
        if let worst = best.worst {
          let tying =
            shortest > worst.length
            ? 0 : mayPrecede(worst, rows.group, block, among: matching, ties)
          if tying == 0 { limit -= 1 } else if limit == leastLoss { matching = tying }
        }
        guard limit >= leastLoss else { continue }
        rank(
          rows.group, block, among: matching, limit: limit, withLengths: comparesLengths)
        forEachRow(of: ranks.rows) { lane in
          let (score, length) = (ranks.scores[lane], Int(ranks.lengths[lane]))
          if best.excludes(score: score, length: length) { return }
          let row = rows.group.lanes[block * BlockGroup.rows + lane].row
          let ranked = RankedRow(row: row, score: score)
          best.insert(Candidate(row: ranked, length: length), precedes)
        }
        try check(checking)
      }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    kept.longRows = longRows.map(\.row)
    for row in longRows {
      let length = comparesLengths ? lengths.length(of: row.row) : 0
      best.insert(Candidate(row: row, length: length), precedes)
    }
    return (BestMatches(count: found + longRows.count, rows: best.sorted(precedes)), kept)
  }

  /// Returns those of some rows of a block that may precede another row if they have its score.
  private func mayPrecede(
    _ other: Candidate, _ group: BlockGroup, _ block: Int, among: UInt16, _ ties: TieOrder
  ) -> UInt16 {
    let kind = ties.comparesLengths ? lengths.kind : .none
    if kind == .matched { return among }
    let place = ties.place(of: other.row.row)
    var rows: UInt16 = 0
    forEachRow(of: among) { index in
      let lane = group.lanes[block * BlockGroup.rows + index]
      let length = kind == .whole ? lane.count : 0
      let precedes =
        length == other.length ? ties.place(of: lane.row) < place : length < other.length
      if precedes { rows |= 1 << UInt16(index) }
    }
    return rows
  }
}

/// The order of rows that have the same score.
package struct TieOrder: Sendable {
  /// Whether shorter matches precede longer ones.
  let comparesLengths: Bool
  /// By row, its place among those that are otherwise equal; empty if this is its number.
  private let places: [Int32]

  /// Creates an order by length if `comparesLengths`, and then by the places of rows, or by their numbers
  /// if there are no `places`.
  package init(comparesLengths: Bool = true, places: [Int32] = []) {
    self.comparesLengths = comparesLengths
    self.places = places
  }

  /// Returns the place of a row among those that are otherwise equal.
  func place(of row: Int32) -> Int32 { places.isEmpty ? row : places[Int(row)] }
}
