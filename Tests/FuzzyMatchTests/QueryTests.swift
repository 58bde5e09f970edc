import Testing

@testable import FuzzyMatch

/// Parsing of queries into terms. Cases that the description leaves open follow fzf.
@Suite struct QueryTests {
  /// Returns the terms of each set as text: the kind and the characters, with spaces between
  /// alternatives.
  private func terms(
    _ text: String, _ rule: CaseRule = .smart, isExact: Bool = false
  ) -> [String] {
    Query(text, case: rule, isExact: isExact).sets.map { set in
      set.map { term in
        let kind =
          switch term.kind {
          case .fuzzy: "~"
          case .substring: "="
          case .word: "=="
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
    ("'ab' !'ab' 'a'$ ''' '' 'a'b ^'a'", ["==ab", "!==ab", "==a", "=='", "='", "=a'b", "<'a'"]),
    ("a\\ b", ["~a b"]), ("\\ ", ["~ "]), ("a\\  b", ["~a ", "~b"]), ("a\\\\ b", ["~a\\ b"]),
    ("a\tb", ["~a b"]), ("a\\ | b", ["~a |", "~b"]), ("a\\", ["~a\\"]),
  ])
  func words(_ text: String, _ expected: [String]) {
    let found = terms(text)
    #expect(found == expected, "\(text.debugDescription)")
  }

  @Test func exactTerms() {
    let found = terms("abc 'abc ^abc abc$ !abc !'abc 'abc' a | 'b", isExact: true)
    #expect(found == ["=abc", "~abc", "<abc", ">abc", "!=abc", "!~abc", "==abc", "=a ~b"])
    #expect(Query("ac", isExact: true).match(in: "abc") == nil)
  }

  /// A whole word has no letter or number beside it.
  @Test func wholeWords() {
    let query = Query("'ab'")
    for text in ["ab", "x ab", "ab-x", "/ab.", "x_ab_x", "xab ab", "é—ab»é", "aAB,aB;x ab"] {
      #expect(query.match(in: text) != nil, "\(text)")
      #expect(Query("!'ab'").match(in: text) == nil, "\(text)")
    }
    for text in ["", "xab", "abx", "ab1", "éab", "abé", "日ab", "x abx ab2 3ab"] {
      #expect(query.match(in: text) == nil, "\(text)")
      #expect(Query("!'ab'").match(in: text) != nil, "\(text)")
    }
    #expect(query.match(in: "abab ab-ab")?.ranges == [[5..<7]])
    // Signs at the ends of the term are not boundaries themselves.
    #expect(Query("'-a-'").match(in: "--a--") != nil)
    #expect(Query("'-a-'").match(in: "x-a- -a-x") == nil)
    #expect(Query("'\\ a\\ '").match(in: "x a x  a ")?.ranges == [[6..<9]])
    let row = RowText(members: ["x", "ab", "x"])
    #expect(query.match(in: row)?.ranges == [[], [0..<2], []])
  }

  /// White space at the ends of a text is skipped unless the term has it.
  @Test func spaceAtTheEnds() {
    let space = " \t\u{A0}\u{2003}"
    for (text, query) in [
      (space + "ab", "^a"), ("ab" + space, "b$"), (space + "ab" + space, "^ab$"),
      ("  ab", "^\\ \\ a"), ("ab ", "b\\ $"), ("  ab  ", "^\\ \\ ab$"),
    ] {
      #expect(Query(query).match(in: text) != nil, "\(query) \(text.debugDescription)")
    }
    for (text, query) in [
      ("  ab", "^\\ a"), ("ab  ", "b\\ \\ \\ $"), (" x ab", "^a"), ("ab x ", "b$"),
      (" ab x", "^ab$"), ("ab ", "^ab\\ \\ $"), ("  ", "^a$"), ("", "^a$"),
    ] {
      #expect(Query(query).match(in: text) == nil, "\(query) \(text.debugDescription)")
    }
    #expect(Query("^a").match(in: space + "ab")?.ranges == [[4..<5]])
    let row = RowText(members: [" x ", " ab ", "a"])
    #expect(Query("b$").match(in: row)?.ranges == [[], [2..<3], []])
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
