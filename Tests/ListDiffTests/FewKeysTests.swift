import ListDiff
import Testing

@testable import ListStages

/// Pairs rows with a table of few keys and with one of all keys.
@Suite struct FewKeysTests {
  /// The rows are paired by their keys, also if all keys have the same hash, on both sides of the limit.
  @Test(arguments: [1, 2, 40, FewKeys.most, FewKeys.most + 1], [false, true])
  func rowsArePaired(_ count: Int, _ sameHash: Bool) {
    var random = SplitMix(seed: UInt64(count))
    // The factor is the inverse of that of the hash.
    let keys: [UInt32] =
      sameHash && count <= FewKeys.most
      ? (0..<UInt32(2 * count)).map { ($0 &+ 1) &* inverse } : (1...UInt32(2 * count)).map { $0 }
    let old = Array(keys.shuffled(using: &random).prefix(count))
    let new = Array(keys.shuffled(using: &random).prefix(count))
    var engine = DiffEngine()
    engine.match(arrangement(old), arrangement(new), universe: 4 * count)
    let rows = Dictionary(uniqueKeysWithValues: zip(old, 0..<Int32(count)))
    #expect(engine.matching.rowsToOld == new.map { rows[$0] ?? -1 })
  }

  @Test func theKeysHaveTheSameHash() { #expect(inverse &* 0x9E37_79B1 == 1) }

  /// Few rows take no memory for all keys that exist.
  @Test func fewRowsOfManyKeys() {
    var engine = DiffEngine()
    engine.match(arrangement([7, 1_000_000, 3]), arrangement([3, 9, 7]), universe: 2_000_000)
    #expect(engine.matching.rowsToOld == [2, -1, 0])
    #expect(engine.positions.all.isEmpty)
  }

  private func arrangement(_ rows: [UInt32]) -> Arrangement {
    Arrangement(sections: [0], starts: [0, Int32(rows.count)], rows: rows)
  }

  private let inverse: UInt32 = (0..<5).reduce(1) { found, _ in
    found &* (2 &- 0x9E37_79B1 &* found)
  }
}
