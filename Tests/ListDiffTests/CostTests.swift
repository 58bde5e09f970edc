import ListDiff
import ListStages
import Testing

@testable import listd_bench

/// Limits counts of work, so that a slower engine fails without a clock.
///
/// Promise: A change takes no more steps, hashes and comparisons than before, and its allocations
///   depend on its kind and not on its rows.
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
      // Repeated rows may need slightly more moves than the minimum.
      #expect(run.rowCounts.moves <= (workload == .i ? least + least / 20 : least))
    }
  }

  /// The number of allocations for a change depends on its stages, not on the number of rows.
  @Test(arguments: Workload.allCases) func allocationsDependOnTheChangeAndNotOnTheRows(
    _ workload: Workload
  ) throws {
    let (old, new) = workload.lists(count: 1_000)
    var run = EngineRun(old, new)
    // The first call also allocates the runtime's type metadata.
    _ = try Allocations.count { _ = run.run() }
    let again = try Allocations.count { _ = run.run() }
    #expect(again > 0)
    #expect(again <= (blocks[workload] ?? 24))
    let list = PublicRun(old, new, id: BenchID.string)
    _ = try Allocations.count { _ = list.run() }
    let once = try Allocations.count { _ = list.run() }
    #expect(once <= (publicBlocks[workload] ?? 120))
  }

  /// A change of few rows needs no tables, and no metadata of key paths for sections.
  @Test(arguments: [
    ([[1, 2]], [[2, 1]], 6), ([[1, 2], [3, 4]], [[2, 1], [4, 3]], 15),
    ([[1, 2], [3, 4]], [[2], [3, 1, 4]], 16), ([[1, 2], [3]], [[2]], 9),
    ([[1, 2, 3]], [[2], [1, 3]], 26), ([[1, 2, 3], []], [[3]], 9), ([[1], [2]], [[1, 2]], 28),
  ])
  func fewRowsTakeFewAllocations(_ old: [[Int]], _ new: [[Int]], _ limit: Int) throws {
    func list(_ rows: [[Int]]) -> WorkloadList {
      WorkloadList(
        sections: rows.enumerated().map { id, rows in
          WorkloadSection(id: id, rows: rows.map { WorkloadRow(id: $0, content: 0) })
        })
    }
    let run = PublicRun(list(old), list(new), id: { $0 })
    _ = try Allocations.count { _ = run.run() }
    let count = try Allocations.count { _ = run.run() }
    #expect(count <= limit)
  }

  @Test func allocationsAreCounted() throws {
    #expect(try Allocations.count { _ = (0..<100).map { [$0] } } >= 100)
    #expect(try Allocations.count {} == 0)
  }

  /// Limits the number of hashes and comparisons of ids by the public interface, per row of both
  /// lists.
  @Test func idsAreHashedOnceAndOnlyIfListsDiffer() {
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

  @Test func nothingIsLookedUpIfTheEndsAreEqual() {
    var old = Arrangement(sections: [0], starts: [0, 1000], rows: Array(1...1000))
    var engine = DiffEngine()
    engine.match(old, old, universe: 1001)
    #expect(DiffCost(of: engine) == DiffCost())
    let new = old
    old.rows.remove(at: 500)
    old.starts[1] = 999
    engine.match(old, new, universe: 1001)
    #expect(DiffCost(of: engine) == DiffCost())
  }
}

/// The limits of each workload at 5,000 rows: the measured counts plus a tenth.
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
    rowsIndexed: 5_000, rowsLookedUp: 2_460, searchSteps: 880, contentsCompared: 4_875),
]

/// The maximum number of allocations of a second change by the same engine at 1,000 rows, if it is
/// not 24: with a hundred sections, and with ids that repeat.
private let blocks: [Workload: Int] = [.h: 100, .i: 60]

/// The maximum number of allocations of one change by the public interface, if it is not 120.
private let publicBlocks: [Workload: Int] = [.h: 450, .i: 180]

/// Counts hashes and comparisons of ids.
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
