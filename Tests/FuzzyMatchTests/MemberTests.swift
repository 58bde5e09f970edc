import Testing

@testable import FuzzyMatch
@testable import listd_fuzz

/// Stores of rows with several members beside each row matched alone.
///
/// Promise: The best of a query in any members and any order are those of all rows, matched one by
///   one and sorted. Also `RankedOrderTests`.
@Suite struct MemberTests {
  private struct Ranked {
    let row: Int32
    let score: Int32
    let length: Int
  }

  private static let alphabets = ["ab", "abAB/_- 1", "aé日bÄä K\u{212A}", "message/number 0123"]

  private static func text(_ letters: [Character], _ most: Int, _ random: inout SplitMix) -> String
  {
    String((0..<random.next(below: most)).map { _ in letters[random.next(below: letters.count)] })
  }

  private static func row(_ letters: [Character], _ random: inout SplitMix) -> RowText {
    let most = random.next(below: 40) == 0 ? 700 : 14
    return RowText(
      members: (0...random.next(below: 4)).map { _ in text(letters, most, &random) })
  }

  private static func query(_ letters: [Character], _ random: inout SplitMix) -> Query {
    let signs = ["", "", "", "'", "^", "!", "!'"]
    func term() -> String {
      let word = text(letters.filter { $0 != " " }, 6, &random) + String(letters[0])
      switch random.next(below: 9) {
      case 7: return word + "$"
      case 8: return "'\(word)'"
      case let sign: return signs[sign] + word
      }
    }
    return Query(
      (0...random.next(below: 3)).map { _ in
        random.next(below: 4) == 0 ? term() + " | " + term() : term()
      }.joined(separator: " "))
  }

  @Test(arguments: 0..<8) func theBestAreThoseOfEachRowAlone(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let letters = Array(Self.alphabets[seed % 4])
    var texts = TextStore()
    if seed % 4 == 2 {
      // Characters that are added later share their bytes with these.
      texts.set(0, to: String(String.UnicodeScalarView((0..<130).map { .init(0x4E00 + $0)! })))
    }
    var rows = (0..<300).map { _ in Self.row(letters, &random) as RowText? }
    for (row, text) in rows.enumerated() { texts.set(Int32(row), to: text!) }
    let places = rows.indices.map { Int32($0 * 7 % rows.count) }
    let levels = rows.indices.map { Int32($0 * 11 % 23) }
    for _ in 0..<12 {
      let query = Self.query(letters, &random)
      let expected = rows.enumerated().compactMap { row, text in
        guard let text, let match = query.match(in: text) else { return nil as Ranked? }
        return Ranked(
          row: Int32(row), score: Int32(match.score), length: match.length(in: text))
      }
      let found = texts.ranks(of: query, withLengths: true) {}
      let sorted = zip(found.rows, found.lengths).sorted { $0.0.row < $1.0.row }
      #expect(sorted.map(\.0) == expected.map { RankedRow(row: $0.row, score: $0.score) })
      #expect(sorted.map { Int($0.1) } == expected.map(\.length))
      for choice in 0..<8 {
        let comparesLengths = choice & 1 == 0
        let places = choice & 2 == 0 ? [] : places
        let levels = choice & 4 == 0 ? [] : levels
        func key(_ row: Ranked) -> (Int32, Int32, Int, Int32) {
          (
            levels.isEmpty ? 0 : levels[Int(row.row)], -row.score, comparesLengths ? row.length : 0,
            places.isEmpty ? row.row : places[Int(row.row)]
          )
        }
        let ranked = expected.sorted { key($0) < key($1) }
        let count = [0, 1, 7, 60][random.next(below: 4)]
        let order = RowOrder(levels: levels, comparesLengths: comparesLengths, places: places)
        let best = texts.best(count, of: query, by: order, checking: {})
        #expect(best.count == expected.count)
        #expect(best.rows.map(\.row) == ranked.prefix(count).map(\.row), "\(query)")
        #expect(best.rows.map(\.score) == ranked.prefix(count).map(\.score))
      }
      for _ in 0..<random.next(below: 40) {
        let row = random.next(below: rows.count)
        rows[row] = random.next(below: 3) == 0 ? nil : Self.row(letters, &random)
        if let text = rows[row] {
          texts.set(Int32(row), to: text)
        } else {
          texts.remove(Int32(row))
        }
      }
    }
  }

  /// Lengths are found without matching rows one by one, and the members in which nothing is found cost
  /// no more than their characters.
  @Test(arguments: ["m", "me", "me 7", "'num", "^mess", "e | !x", "7$"])
  func noRowIsMatchedAlone(_ text: String) {
    var (one, both) = (TextStore(), TextStore())
    for row in 0..<Int32(3_000) {
      one.set(row, to: "Message number \(row)")
      both.set(row, to: RowText(members: ["Message number \(row)", "preview \(row * 7 % 10)"]))
    }
    _ = one.best(40, of: Query(text), checking: {})
    let best = both.best(40, of: Query(text), checking: {})
    #expect(best.count > 0 && both.cost.rows == 0)
    #expect(both.cost.steps <= 3 * one.cost.steps, "\(both.cost.steps), \(one.cost.steps)")
  }
}
