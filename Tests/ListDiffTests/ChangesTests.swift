import ListDiff
import ListStages
import Testing

@testable import listd_fuzz

@Suite struct ChangesTests {
  @Test(arguments: [false, true]) func stagesSequenceAndInverseGiveTheOtherList(
    repeats: Bool
  ) throws {
    var random = SplitMix(seed: repeats ? 12 : 11)
    for round in 0..<LawTests.rounds / 8 {
      let ids = Int.random(in: 1...14, using: &random)
      let old = ReferenceList.random(ids: ids, repeats: repeats, using: &random)
      let new = old.mutated(ids: ids + 3, repeats: repeats, using: &random)
      do {
        try StepInvariants.check(old, new)
      } catch {
        Issue.record("round \(round): \(error)\nfrom \(old)\nto   \(new)")
        return
      }
    }
  }

  @Test func sequenceOfALongList() throws {
    var random = SplitMix(seed: 13)
    let old = ReferenceList(flat: 0..<5_000)
    let new = ReferenceList(flat: (300..<5_300).shuffled(using: &random))
    let changes = Changes(
      from: old.rows.map(StepInvariants.Item.init), to: new.rows.map(StepInvariants.Item.init))
    let played = try old.playing(
      changes.sequence, StageInsertions.ofStages(changes.stages), target: new)
    #expect(played == new)
  }
}
