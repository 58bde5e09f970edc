/// The work of a search, counted.
package struct SearchCost: Sendable, Equatable {
  /// The number of pairs of a column of a block and a character of a term that were compared, at most.
  package var steps = 0
  /// The number of blocks that were scanned, each counted once.
  package var blocks = 0
  /// The number of rows that were copied into blocks of their own.
  package var copied = 0
  /// The number of rows that were matched one by one.
  package var rows = 0
}

/// The rows that a query has matched, in their own blocks.
struct KeptRows: Sendable {
  let query: Query
  let group: BlockGroup
  var longRows: [Int32]
}

/// One search of a store.
struct Search {
  let store: TextStore
  let query: Query
  let sets: [[TermProgram]]
  var scratch = Scratch()
  var cost = SearchCost()
  private var checkedAt = 0

  /// The number of steps between two calls of `checking`: much less than a millisecond's work.
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

  /// Whether the query is a single term so short that finding rows before scoring them is slower.
  private var isShort: Bool {
    sets.count == 1 && sets[0].count == 1 && sets[0][0].count < 4
      && sets[0][0].term.kind == .fuzzy && !sets[0][0].term.isNegated
      && sets[0][0].verified == 0 && !sets[0][0].needsText
  }

  /// Returns the rows that match, and the rows to keep for a query that narrows this one.
  mutating func run<Failure>(
    checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: [RankedRow], kept: KeptRows?) {
    var (base, kept) = base
    var result: [RankedRow] = []
    if isShort {
      for group in base.groups { try score(group, into: &result, checking) }
    } else {
      let found = try find(&base.groups, checking)
      result.reserveCapacity(found.count + base.longRows.count)
      for (group, masks) in zip(base.groups, found.masks) {
        for block in masks.indices where masks[block] != 0 {
          try append(group, block, masks[block], to: &result, checking)
        }
      }
      if found.areCopied { kept = KeptRows(query: query, group: base.groups[0], longRows: []) }
    }
    let longRows = try scoreLongRows(base.longRows, checking)
    if kept?.query == query { kept?.longRows = longRows.map(\.row) }
    return (result + longRows, kept)
  }

  /// The rows that are searched: those that the last query has matched if this one narrows it, else
  /// all.
  var base: (rows: (groups: [BlockGroup], longRows: [Int32]), kept: KeptRows?) {
    guard let last = store.kept, query.narrows(last.query) else {
      return ((store.groups, store.longRows), nil)
    }
    return (([last.group], last.longRows), last)
  }

  /// Calls `checking` if enough work has been done since the last call.
  mutating func check<Failure>(
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) {
    guard cost.steps - checkedAt > Self.stepsBetweenChecks else { return }
    checkedAt = cost.steps
    try checking()
  }

  // MARK: Finding

  /// Finds the rows of some groups that match, and replaces the groups with a copy of these rows if
  /// they are a quarter or less.
  ///
  /// - Returns: For each block of each group a bit for each row that matches, and how many match.
  mutating func find<Failure>(
    _ groups: inout [BlockGroup], _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> (masks: [[UInt16]], count: Int, areCopied: Bool) {
    var masks: [[UInt16]] = []
    var found = 0
    for group in groups { masks.append(try find(group, &found, checking)) }
    guard found * 4 <= groups.reduce(0, { $0 + $1.lanes.count }) else {
      return (masks, found, false)
    }
    let group = try copy(groups, masks, checking)
    groups = [group]
    return ([(0..<group.blocks.count).map { group.allRows(ofBlock: $0) }], found, true)
  }

  /// Returns for each block of a group a bit for each row that matches.
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

  /// Returns the rows of a block, among some, that match at least one term of a set.
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

  /// Returns the rows of a block, among some, that a term matches, ignoring its negation.
  mutating func find(
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

  mutating func characters(_ row: Int32) -> Characters {
    cost.rows += 1
    return Characters(store.text(of: row) ?? RowText())
  }

  /// Calls `body` with the index of each bit that is set.
  @inline(__always)
  func forEachRow(of rows: UInt16, _ body: (Int) -> Void) {
    var rest = rows
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}
