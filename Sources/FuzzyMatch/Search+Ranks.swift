/// How well some rows of a block match.
struct BlockRanks {
  /// The rows whose scores may be as high as was asked for.
  var rows: UInt16 = 0
  /// For each row of the block its score, undefined if it is not one of these rows.
  var scores = SIMD16<Int32>.zero
  /// For each row the length by which it is ranked.
  var lengths = SIMD16<Int32>.zero
}

extension Search {
  /// Sets `ranks` to those of some matching rows of a block that may lose at most `limit`.
  mutating func rank(
    _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int, withLengths: Bool
  ) {
    let found = losses(group, block, among: matching, limit: limit)
    let first = block * BlockGroup.rows
    let inexact = found.inexact & found.rows
    ranks.rows = found.rows
    ranks.scores = SIMD16(repeating: Int32(clamping: bounds.ideal)) &- found.losses
    if withLengths { setLengths(group, block) }
    forEachRow(of: inexact) { lane in
      let row = group.numbers[first + lane]
      cost.steps += group.pairs * 2
      let score = query.score(of: characters(row)) ?? 0
      ranks.scores[lane] = Int32(clamping: score)
      if bounds.ideal - score > limit {
        ranks.rows &= ~(1 << UInt16(lane))
      } else if withLengths {
        ranks.lengths[lane] = Int32(truncatingIfNeeded: length(of: row))
      }
    }
  }

  /// Sets the lengths of the rows of a block that are exact.
  private mutating func setLengths(_ group: BlockGroup, _ block: Int) {
    switch bounds.lengths {
    case .none: break
    case .whole: ranks.lengths = SIMD16(truncatingIfNeeded: group.counts(ofBlock: block))
    case .matched:
      var sum = BlockGroup.Columns16.zero
      group.forEachMember(ofBlock: block) { start, end in
        var isMatched = SIMDMask<SIMD16<Int16>>(repeating: false)
        for ends in ends { isMatched .|= (ends .>= start) .& (ends .< end) }
        sum &+= BlockGroup.Columns16.zero.replacing(with: end &- start, where: isMatched)
      }
      ranks.lengths = SIMD16(truncatingIfNeeded: sum)
    }
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
    let most = SIMD16(repeating: Int32(clamping: limit))
    for index in scoredSets.indices {
      let more = losses(ofSet: index, group, block, among: all.rows, limit: limit - least)
      let sums = all.losses &+ more.losses
      // A sum that is less than before is too large.
      all.rows = more.rows & rows((sums .>= all.losses) .& (sums .<= most))
      all.inexact |= more.inexact
      all.losses = sums
      if all.rows == 0 || index == scoredSets.count - 1 { break }
      least = .max
      forEachRow(of: all.rows) { least = min(least, Int(sums[$0])) }
    }
    return all
  }

  /// Returns the least losses of the terms of a set in those of some rows of a block that match it and
  /// may lose at most `limit`, and sets the `ends` of the set.
  private mutating func losses(
    ofSet place: Int, _ group: BlockGroup, _ block: Int, among matching: UInt16, limit: Int
  ) -> BlockLosses {
    if scoredSets[place].count == 1 {
      let (found, inexact) = losses(
        scoredSets[place][0], group, block, among: matching, limit: limit)
      let most = Vector(repeating: UInt8(min(Int(TermProgram.mostLoss), limit)))
      if bounds.lengths == .matched { ends[place] = found.columns }
      return BlockLosses(
        rows: matching & (rows(otherBits(found.losses .> most)) | inexact),
        losses: SIMD16(truncatingIfNeeded: found.losses), inexact: inexact)
    }
    let set = scoredSets[place]
    let ideal = RankBounds.ideal(set)
    var least = BlockLosses()
    var ends = BlockGroup.Columns16(repeating: BlockGroup.none)
    for program in set {
      let own = program.term.isNegated ? ideal : ideal - Int(program.ideal)
      guard own <= limit else { continue }
      let found = find(program, group, block: block, among: matching)
      var counted = program.term.isNegated ? matching & ~found : found
      guard counted != 0 else { continue }
      var losses = Vector.zero
      var columns = BlockGroup.Columns16(repeating: BlockGroup.none)
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
    self.ends[place] = ends
    return least
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
