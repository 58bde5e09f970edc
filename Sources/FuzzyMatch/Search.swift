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

/// For each block of a slab a bit for each row.
typealias SlabRows = SIMD16<UInt16>

extension SlabRows {
  /// The number of rows.
  var count: Int { indices.reduce(0) { $0 + self[$1].nonzeroBitCount } }

  /// The number of blocks with rows.
  var blocks: Int { indices.reduce(0) { self[$1] == 0 ? $0 : $0 + 1 } }
}

/// Some rows of a group.
struct SelectedRows: Sendable {
  let group: BlockGroup
  var masks: [SlabRows]

  /// Selects all rows of a group.
  init(_ group: BlockGroup) {
    self.group = group
    masks = (0..<group.slabCount).map(group.allRows)
  }

  /// Returns a bit for each of the rows in a block.
  func rows(ofBlock block: Int) -> UInt16 { masks[block / Slab.blocks][block % Slab.blocks] }
}

/// The rows that a query has matched.
struct KeptRows: Sendable {
  let query: Query
  var parts: [SelectedRows] = []
  var longRows: [Int32] = []
}

/// One search of a store.
struct Search {
  let store: TextStore
  let query: Query
  let sets: [[TermProgram]]
  /// The sets whose terms are not all negated.
  let scoredSets: [[TermProgram]]
  let bounds: RankBounds
  var scratch = Scratch()
  /// How well rows of the last block match.
  var ranks = BlockRanks()
  /// For each of the scored sets the columns of the last block in which the best alignments end, `BlockGroup.none` in
  /// rows in which they have no characters because a negated term matches.
  var ends: [BlockGroup.Columns16]
  var cost = SearchCost()
  private var checkedAt = 0

  /// Rows are copied if their group has at least this many times as many.
  private static let sparsity = 16

  /// The number of steps between two calls of `checking`: much less than a millisecond's work.
  private static let stepsBetweenChecks = 1 << 12

  init(_ store: TextStore, _ query: Query) {
    self.store = store
    self.query = query
    let alphabet = store.alphabet
    let sets = query.sets.map { $0.map { TermProgram($0, alphabet) } }
    scoredSets = sets.filter { !$0.allSatisfy(\.term.isNegated) }
    self.sets = sets
    bounds = RankBounds(sets, MatchLengths(store, query).kind)
    ends = Array(repeating: .zero, count: scoredSets.count)
    for set in sets {
      for program in set { scratch.reserve(program) }
    }
  }

  /// The rows that are searched: those that the last query has matched if this one narrows it, else
  /// all.
  var base: KeptRows {
    if let last = store.kept, query.narrows(last.query) { return last }
    let parts = store.groups.lazy.filter { $0.blockCount > 0 }.map { SelectedRows($0) }
    return KeptRows(query: Query(""), parts: Array(parts), longRows: store.longRows)
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

  /// Finds those of some rows that match, and copies them if they are few. Returns `nil` if none do.
  ///
  /// The rows of one group at a time are found and then scored, while they are in the cache.
  mutating func find<Failure>(
    _ part: SelectedRows, _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> (rows: SelectedRows, count: Int)? {
    var part = part
    var found = 0
    for slab in part.masks.indices where part.masks[slab] != .zero {
      cost.blocks += part.masks[slab].blocks
      var rows = part.masks[slab]
      for set in sets where rows != .zero {
        rows = try find(set, part.group, slab, among: rows, checking)
      }
      part.masks[slab] = rows
      found += rows.count
    }
    guard found > 0 else { return nil }
    guard found * Self.sparsity <= part.group.numbers.count else { return (part, found) }
    return (SelectedRows(try copy(part, checking)), found)
  }

  /// Returns the rows of a slab, among some, that match at least one term of a set.
  private mutating func find<Failure>(
    _ set: [TermProgram], _ group: BlockGroup, _ slab: Int, among: SlabRows,
    _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> SlabRows {
    var found = SlabRows.zero
    for program in set where found != among {
      let rest = among & ~found
      let rows = find(program, group, slab, among: rest)
      found |= program.term.isNegated ? rest & ~rows : rows
      try check(checking)
    }
    return found
  }

  /// Returns the rows of a slab, among some, that a term matches, ignoring its negation.
  mutating func find(
    _ program: TermProgram, _ group: BlockGroup, _ slab: Int, among: SlabRows
  ) -> SlabRows {
    cost.steps += group.pairs * 2 * program.count * among.blocks
    var mayMatch = among
    if program.needsText {
      mayMatch &= group.rows(ofSlab: slab, withFlags: Alphabet.foldShares | Alphabet.formShares)
    }
    var rows = program.find(group, slab, &scratch, among: mayMatch, hasMembers: group.hasMembers)
    var verified = rows
    if !program.needsText, !program.verifiesAll {
      verified &= group.rows(ofSlab: slab, withFlags: program.verified)
    }
    guard verified != .zero else { return rows }
    for block in verified.indices {
      forEachRow(of: verified[block]) { lane in
        let first = (slab * Slab.blocks + block) * BlockGroup.rows
        let characters = characters(group.numbers[first + lane])
        if !program.term.occurs(in: characters) { rows[block] &= ~(1 << UInt16(lane)) }
      }
    }
    return rows
  }

  /// Returns the rows of a block, among some, that a term matches, ignoring its negation.
  mutating func find(
    _ program: TermProgram, _ group: BlockGroup, block: Int, among: UInt16
  ) -> UInt16 {
    var rows = SlabRows.zero
    rows[block % Slab.blocks] = among
    return find(program, group, block / Slab.blocks, among: rows)[block % Slab.blocks]
  }

  /// Returns a group of some rows alone.
  private mutating func copy<Failure>(
    _ part: SelectedRows, _ checking: () throws(Failure) -> Void
  ) throws(Failure) -> BlockGroup {
    let group = part.group
    var copy = BlockGroup(pairs: group.pairs)
    for block in 0..<group.blockCount {
      let rows = part.rows(ofBlock: block)
      guard rows != 0 else { continue }
      forEachRow(of: rows) { copy.append(group, lane: block * BlockGroup.rows + $0) }
      cost.copied += rows.nonzeroBitCount
      cost.steps += group.pairs * 2 * rows.nonzeroBitCount
      try check(checking)
    }
    return copy
  }

  /// Returns the length by which a row is ranked.
  func length(of row: Int32) -> Int { MatchLengths(store, query).length(of: row) }

  mutating func characters(_ row: Int32) -> Characters {
    cost.rows += 1
    return Characters(store.text(of: row) ?? RowText())
  }
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
