import ListState
import Testing

@Suite struct BitSetTests {
  @Test func randomOperationsMatchASet() {
    var random = SeededGenerator(seed: 1)
    for bound in [0, 1, 63, 64, 65, 127, 128, 129, 200] {
      var bits = BitSet(bound: bound)
      var model = Set<Int>()
      for _ in 0..<600 {
        step(&bits, &model, bound: bound, &random)
        bits.checkInvariants()
        #expect(bits.count == model.count)
        #expect(Array(bits.members) == model.sorted())
      }
    }
  }

  private func step(
    _ bits: inout BitSet, _ model: inout Set<Int>, bound: Int, _ random: inout SeededGenerator
  ) {
    let low = Int.random(in: 0...bound, using: &random)
    let range = low..<Int.random(in: low...bound, using: &random)
    let start = Int.random(in: 0...bound, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where bound > 0:
      let member = Int.random(in: 0..<bound, using: &random)
      #expect(bits.remove(member) == (model.remove(member) != nil))
      #expect(!bits.contains(member))
    case 1 where range.count < 20:
      bits.remove(in: range)
      model.subtract(range)
    case 2: #expect(bits.count(in: range) == model.intersection(range).count)
    case 3: #expect(bits.first(from: start) == model.filter { $0 >= start }.min())
    default:
      guard bound > 0 else { return }
      let member = Int.random(in: 0..<bound, using: &random)
      #expect(bits.insert(member) == model.insert(member).inserted)
      #expect(bits.contains(member))
    }
  }

  @Test func subtractionMatchesSets() {
    var random = SeededGenerator(seed: 2)
    for bound in [1, 64, 130] {
      for _ in 0..<50 {
        let one = Set((0..<bound).filter { _ in Bool.random(using: &random) })
        let other = Set((0..<bound).filter { _ in Bool.random(using: &random) })
        var a = BitSet(bound: bound)
        var b = BitSet(bound: bound)
        for member in one { a.insert(member) }
        for member in other { b.insert(member) }
        let rest = a.subtracting(b)
        #expect(Array(rest.members) == one.subtracting(other).sorted())
        #expect(rest.count == one.subtracting(other).count)
      }
    }
  }

  @Test func setsAreEqualIfTheirMembersAre() {
    let empty = BitSet(bound: 100)
    var bits = empty
    bits.insert(70)
    #expect(bits != empty)
    bits.remove(70)
    #expect(bits == empty)
    #expect(bits != BitSet(bound: 101))
    #expect(!empty.contains(70))
    #expect(empty.count(in: 0..<100) == 0)
    bits.checkInvariants()
    empty.checkInvariants()
  }

  @Test func everyRangeIsCountedAndRemoved() {
    for bound in [64, 65, 130] {
      for low in 0...bound {
        for high in low...bound {
          var bits = BitSet(bound: bound)
          for member in 0..<bound { bits.insert(member) }
          let inside = bits.count(in: low..<high)
          bits.remove(in: low..<high)
          guard inside == high - low, bits.count == bound - inside,
            bits.first(from: low) == (high < bound ? high : nil)
          else {
            Issue.record("\(low)..<\(high) of \(bound)")
            return
          }
        }
      }
    }
  }
}
