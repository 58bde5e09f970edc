/// Computes changes between arrangements in scratch memory that it keeps from one to the next.
///
/// The order of work: pair sections and rows (``matching``), find the fewest moves
/// (``movement``), then tell both as stages. Each step reads what the one before has left.
package struct DiffEngine: ~Copyable {
  /// Who is who, of the last pair of arrangements given to ``match(_:_:universe:)``.
  package internal(set) var matching = Matching()

  /// Who moves, of the last pair of arrangements.
  package internal(set) var movement = Movement()

  /// How much was done since the engine was made, for tests of cost.
  package internal(set) var cost = DiffCost()

  /// By old row how many rows it stands for, where rows stand for several; else empty. The fewest
  /// of those move.
  package var rowWeights: [Int32] = []

  /// Whether ``movement`` is already that of ``matching``, found on the way to choosing it.
  var movesAreFound = false

  var places = KeyTable()
  var repeats = RepeatTables()
  var increasing = IncreasingSubsequence()
  var kept = KeptRuns()
  var keptSections = KeptSections()

  /// By new section: how many of its rows were in it before.
  var keptInSection: [Int32] = []

  /// Whether a change is not wanted any more; asked now and then. What is found then means nothing.
  package var isStopped: () -> Bool = { false }

  package init() {}

  /// Pairs the sections and the rows of two arrangements whose keys are below `universe`.
  ///
  /// Where these are items that show as several rows or none, `shown` says which: then of the ways to
  /// pair repeated items that one is taken for which the fewest of the rows shown move.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows and sections on both sides; with
  ///   repeated keys O(*n* log *n*).
  package mutating func match(
    _ old: Arrangement, _ new: Arrangement, universe: Int,
    shown: (old: ItemRows?, new: ItemRows?) = (nil, nil)
  ) {
    movesAreFound = false
    places.reserve(universe: universe)
    matchSections(old, new)
    if old.hasRepeats || new.hasRepeats {
      matchRepeatedRows(old, new, shown)
    } else {
      matchDistinctRows(old, new)
    }
  }
}

/// Work counted, so that a test can hold a ceiling without a clock.
package struct DiffCost: Hashable, Sendable {
  /// Rows entered into the table of places.
  package var rowsIndexed: Int
  /// Rows looked up, with the others of their blocks that did not go on with a run.
  package var rowsLookedUp: Int
  /// Rows of tables and diagonals computed to align rows that repeat.
  package var alignmentSteps: Int
  /// Words and nodes looked at for longest increasing subsequences.
  package var searchSteps: Int
  /// Pairs of rows whose contents were compared.
  package var contentsCompared: Int

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
