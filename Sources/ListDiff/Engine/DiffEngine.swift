/// Computes changes between lists of keys, in scratch memory that is reused from one change to the
/// next.
///
/// The steps are: pair sections and rows (``matching``), find the fewest moves (``movement``), and
/// encode both as stages. Each step reads the result of the previous one.
package struct DiffEngine: ~Copyable {
  /// The pairs of sections and rows.
  package var matching: Matching

  /// The sections and rows that move, of the last pair of lists.
  package var movement: Movement

  /// By old row, the number of rows that it stands for, and likewise by old section. Empty if each stands for itself.
  /// The weights of what moves are minimized.
  package var weights: (rows: [Int32], sections: [Int32])

  /// Whether ``movement`` already belongs to ``matching``, because choosing the matching computed
  /// it.
  package var movesAreFound: Bool

  /// By key, its old position, which may be any number if the key is not in the list: compare the key at that
  /// position. And the slots of a table of few keys.
  package var positions: (all: [Int32], few: [Int32])

  /// By key, the number of rows that have it; and the first old row in the queue of unpaired rows, and by row, the
  /// next row in its queue. `-1` ends a queue.
  var oldCounts: [Int32]
  var newCounts: [Int32]
  var queueHead: [Int32]
  var queueNext: [Int32]
  /// The old and the new rows that had no partner when the current step began.
  var unpairedOld: [Int32]
  var unpairedNew: [Int32]
  var windows: WindowTable
  var band: BandAlignment
  var blocks: BlockAlignment

  var increasing: IncreasingSubsequence
  /// The kept rows of a section that are out of order, in their new order.
  var homeRuns: [MatchedRun]
  /// The kept sections in their new order, as old indices, with the weight of keeping each in place.
  var keptSections: [WeightedNumber]

  /// Returns whether the change is no longer needed. Called from time to time; if it returns true,
  /// the result is meaningless.
  package var isStopped: () -> Bool

  /// For cost tests, since the engine was created: the numbers of rows entered into a table of keys, of those looked
  /// up, including the rest of each block with a row that did not continue a run, and of pairs of rows whose
  /// contents were compared.
  package var cost: (indexed: Int, lookedUp: Int, compared: Int)

  /// The number of table rows and diagonals computed to align repeated rows.
  package var alignmentSteps: Int { band.steps + blocks.steps }

  /// The number of words and tree nodes visited for longest increasing subsequences.
  package var searchSteps: Int { increasing.searchSteps }

  // Values that properties have by default would be functions of the library.
  package init() {
    (matching, movement, cost) = (Matching(), Movement(), (0, 0, 0))
    (weights, positions) = (([], []), ([], []))
    movesAreFound = false
    (oldCounts, newCounts, queueHead, queueNext, unpairedOld, unpairedNew) = (
      [], [], [], [], [], []
    )
    windows = WindowTable()
    band = BandAlignment()
    blocks = BlockAlignment()
    increasing = IncreasingSubsequence()
    (homeRuns, keptSections) = ([], [])
    isStopped = { false }
  }
}

/// The index of each section's first row, followed by the number of rows, and the keys of the rows of all sections.
/// Rows are the same item if and only if their keys are equal.
package typealias KeyedRows = (starts: [Int32], rows: [UInt32])

/// The starts of the old and of the new sections, counted in the rows that items show as, and a function that
/// matches these rows and returns the matching of the items.
package typealias ShownRows = (
  oldStarts: [Int32], newStarts: [Int32], match: (inout DiffEngine) -> Matching
)
