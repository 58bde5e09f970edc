/// Computes changes between arrangements, in scratch memory that is reused from one change to the
/// next.
///
/// The steps are: pair sections and rows (``matching``), find the fewest moves (``movement``), and
/// encode both as stages. Each step reads the result of the previous one.
@usableFromInline package struct DiffEngine: ~Copyable {
  /// The pairs of sections and rows of the last call of ``match(_:_:universe:shown:)``.
  @usableFromInline package internal(set) var matching: Matching

  /// The sections and rows that move, of the last pair of arrangements.
  @usableFromInline package internal(set) var movement: Movement

  /// The work done since the engine was created, for cost tests.
  @usableFromInline package internal(set) var cost: DiffCost

  /// By old row, the number of rows that it stands for. Empty if each row stands for itself. The
  /// weights of moved rows are minimized.
  package var rowWeights: [Int32]

  /// By old section, the number of sections that it stands for. Empty if each stands for itself.
  package var sectionWeights: [Int32]

  /// Whether ``movement`` already belongs to ``matching``, because choosing the matching computed
  /// it.
  var movesAreFound: Bool

  var keyTable: KeyTable
  var fewKeys: FewKeys
  var repeats: RepeatTables
  var increasing: IncreasingSubsequence
  /// The kept rows of a section that are out of order, in their new order.
  var homeRuns: [MatchedRun]
  /// The kept sections in their new order, as old indices, with the weight of keeping each in place.
  var keptSections: [WeightedNumber]

  /// Returns whether the change is no longer needed. Called from time to time; if it returns true,
  /// the result is meaningless.
  package var isStopped: () -> Bool

  // Values that properties have by default would be functions of the library.
  @usableFromInline package init() {
    (matching, movement, cost) = (Matching(), Movement(), DiffCost())
    (rowWeights, sectionWeights) = ([], [])
    movesAreFound = false
    keyTable = KeyTable()
    fewKeys = FewKeys()
    repeats = RepeatTables()
    increasing = IncreasingSubsequence()
    (homeRuns, keptSections) = ([], [])
    isStopped = { false }
  }

  /// Pairs the sections and the rows of two arrangements whose keys are below `universe`.
  ///
  /// If items show as several rows or none, `shown` lists these rows. Repeated items are then
  /// paired so that the fewest shown rows move.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides; O(*n* log
  ///   *n*) if keys repeat.
  @_alwaysEmitIntoClient package mutating func match(
    _ old: Arrangement, _ new: Arrangement, universe: Int,
    shown: (old: ItemRows?, new: ItemRows?) = (nil, nil)
  ) {
    guard shown.old != nil || shown.new != nil, old.hasRepeats || new.hasRepeats else {
      return match(old, new, universe: universe, nil)
    }
    let starts = (shown.old.starts(of: old.starts), shown.new.starts(of: new.starts))
    match(
      old, new, universe: universe, (starts.0, starts.1, { $0.matchRows(of: shown.old, shown.new) })
    )
  }

  /// Pairs the sections and the rows of two arrangements. The code that looks at `shown` rows is only in programs
  /// that have them.
  @usableFromInline mutating func match(
    _ old: Arrangement, _ new: Arrangement, universe: Int, _ shown: ShownRows?
  ) {
    movesAreFound = false
    matchSections(old, new, universe: universe)
    if old.hasRepeats || new.hasRepeats {
      keyTable.reserve(universe: universe)
      matchRepeatedRows(old, new, shown)
    } else {
      matchDistinctRows(old, new, universe: universe)
    }
  }
}

/// The starts of the old and of the new sections, counted in the rows that items show as, and a function that
/// matches these rows, ``DiffEngine/matchRows(of:_:)``.
@usableFromInline typealias ShownRows = (
  oldStarts: [Int32], newStarts: [Int32], match: (inout DiffEngine) -> Matching
)

/// Counts of work, so that a test can limit the cost without a clock.
@usableFromInline package struct DiffCost: Equatable, Sendable {
  /// The number of rows entered into the key table.
  package internal(set) var rowsIndexed: Int
  /// The number of rows looked up, including the rest of each block with a row that did not
  /// continue a run.
  package internal(set) var rowsLookedUp: Int
  /// The number of table rows and diagonals computed to align repeated rows.
  package internal(set) var alignmentSteps: Int
  /// The number of words and tree nodes visited for longest increasing subsequences.
  package internal(set) var searchSteps: Int
  /// The number of pairs of rows whose contents were compared.
  @usableFromInline package internal(set) var contentsCompared: Int

  package init(
    rowsIndexed: Int = 0, rowsLookedUp: Int = 0, alignmentSteps: Int = 0, searchSteps: Int = 0,
    contentsCompared: Int = 0
  ) {
    self.rowsIndexed = rowsIndexed
    self.rowsLookedUp = rowsLookedUp
    self.alignmentSteps = alignmentSteps
    self.searchSteps = searchSteps
    self.contentsCompared = contentsCompared
  }
}
