extension Search {
  /// Returns the number of rows that match, the best of them, and the rows to keep for a query that
  /// narrows this one.
  ///
  /// As soon as there are enough rows, alignments that lose more than the worst of them are dropped.
  /// Groups are in the order of length, so that most rows of one member that score as high as the worst
  /// one are excluded by their length, and others by their level, or by their place among rows that are
  /// equal.
  mutating func best<Failure>(
    _ count: Int, by order: RowOrder, checking: () throws(Failure) -> Void
  ) throws(Failure) -> (best: BestMatches, kept: KeptRows) {
    let base = base
    let comparesLengths = order.comparesLengths
    let isWhole = comparesLengths && bounds.lengths == .whole
    func precedes(_ row: Int32, _ other: Int32) -> Bool {
      order.place(of: row) < order.place(of: other)
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
        let (candidates, limit) = bounds.candidates(
          rows.group, block, among: rows.rows(ofBlock: block), shortest: shortest, best, order)
        guard candidates != 0 else { continue }
        rank(
          rows.group, block, among: candidates, limit: limit, withLengths: comparesLengths)
        forEachRow(of: ranks.rows & ~best.excluded(ranks.scores, ranks.lengths, order)) { lane in
          let (score, length) = (ranks.scores[lane], Int(ranks.lengths[lane]))
          let row = rows.group.numbers[block * BlockGroup.rows + lane]
          let level = order.level(of: row)
          if best.excludes(level: level, score: score, length: length) { return }
          let ranked = RankedRow(row: row, score: score)
          best.insert(Candidate(row: ranked, length: length, level: level), precedes)
        }
        try check(checking)
      }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    kept.longRows = longRows.map(\.row)
    for row in longRows {
      let length = comparesLengths ? length(of: row.row) : 0
      let level = order.level(of: row.row)
      best.insert(Candidate(row: row, length: length, level: level), precedes)
    }
    return (BestMatches(count: found + longRows.count, rows: best.sorted(precedes)), kept)
  }
}

/// The order of rows that match: by level, then by score, the highest first, by length, the shortest
/// first, and by place.
package struct RowOrder: Sendable {
  /// By row, its level; empty if all have the same.
  private let levels: [Int32]
  /// Whether rows of different lengths are distinguished.
  let comparesLengths: Bool
  /// By row, its place among those that are otherwise equal; empty if this is its number.
  private let places: [Int32]

  /// Creates an order. All rows are of one level if there are no `levels`, and their places are their
  /// numbers if there are no `places`.
  package init(levels: [Int32] = [], comparesLengths: Bool = true, places: [Int32] = []) {
    self.levels = levels
    self.comparesLengths = comparesLengths
    self.places = places
  }

  var hasLevels: Bool { !levels.isEmpty }

  func level(of row: Int32) -> Int32 { levels.isEmpty ? 0 : levels[Int(row)] }

  func place(of row: Int32) -> Int32 { places.isEmpty ? row : places[Int(row)] }
}
