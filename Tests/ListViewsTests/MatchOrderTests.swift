import ByteBuffers
import FuzzyMatch
import Testing

@testable import ListState
@testable import ListViews

/// The order of matches that is left for later.
@Suite struct MatchOrderTests {
  @Test func itIsStoppedAnywhereAndComputedAgain() throws {
    var texts = MatchTexts([Array("text".utf8)])
    for number in 0..<5_000 {
      let item = SharedBytes(copying: Array(#"{"text":"row \#(number * 7919 % 5003)"}"#.utf8))
      texts.rows.append(item.withBytes { texts.replace([(nil, $0)])[0]! })
    }
    let prepared = texts
    let query = Query("row 1")
    var definition = ViewDefinition(source: [])
    definition.match = ViewMatch(query, in: [Array("text".utf8)])
    definition.sortsByScore = true
    let ranked = try #require(RankedOrder(definition))
    var checks = 0
    let whole = try #require(
      prepared.order(of: query, by: ranked) {
        checks += 1
        return false
      })
    #expect(whole.count > 1_000 && whole.count < 5_000 && checks > 4)
    for last in 1...checks {
      var arrangement = ViewArrangement(first: [], of: whole.count) {
        prepared.order(of: query, by: ranked, isStopped: $0)
      }
      var rest = last
      let isSorted = arrangement.sortAll {
        rest -= 1
        return rest == 0
      }
      #expect(!isSorted)
      #expect(arrangement.order == whole)
    }
  }
}
