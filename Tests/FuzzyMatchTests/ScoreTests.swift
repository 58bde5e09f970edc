import Testing

@testable import FuzzyMatch
@testable import listd_fuzz

/// The formula of the score. No alignment has a higher score than the one that is found.
///
/// Promise: A query matches as documented, with the highest score and the first positions that have
///   it. Also `Tests/FuzzyMatchTests/StoreTests.swift`, `Sources/listd-fuzz/Matching`.
@Suite struct ScoreTests {
  private func score(_ query: String, _ text: String) -> Int? {
    Query(query).match(in: text)?.score
  }

  @Test func theFormula() {
    // 16 for a character, 10 for the start, which counts twice for the first character.
    #expect(score("a", "a") == 36)
    // A run carries 9 after 10; a higher bonus of a character counts instead.
    #expect(score("ab", "ab") == 36 + 25)
    #expect(score("a/", "a/") == 36 + 25)
    // A gap costs 3, and 1 for each further character.
    #expect(score("ac", "abc") == 36 - 3 + 16)
    #expect(score("ad", "abcd") == 36 - 4 + 16)
    // After a delimiter 9, after another sign 8, at a hump or a first digit 7.
    #expect(score("b", "a/b") == 16 + 18)
    #expect(score("b", "a-b") == 16 + 16)
    #expect(score("b", "aB") == 16 + 14)
    #expect(score("1", "a1") == 16 + 14)
    #expect(score("2", "a12") == 16)
    // A run carries 4 at least, 8 after 7 or 8.
    #expect(score("bc", "abc") == 16 + 16 + 4)
    #expect(score("bc", "aBc") == 16 + 14 + 16 + 8)
    #expect(score("'bc", "abc aBc") == 16 + 14 + 16 + 8)
    // The score is the sum over terms. A negated term counts 0.
    #expect(score("a b !c", "a b") == 72)
    #expect(score("a | b", "xa b") == 36)
    #expect(score("x | !c", "a b") == 0)
    // A whole word counts the bonus of its first character, and less beside an underscore.
    #expect(["ab", "/ab", "-ab"].map { score("'ab'", $0) } == [62 + 10, 62 + 9, 62 + 8])
    #expect(["_ab", "ab_", "_ab_"].map { score("'ab'", $0) } == [62 + 6, 62 + 7, 62 + 5])
    #expect(score("'ab'", "_ab -ab x") == 62 + 8)
    // Skipped white space is like the start.
    #expect(score("^ab$", " ab ") == score("^ab$", "ab"))
    // A gap may cost more than the matched characters count.
    #expect(score("ab", "a" + String(repeating: "x", count: 100) + "b") == 36 - 3 - 99 + 16)
  }

  /// For all texts of up to five characters and all terms of up to three every alignment is scored.
  @Test(arguments: [0, 1, 2, 3]) func everyAlignment(_ first: Int) throws {
    let characters = Array("aB/1".unicodeScalars)
    let letters = Array("ab/".unicodeScalars)
    func words(_ alphabet: [Unicode.Scalar], _ longest: Int) -> [[Unicode.Scalar]] {
      var all: [[Unicode.Scalar]] = [[]]
      var last = all
      for _ in 0..<longest {
        last = last.flatMap { word in alphabet.map { word + [$0] } }
        all += last
      }
      return all
    }
    let terms = words(letters, 3).dropFirst().map { letters in
      (letters, Query(String(String.UnicodeScalarView(letters)), case: .ignore))
    }
    var compared = 0
    for rest in words(characters, 4) {
      let text = [characters[first]] + rest
      let row = RowText(String(String.UnicodeScalarView(text)))
      for (letters, query) in terms {
        let reference = ReferenceQuery.Term(text: letters, ignoresCase: true)
        var best: (Int, [Int])?
        forEachAlignment(of: reference, in: text) { positions in
          let score = ReferenceQuery.Term.score(positions, in: text)
          if score > best?.0 ?? .min { best = (score, positions) }
          compared += 1
        }
        let match = query.match(in: row)
        let positions = match?.ranges[0].flatMap { Array($0) }
        if match?.score != best?.0 || positions != best?.1 {
          Issue.record("\(query) \(text): \(String(describing: match)), not \(best as Any)")
        }
      }
    }
    #expect(compared > 2_000)
  }

  /// Calls `body` with all alignments, in the order of their positions.
  private func forEachAlignment(
    of term: ReferenceQuery.Term, in text: [Unicode.Scalar], _ body: ([Int]) -> Void
  ) {
    func extend(_ positions: [Int]) {
      if positions.count == term.text.count { return body(positions) }
      for position in text.indices.dropFirst((positions.last ?? -1) + 1)
      where term.isSame(text[position], term.text[positions.count]) {
        extend(positions + [position])
      }
    }
    extend([])
  }

  /// A term and a text too long for all alignments to be compared have the shortest alignment that ends
  /// first.
  @Test func veryLongTexts() {
    let text = String(repeating: "xa", count: 300_000) + "b"
    #expect(
      Query("aaab").match(in: text)?.ranges == [
        [
          599_995..<599_996, 599_997..<599_998,
          599_999..<600_001,
        ]
      ])
    #expect(Query("'xa").match(in: text)?.ranges == [[0..<2]])
  }
}
