import Testing

@testable import ListState

@Suite struct BitSetTests {
  @Test func isASetOfIntegers() {
    var random = SeededGenerator(seed: 2)
    for bound in [1, 63, 64, 65, 200] {
      var bits = BitSet(bound: bound)
      var model = Set<Int>()
      for _ in 0..<2 * bound {
        #expect((0..<bound).allSatisfy { bits.contains($0) == model.contains($0) })
        let member = Int.random(in: 0..<bound, using: &random)
        #expect(bits.insert(member) == model.insert(member).inserted)
      }
    }
  }
}
