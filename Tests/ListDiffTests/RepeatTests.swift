import ListDiff
import ListStages
import Testing

@testable import listd_fuzz

@Suite struct RepeatTests {
  @Test func neverMoreOperationsThanPairingInOrder() throws {
    var random = SplitMix(seed: 21)
    var engine = DiffEngine()
    for _ in 0..<LawTests.rounds / 4 {
      let ids = Int.random(in: 1...20, using: &random)
      let old = ReferenceList.random(ids: ids, repeats: true, using: &random)
      let new = old.mutated(ids: ids, repeats: true, using: &random)
      _ = try ChangeInvariants(old, new, using: &engine)
    }
  }

  @Test func closeToALongestCommonSubsequence() {
    var random = SplitMix(seed: 22)
    var engine = DiffEngine()
    for keys in [2, 5, 50] {
      let old = (0..<400).map { _ in UInt32.random(in: 0..<UInt32(keys), using: &random) }
      var new = old
      for _ in 0..<20 {
        new.remove(at: Int.random(in: 0..<new.count, using: &random))
        new.insert(
          UInt32.random(in: 0..<UInt32(keys), using: &random),
          at: Int.random(in: 0...new.count, using: &random))
      }
      engine.diff(old, new)
      let staying = engine.matching.rowsToOld.count { $0 >= 0 } - engine.movement.rowCounts.moves
      let longest = longestCommon(old, new)
      #expect(staying * 100 >= longest * 98, "\(staying) of \(longest) rows stay, \(keys) keys")
    }
  }

  /// Promise: Of up to 512 rows, of which any may repeat, the fewest possible move.
  @Test(arguments: [1, 63, 64, 65, 128, 300, 512])
  func longestCommonSubsequenceOfShortLists(_ count: Int) {
    var random = SplitMix(seed: UInt64(count))
    var engine = DiffEngine()
    for keys in [2, 20, 200] {
      let old = (0..<count).map { _ in UInt32.random(in: 0..<UInt32(keys), using: &random) }
      let others = (0..<count).map { _ in UInt32.random(in: 0..<UInt32(keys), using: &random) }
      for new in [others, old.reversed(), others + [UInt32(keys)], [UInt32(keys)] + old.dropLast()]
      where new.count <= 512 {
        engine.diff(old, new)
        let staying = engine.matching.rowsToOld.count { $0 >= 0 } - engine.movement.rowCounts.moves
        #expect(staying == longestCommon(old, new), "\(keys) keys")
      }
    }
  }

  @Test(arguments: ["one", "two", "rotated", "reversed", "other"])
  func workIsLinearInTheLength(_ kind: String) {
    var random = SplitMix(seed: 23)
    let count = 10_000
    let old: [UInt32]
    let new: [UInt32]
    switch kind {
    case "one": (old, new) = (Array(repeating: 1, count: count), Array(repeating: 1, count: 9_000))
    case "two":
      old = (0..<count).map { _ in UInt32.random(in: 1...2, using: &random) }
      new = old.shuffled(using: &random)
    case "rotated":
      old = (0..<count).map { _ in UInt32.random(in: 1...1_000, using: &random) }
      new = Array(old[3_000...] + old[..<3_000])
    case "reversed":
      old = (0..<count).map { _ in UInt32.random(in: 1...1_000, using: &random) }
      new = old.reversed()
    default:
      old = (0..<count).map { UInt32($0 / 2) }
      new = (0..<count).map { UInt32(5_000 + $0 / 2) }
    }
    var engine = DiffEngine()
    engine.diff(old, new)
    #expect(engine.alignmentSteps <= 10 * count)
    #expect(engine.searchSteps <= 20 * count)
    if kind == "rotated" { #expect(engine.movement.rowCounts.moves <= 3_100) }
  }

  @Test func manySectionsWithRowsCrossing() throws {
    var random = SplitMix(seed: 24)
    let rows = Array(0..<300).shuffled(using: &random)
    let old = ReferenceList(
      sections: (0..<300).map { ReferenceList.Section(id: $0, rows: [ReferenceList.Row(id: $0)]) })
    let new = ReferenceList(
      sections: (0..<300).shuffled(using: &random).map {
        ReferenceList.Section(id: $0, rows: [ReferenceList.Row(id: rows[$0])])
      })
    var engine = DiffEngine()
    let before = old.arrangement
    let after = new.arrangement
    engine.match(before, after, universe: 2_000)
    engine.findMoves(oldStarts: before.starts, newStarts: after.starts)
    let stages = engine.structuralStages(oldStarts: before.starts, newStarts: after.starts)
    var list = old
    for stage in stages { list = try list.applying(stage, target: new) }
    #expect(list == new)
    #expect(engine.searchSteps <= 300 * 20)
  }

  private func longestCommon(_ a: [UInt32], _ b: [UInt32]) -> Int {
    var row = [Int](repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (index, y) in b.enumerated() {
        let above = row[index + 1]
        row[index + 1] = x == y ? diagonal + 1 : Swift.max(above, row[index])
        diagonal = above
      }
    }
    return row[b.count]
  }
}

extension DiffEngine {
  /// Compares flat lists of keys that repeat.
  mutating func diff(_ old: [UInt32], _ new: [UInt32]) {
    let before = Arrangement(
      sections: [0], starts: [0, Int32(old.count)], rows: old, hasRepeats: true)
    let after = Arrangement(
      sections: [0], starts: [0, Int32(new.count)], rows: new, hasRepeats: true)
    match(before, after, universe: 20_000)
    findMoves(oldStarts: before.starts, newStarts: after.starts)
  }
}
