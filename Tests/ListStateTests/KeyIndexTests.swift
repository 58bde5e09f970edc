import Testing

@testable import ListState

@Suite struct KeyIndexTests {
  @Test(arguments: 0..<4)
  func randomKeysAreFound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let hasRepeats = random.below(2) == 0
      // A table of few keys is dense, one of few among many keys is sparse.
      let universe = [80, 1_000_000][random.below(2)]
      var keys = (0..<random.below(60)).map { _ in UInt32(random.below(universe)) }
      if !hasRepeats { keys = Array(Set(keys)).sorted() }
      let index = KeyIndex(keys, hasRepeats: hasRepeats, universe: universe)
      index.checkInvariants(of: keys)
      for key in keys + [UInt32(universe - 1)] {
        let expected = keys.indices.filter { keys[$0] == key }
        #expect(index.items(withKey: key) == expected)
        for occurrence in 0...expected.count {
          let item = occurrence < expected.count ? expected[occurrence] : nil
          #expect(index.item(withKey: key, occurrence: occurrence) == item)
        }
      }
    }
  }
}
