/// What a search has done, counted.
package struct SearchCost: Sendable, Equatable {
  /// Pairs of a column of a block and a character of a term that were looked at, at most.
  package var steps = 0
  /// Blocks that were scanned for the first time by the search.
  package var blocks = 0
  /// Rows that were copied into blocks of their own.
  package var copied = 0
  /// Rows that were matched one by one.
  package var rows = 0
}

/// The rows that a query has matched, in blocks of their own.
struct KeptRows: Sendable {
  let query: Query
  let group: BlockGroup
  let longRows: [Int32]
}

/// One search of a store.
struct Search {
  let store: TextStore
  let query: Query
  private let sets: [[TermProgram]]
  private var scratch = Scratch()
  private(set) var cost = SearchCost()
  private var checkedAt = 0

  /// The steps after which somebody is asked whether to go on: far less than a millisecond.
  private static let stepsBetweenChecks = 1 << 12

  init(_ store: TextStore, _ query: Query) {
    self.store = store
    self.query = query
    let alphabet = store.alphabet
    sets = query.sets.map { $0.map { TermProgram($0, alphabet) } }
    for set in sets {
      for program in set { scratch.reserve(program) }
    }
  }

  /// Whether the query is one term that is so short that looking for rows first does not pay.
  private var isShort: Bool {
    sets.count == 1 && sets[0].count == 1 && sets[0][0].count < 4
      && sets[0][0].term.kind == .fuzzy && !sets[0][0].term.isNegated
      && sets[0][0].verified == 0 && !sets[0][0].needsText
  }

  /// Returns the rows that match, and what is kept for a query that narrows this one.
  mutating func run<Failure>(
    checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: [RankedRow], kept: KeptRows?) {
    var base = store.groups
    var longRows = store.longRows
    var kept: KeptRows?
    if let last = store.kept, query.narrows(last.query) {
      kept = last
      base = [last.group]
      longRows = last.longRows
    }
    var result: [RankedRow] = []
    if isShort {
      for group in base { try score(group, into: &result, checking) }
    } else {
      var masks: [[UInt16]] = []
      var found = 0
      for group in base { masks.append(try find(group, &found, checking)) }
      result.reserveCapacity(found + longRows.count)
      if found * 4 <= base.reduce(0, { $0 + $1.lanes.count }) {
        let group = try copy(base, masks, checking)
        kept = KeptRows(query: query, group: group, longRows: [])
        base = [group]
        masks = [(0..<group.blocks.count).map { group.allRows(ofBlock: $0) }]
      }
      for (group, masks) in zip(base, masks) {
        for block in masks.indices where masks[block] != 0 {
          try append(group, block, masks[block], to: &result, checking)
        }
      }
    }
    let inBlocks = result.count
    for row in longRows {
      if let score = score(row) {
        result.append(RankedRow(row: row, score: Int32(clamping: score)))
      }
      try check(checking)
    }
    if let rows = kept, rows.query == query {
      kept = KeptRows(query: query, group: rows.group, longRows: result[inBlocks...].map(\.row))
    }
    return (result, kept)
  }

  /// Asks whether to go on, if enough has been done since the last time.
  private mutating func check<Failure>(
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    guard cost.steps - checkedAt > Self.stepsBetweenChecks else { return }
    checkedAt = cost.steps
    try checking()
  }

  // MARK: Finding

  /// For each block of a group a bit for each row that matches.
  private mutating func find<Failure>(
    _ group: BlockGroup, _ found: inout Int, _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> [UInt16] {
    var masks: [UInt16] = []
    masks.reserveCapacity(group.blocks.count)
    for block in group.blocks.indices {
      var rows = group.allRows(ofBlock: block)
      for set in sets where rows != 0 {
        rows = try find(set, group, block, among: rows, checking)
      }
      found += rows.nonzeroBitCount
      masks.append(rows)
      cost.blocks += 1
    }
    return masks
  }

  /// The rows of a block, among some, that match one of some alternatives.
  private mutating func find<Failure>(
    _ set: [TermProgram], _ group: BlockGroup, _ block: Int, among: UInt16,
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> UInt16 {
    var found: UInt16 = 0
    for program in set where found != among {
      let rest = among & ~found
      let rows = find(program, group, block, among: rest)
      found |= program.term.isNegated ? rest & ~rows : rows
      try check(checking)
    }
    return found
  }

  /// The rows of a block, among some, that a term would match if it were not negated.
  private mutating func find(
    _ program: TermProgram, _ group: BlockGroup, _ block: Int, among: UInt16
  ) -> UInt16 {
    cost.steps += group.blocks[block].pairs * 2 * program.count
    let mayMatch =
      program.needsText ? among & group.rows(ofBlock: block, withFlags: Lane.allFlags) : among
    guard mayMatch != 0 else { return 0 }
    var rows =
      mayMatch
      & program.find(group.blocks[block], &scratch, hasMembers: store.hasMembers)
    let verified =
      program.needsText ? rows : rows & group.rows(ofBlock: block, withFlags: program.verified)
    forEachRow(of: verified) { lane in
      let characters = characters(group.lanes[block * Block.rows + lane].row)
      if !program.term.occurs(in: characters) { rows &= ~(1 << UInt16(lane)) }
    }
    return rows
  }

  /// Copies the rows that match into blocks of their own.
  private mutating func copy<Failure>(
    _ base: [BlockGroup], _ masks: [[UInt16]], _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> BlockGroup {
    var result = BlockGroup()
    for (group, masks) in zip(base, masks) {
      for block in masks.indices where masks[block] != 0 {
        forEachRow(of: masks[block]) { result.append(group, lane: block * Block.rows + $0) }
        cost.copied += masks[block].nonzeroBitCount
        cost.steps += group.blocks[block].pairs * 2 * masks[block].nonzeroBitCount
        try check(checking)
      }
    }
    return result
  }

  // MARK: Scoring

  /// Appends the rows of a group that a short query matches.
  private mutating func score<Failure>(
    _ group: BlockGroup, into result: inout [RankedRow], _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    for block in group.blocks.indices {
      try append(group, block, nil, to: &result, checking)
      cost.blocks += 1
    }
  }

  /// Appends the rows of a block that match; `nil` if it is not known which these are, and the query
  /// is short.
  private mutating func append<Failure>(
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

  /// The highest score of some alternatives for each row of a block that matches.
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

  /// The score of a term for each row of a block that matches it; finds out which these are if that
  /// is not known.
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

  /// The score of a row that is too long for a block.
  private mutating func score(_ row: Int32) -> Int? {
    let characters = characters(row)
    cost.steps += characters.points.count * query.sets.reduce(1) { $0 + $1.count }
    return query.score(of: characters)
  }

  private mutating func characters(_ row: Int32) -> Characters {
    cost.rows += 1
    return Characters(store.text(of: row) ?? RowText())
  }

  /// Calls `body` with the index of each bit that is set.
  @inline(__always)
  private func forEachRow(of rows: UInt16, _ body: (Int) -> Void) {
    var rest = rows
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}
