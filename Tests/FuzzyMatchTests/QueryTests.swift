import Testing

@testable import FuzzyMatch

/// Parsing of queries into terms. Cases that the description leaves open follow fzf.
@Suite struct QueryTests {
  /// Returns the terms of each set as text: the kind and the characters, with spaces between
  /// alternatives.
  private func terms(_ text: String, _ rule: CaseRule = .smart) -> [String] {
    Query(text, case: rule).sets.map { set in
      set.map { term in
        let kind =
          switch term.kind {
          case .fuzzy: "~"
          case .substring: "="
          case .prefix: "<"
          case .suffix: ">"
          case .equal: "<>"
          }
        let points = String(String.UnicodeScalarView(term.points.map { Unicode.Scalar($0)! }))
        return (term.isNegated ? "!" : "") + kind + points + (term.ignoresCase ? "" : "*")
      }.joined(separator: " ")
    }
  }

  @Test(arguments: [
    ("", []), ("   ", []), ("abc", ["~abc"]), ("  a  b ", ["~a", "~b"]),
    ("'abc ^abc abc$ ^abc$", ["=abc", "<abc", ">abc", "<>abc"]),
    ("!abc !^abc !abc$ !^abc$ !'abc", ["!=abc", "!<abc", "!>abc", "!<>abc", "!~abc"]),
    ("a | b c | d | e", ["~a ~b", "~c ~d ~e"]),
    ("| a", ["~|", "~a"]), ("a |", ["~a"]), ("a | | b", ["~a ~|", "~b"]), ("a|b", ["~a|b"]),
    ("a | ! b", ["~a ~b"]), ("a ! | b", ["~a ~b"]),
    ("! ^ ' $ ^$ !^ !$ '$", ["~$", "!=$"]),
    ("!!a ''a ^^a a$$ '^a ^'a", ["!=!a", "='a", "<^a", ">a$", "=^a", "<'a"]),
    ("'a$ !'a$", ["=a", "!~a"]),
    ("a\\ b", ["~a b"]), ("\\ ", ["~ "]), ("a\\  b", ["~a ", "~b"]), ("a\\\\ b", ["~a\\ b"]),
    ("a\tb", ["~a b"]), ("a\\ | b", ["~a |", "~b"]), ("a\\", ["~a\\"]),
  ])
  func words(_ text: String, _ expected: [String]) {
    let found = terms(text)
    #expect(found == expected, "\(text.debugDescription)")
  }

  @Test func caseOfTerms() {
    #expect(terms("abc Abc ǅ ⓐ Ⓐ") == ["~abc", "~Abc*", "~ǅ*", "~ⓐ", "~ⓐ"])
    #expect(terms("ABC ǅ K", .ignore) == ["~abc", "~ǆ", "~k"])
    #expect(terms("abc", .respect) == ["~abc*"])
    #expect(Query("Straße").match(in: "straße") == nil)
    #expect(Query("straße").match(in: "STRAẞE") != nil)
  }

  @Test func emptyQueriesMatchAll() {
    #expect(Query("  ! ^ ").isEmpty)
    #expect(Query("").match(in: "anything") == Match(score: 0, ranges: [[]]))
  }

  @Test func veryLongQueries() {
    let long = String(repeating: "a", count: 200_000)
    #expect(Query(long).match(in: long)?.ranges == [[0..<200_000]])
    #expect(Query("'" + long).match(in: long)?.ranges == [[0..<200_000]])
    #expect(Query(long + "b").match(in: long) == nil)
    #expect(Query("'" + long + "b").match(in: long) == nil)
    #expect(Query(String(repeating: "a ", count: 50_000)).sets.count == 50_000)
  }
}
