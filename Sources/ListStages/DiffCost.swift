import ListDiff

/// Counts of work, so that a test can limit the cost without a clock.
package struct DiffCost: Equatable, Sendable {
  package let rowsIndexed: Int
  package let rowsLookedUp: Int
  package let alignmentSteps: Int
  package let searchSteps: Int
  package let contentsCompared: Int

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

  /// Creates the counts of an engine.
  package init(of engine: borrowing DiffEngine) {
    self.init(
      rowsIndexed: engine.cost.indexed, rowsLookedUp: engine.cost.lookedUp,
      alignmentSteps: engine.alignmentSteps, searchSteps: engine.searchSteps,
      contentsCompared: engine.cost.compared)
  }
}
