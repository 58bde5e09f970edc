/// How well some rows of a block match.
struct BlockRanks {
  /// The rows whose scores may be as high as was asked for.
  var rows: UInt16 = 0
  /// For each row of the block its score, undefined if it is not one of these rows.
  var scores = [Int32](repeating: 0, count: BlockGroup.rows)
  /// For each row the length by which it is ranked.
  var lengths = [Int32](repeating: 0, count: BlockGroup.rows)
}

extension Search {
  /// Sets `ranks` to those of some matching rows of a block that may lose at most `limit`.
  mutating func rank(
    _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int, withLengths: Bool
  ) {
    let bounds = losses(group, block, among: matching, limit: limit)
    let first = block * BlockGroup.rows
    let inexact = bounds.inexact & bounds.rows
    ranks.rows = bounds.rows
    let scores = SIMD16(repeating: Int32(clamping: ideal)) &- bounds.losses
    var written: [Int32] = []
    swap(&written, &ranks.scores)
    for lane in scores.indices { written[lane] = scores[lane] }
    swap(&written, &ranks.scores)
    if withLengths { setLengths(group, block, among: bounds.rows & ~inexact) }
    forEachRow(of: inexact) { lane in
      let row = group.lanes[first + lane].row
      cost.steps += group.pairs * 2
      let score = query.score(of: characters(row)) ?? 0
      ranks.scores[lane] = Int32(clamping: score)
      if ideal - score > limit {
        ranks.rows &= ~(1 << UInt16(lane))
      } else if withLengths {
        ranks.lengths[lane] = Int32(truncatingIfNeeded: lengths.length(of: row))
      }
    }
  }

  /// Sets the lengths of some rows of a block.
  private mutating func setLengths(_ group: BlockGroup, _ block: Int, among rows: UInt16) {
    guard lengths.kind != .none else { return }
    let isWhole = lengths.kind == .whole
    let first = block * BlockGroup.rows
    let sets = scoredSets.count
    let ends = ends
    var found: [Int32] = []
    swap(&found, &ranks.lengths)
    forEachRow(of: rows) { lane in
      guard !isWhole else {
        found[lane] = Int32(truncatingIfNeeded: group.lanes[first + lane].count)
        return
      }
      var length = 0
      for set in 0..<sets {
        let end = Int(ends[set * BlockGroup.rows + lane])
        guard end != Self.noEnd else { continue }
        let member = group.member(ofLane: first + lane, at: end)
        var before = 0
        while before < set {
          let other = Int(ends[before * BlockGroup.rows + lane])
          if other >= member.start, other < member.end { break }
          before += 1
        }
        if before == set { length += member.end - member.start }
      }
      found[lane] = Int32(truncatingIfNeeded: length)
    }
    swap(&found, &ranks.lengths)
  }

  /// The least loss of a set of alternatives.
  static func leastLoss(_ set: [TermProgram]) -> Int {
    let ideal = ideal(set)
    return set.map { $0.term.isNegated ? ideal : ideal - Int($0.ideal) + $0.leastLoss }.min() ?? 0
  }

  /// The score of a set of alternatives without losses.
  static func ideal(_ set: [TermProgram]) -> Int {
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

  /// Returns the losses of those of some matching rows of a block that may lose at most `limit`, and
  /// sets `ends`.
  private mutating func losses(
    _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int
  ) -> BlockLosses {
    if scoredSets.count == 1 {
      return losses(ofSet: 0, group, block, among: matching, limit: limit)
    }
    var all = BlockLosses(rows: matching)
    // The least loss of any row in the sets so far.
    var least = 0
    for index in scoredSets.indices {
      let more = losses(ofSet: index, group, block, among: all.rows, limit: limit - least)
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
  /// may lose at most `limit`, and sets the `ends` of the set.
  private mutating func losses(
    ofSet place: Int, _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int
  ) -> BlockLosses {
    let set = scoredSets[place]
    if set.count == 1 {
      let (found, inexact) = losses(set[0], group, block, among: matching, limit: limit)
      let most = Vector(repeating: UInt8(min(Int(TermProgram.mostLoss), limit)))
      setEnds(ofSet: place, found.columns)
      return BlockLosses(
        rows: matching & (rows(otherBits(found.losses .> most)) | inexact),
        losses: SIMD16(truncatingIfNeeded: found.losses), inexact: inexact)
    }
    let ideal = Self.ideal(set)
    var least = BlockLosses()
    var ends = SIMD16<UInt16>(repeating: UInt16(Self.noEnd))
    for program in set {
      let own = program.term.isNegated ? ideal : ideal - Int(program.ideal)
      guard own <= limit else { continue }
      let found = find(program, group, block: block, among: matching)
      var counted = program.term.isNegated ? matching & ~found : found
      guard counted != 0 else { continue }
      var losses = Vector.zero
      var columns = SIMD16<UInt16>(repeating: UInt16(Self.noEnd))
      if !program.term.isNegated {
        let (found, inexact) = self.losses(
          program, group, block, among: counted, limit: limit - own)
        let most = Vector(repeating: UInt8(min(Int(TermProgram.mostLoss), limit - own)))
        counted &= rows(otherBits(found.losses .> most)) | inexact
        least.inexact |= inexact
        losses = found.losses
        columns = found.columns
      }
      forEachRow(of: counted) { lane in
        let loss = Int32(losses[lane]) + Int32(own)
        let isFirst = least.rows & 1 << UInt16(lane) == 0
        // Of equal alignments the one in the first member counts.
        guard isFirst || (loss, columns[lane]) < (least.losses[lane], ends[lane]) else { return }
        least.losses[lane] = loss
        ends[lane] = columns[lane]
      }
      least.rows |= counted
    }
    setEnds(ofSet: place, ends)
    return least
  }

  private mutating func setEnds(ofSet place: Int, _ columns: SIMD16<UInt16>) {
    guard lengths.kind == .matched else { return }
    var written: [UInt16] = []
    swap(&written, &ends)
    for lane in columns.indices { written[place * BlockGroup.rows + lane] = columns[lane] }
    swap(&written, &ends)
  }

  /// Returns the loss of a term in each of some rows of a block that match it. A loss of more than
  /// `limit` may be returned as 255.
  ///
  /// The loss of the rows that are `inexact` is at least as high.
  private mutating func losses(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, among: UInt16, limit: Int
  ) -> (losses: LeastLosses, inexact: UInt16) {
    guard program.count <= TermProgram.longestScored else {
      return (LeastLosses(.zero), among)
    }
    let mostLoss = Int(TermProgram.mostLoss)
    let found = program.losses(
      group, block, &scratch, limit: UInt8(min(mostLoss, limit)), among: among,
      hasMembers: group.hasMembers)
    cost.steps += scratch.steps
    var inexact =
      program.needsText || program.verifiesAll
      ? among : among & group.rows(ofBlock: block, withFlags: program.verified)
    if limit > mostLoss, program.mayOverflow(columns: group.pairs * 2) {
      inexact |= among & rows(bits(found.losses .== Vector(repeating: 255)))
    }
    return (found, inexact)
  }
}
