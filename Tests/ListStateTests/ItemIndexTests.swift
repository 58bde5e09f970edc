import Testing

@testable import ListState

@Suite struct ItemIndexTests {
  @Test(arguments: 0..<4)
  func itemsAreFoundByKeyAndOccurrence(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var keyIndices = LastKeyIndices()
    let ids = IDTable()
    for _ in 0..<100 {
      let hasRepeats = random.below(2) == 0
      let universe = [80, 100_000][random.below(2)]
      var keys = (0..<random.below(60)).map { _ in UInt32(random.below(universe)) }
      if !hasRepeats { keys = Array(Set(keys)).sorted() }
      var snapshot = Snapshot()
      snapshot.arrangement.rows = keys
      snapshot.arrangement.hasRepeats = hasRepeats
      // Keys are recorded for many references only.
      for count in [1, 20] {
        let index = ItemIndex(
          of: snapshot, forReferences: count, isComposite: false, &keyIndices, ids)
        for key in keys + [UInt32(universe)] {
          let wanted = [key, keys.first ?? 0]
          let expected = keys.indices.filter { wanted.contains(keys[$0]) }
          for occurrence in 0...expected.count {
            let item = occurrence < expected.count ? expected[occurrence] : nil
            #expect(
              index.item(Array(Set(wanted)), occurrence: occurrence, keyIndices) == item)
          }
        }
      }
    }
  }
}
