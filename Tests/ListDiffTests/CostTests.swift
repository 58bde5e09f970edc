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

  /// What is needed anew for each change: its stages and what leads to them, by kind and not by row.
  @Test(arguments: Workload.allCases) func memoryIsAskedForByTheChange(
    _ workload: Workload
  ) throws {
    let (old, new) = workload.lists(count: 1_000)
    var run = EngineRun(old, new)
    // The first count asks for what the runtime keeps of types, whatever workload it is of.
    _ = try Allocations.count { _ = run.run() }
    let again = try Allocations.count { _ = run.run() }
    #expect(again > 0)
    #expect(again <= (blocks[workload] ?? 24))
    let list = PublicRun(old, new, id: BenchID.string)
    _ = try Allocations.count { _ = list.run() }
    let once = try Allocations.count { _ = list.run() }
    #expect(once <= (publicBlocks[workload] ?? 120))
  }

  @Test func blocksAreCounted() throws {
    #expect(try Allocations.count { _ = (0..<100).map { [$0] } } >= 100)
    #expect(try Allocations.count {} == 0)
  }

  /// How often the public interface asks for hashes and comparisons of ids, by row of both lists.
  @Test func idsAreHashedOnceAndOnlyWhereListsDiffer() {
    let tally = Tally()
    let old = (0..<1_000).map { CountedID(number: $0, tally: tally) }
    func change(_ new: [CountedID]) -> (hashes: Int, comparisons: Int) {
      tally.hashes = 0
      tally.comparisons = 0
      _ = Changes(from: old, to: new, id: { $0 }, sameContent: { _, _ in true })
      return (tally.hashes, tally.comparisons)
    }
    #expect(change(old) == (0, 1_000))
    let inserted = change(old[..<500] + [CountedID(number: 1_000, tally: tally)] + old[500...])
    #expect(inserted.hashes == 0)
    #expect(inserted.comparisons <= 1_010)
    let moved = change([old[999]] + old[..<999])
    #expect(moved.hashes <= 1_001)
    #expect(moved.comparisons <= 2_020)
    var random = SplitMix(seed: 5)
    let shuffled = change(old.shuffled(using: &random))
    #expect(shuffled.hashes <= 2_000)
    #expect(shuffled.comparisons <= 1_100)
    let replaced = change((1_000..<2_000).map { CountedID(number: $0, tally: tally) })
    #expect(replaced.hashes <= 2_000)
    #expect(replaced.comparisons <= 100)
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
    rowsIndexed: 5_000, rowsLookedUp: 5_000, searchSteps: 185, contentsCompared: 4_500),
  .b: DiffCost(contentsCompared: 5_000),
  .c: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 26, searchSteps: 5, contentsCompared: 5_000),
  .c2: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 26, searchSteps: 5, contentsCompared: 5_000),
  .d: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 5_000, searchSteps: 10_200, contentsCompared: 5_000),
  .e: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 5_000, contentsCompared: 5_000),
  .f: DiffCost(contentsCompared: 5_000),
  .g: DiffCost(rowsIndexed: 5_000, rowsLookedUp: 5_000),
  .k: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 800, searchSteps: 400, contentsCompared: 4_988),
  .i: DiffCost(alignmentSteps: 5_000, searchSteps: 1_200, contentsCompared: 4_742),
  .h: DiffCost(
    rowsIndexed: 5_000, rowsLookedUp: 2_460, searchSteps: 770, contentsCompared: 4_875),
]

/// The blocks that a second change through the same engine may ask for at 1,000 rows, where that is
/// not 24: with a hundred sections, and with ids that repeat.
private let blocks: [Workload: Int] = [.h: 100, .i: 60]

/// The blocks that one change through the public interface may ask for, where that is not 120.
private let publicBlocks: [Workload: Int] = [.h: 450, .i: 180]

/// Counts what is done with ids.
private final class Tally {
  var hashes = 0
  var comparisons = 0
}

private struct CountedID: Hashable {
  let number: Int
  let tally: Tally

  static func == (a: CountedID, b: CountedID) -> Bool {
    a.tally.comparisons += 1
    return a.number == b.number
  }

  func hash(into hasher: inout Hasher) {
    tally.hashes += 1
    hasher.combine(number)
  }
}
