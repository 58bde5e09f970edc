/// What is known of the ranks of rows before their losses are computed.
struct RankBounds {
  /// The score of a row without losses.
  let ideal: Int
  /// The least loss of any row.
  let leastLoss: Int
  /// What is counted of each row.
  let lengths: MatchLengths.Kind
  /// Whether a character is matched in each row that matches.
  private let matchesCharacters: Bool

  init(_ sets: [[TermProgram]], _ lengths: MatchLengths.Kind) {
    ideal = sets.reduce(0) { $0 + Self.ideal($1) }
    leastLoss = sets.reduce(0) { $0 + Self.leastLoss($1) }
    self.lengths = lengths
    matchesCharacters = sets.contains { $0.allSatisfy { !$0.term.isNegated } }
  }

  /// The least loss of a set of alternatives.
  private static func leastLoss(_ set: [TermProgram]) -> Int {
    let ideal = ideal(set)
    return set.map { $0.term.isNegated ? ideal : ideal - Int($0.ideal) + $0.leastLoss }.min() ?? 0
  }

  /// The score of a set of alternatives without losses.
  static func ideal(_ set: [TermProgram]) -> Int {
    Int(set.reduce(.min) { max($0, $1.term.isNegated ? 0 : $1.ideal) })
  }

  /// Returns those of the rows of a block that can be among the best, and the most that they may lose.
  func candidates(
    _ group: BlockGroup, _ block: Int, among matching: UInt16, shortest: Int, _ best: BestRows,
    _ order: RowOrder
  ) -> (rows: UInt16, limit: Int) {
    guard let worst = best.worst else { return (best.isFull ? 0 : matching, .max) }
    // The rows of lower levels than the worst, and those of its level.
    var (before, beside) = (UInt16(0), matching)
    if order.hasLevels {
      beside = 0
      forEachRow(of: matching) { lane in
        let level = order.level(of: group.numbers[block * BlockGroup.rows + lane])
        if level < worst.level { before |= 1 << UInt16(lane) }
        if level == worst.level { beside |= 1 << UInt16(lane) }
      }
    }
    var limit = ideal - Int(worst.row.score)
    let tying =
      shortest > worst.length ? 0 : mayPrecede(worst, group, block, among: beside, order)
    if tying == 0 { limit -= 1 } else if limit == leastLoss { beside = tying }
    if limit < leastLoss { beside = 0 }
    return (before | beside, before == 0 ? limit : .max)
  }

  /// Returns those of some rows of a block that may precede another row if they have its level and its
  /// score.
  private func mayPrecede(
    _ other: Candidate, _ group: BlockGroup, _ block: Int, among: UInt16, _ order: RowOrder
  ) -> UInt16 {
    var least = BlockGroup.Columns16.zero
    if order.comparesLengths {
      switch lengths {
      case .whole: least = group.counts(ofBlock: block)
      case .matched where matchesCharacters: least = group.leastLengths(ofBlock: block)
      case .none, .matched: break
      }
    }
    let length = BlockGroup.Columns16(repeating: UInt16(clamping: other.length))
    let place = order.place(of: other.row.row)
    var rows = among & FuzzyMatch.rows(least .< length)
    forEachRow(of: among & FuzzyMatch.rows(least .== length)) { lane in
      let number = group.numbers[block * BlockGroup.rows + lane]
      if order.place(of: number) < place { rows |= 1 << UInt16(lane) }
    }
    return rows
  }
}
