import ListDiff
import Testing

@testable import listd_bench

/// Work is counted, so that a slower engine fails without a clock.
@Suite struct CostTests {
  @Test(arguments: Workload.allCases) func workloadsOfFiveThousandRows(_ workload: Workload) {
    let (old, new) = workload.lists(count: 5_000)
    var run = EngineRun(old, new)
    _ = run.run()
    let ceiling = ceilings[workload] ?? DiffCost()
    #expect(run.cost.rowsIndexed <= ceiling.rowsIndexed)
    #expect(run.cost.rowsLookedUp <= ceiling.rowsLookedUp)
    #expect(run.cost.searchSteps <= ceiling.searchSteps)
    #expect(run.cost.contentsCompared <= ceiling.contentsCompared)
    #expect(run.cost.alignmentSteps <= ceiling.alignmentSteps)
    if let least = LeastMoves.of(old, new, workload) {
      // Of repeated rows a few more than necessary may move.
      #expect(run.rowCounts.moves <= (workload == .i ? least + least / 20 : least))
    }
  }

  @Test func nothingIsLookedUpWhereTheEndsAreEqual() {
    var old = Arrangement(sections: [0], starts: [0, 1000], rows: Array(1...1000))
    var engine = DiffEngine()
    engine.match(old, old, universe: 1001)
    #expect(engine.cost == DiffCost())
    let new = old
    old.rows.remove(at: 500)
    old.starts[1] = 999
    engine.match(old, new, universe: 1001)
    #expect(engine.cost == DiffCost())
  }
}

/// What each workload may cost at 5,000 rows: what it does, and a tenth.
private let ceilings: [Workload: DiffCost] = [
  .a: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 820, searchSteps: 185, contentsCompared: 4_500),
  .b: DiffCost(contentsCompared: 5_000),
  .c: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 2, searchSteps: 5, contentsCompared: 5_000),
  .c2: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 1, searchSteps: 5, contentsCompared: 5_000),
  .d: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 5_000, searchSteps: 10_200, contentsCompared: 5_000),
  .e: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 5_000, contentsCompared: 5_000),
  .f: DiffCost(contentsCompared: 5_000),
  .g: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 5_000),
  .k: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 40, searchSteps: 400, contentsCompared: 4_988),
  .i: DiffCost(alignmentSteps: 14_900, searchSteps: 1_200, contentsCompared: 4_742),
  .h: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 320, searchSteps: 770, contentsCompared: 4_875),
]
