import Testing

@testable import FuzzyMatch
@testable import listd_fuzz

/// The counted cost of searches, and stopping them.
@Suite struct SearchTests {
  private static func rows(_ count: Int) -> [String] {
    var random = SplitMix(state: 7)
    let words = ["src", "main", "lib", "config", "test", "swift", "README", "share", "usr", "q"]
    return (0..<count).map { _ in
      (0..<8).map { _ in words[random.next(below: words.count)] }.joined(separator: "/")
    }
  }

  private struct Stopped: Error {}

  @Test func searchesStopAnywhere() throws {
    var texts = TextStore(Self.rows(1_000))
    let before = texts.matches(of: Query("qq"))
    // The rows that this query matches do not help any other.
    func forget() { _ = texts.matches(of: Query("!zz")) }
    forget()
    var checks = 0
    let whole = texts.matches(of: Query("qq src !test | 'swift")) { () throws(Never) in checks += 1
    }
    #expect(checks > 5)
    for last in [1, 2, checks / 2, checks] {
      var rest = last
      forget()
      #expect(throws: Stopped.self) {
        _ = try texts.matches(of: Query("qq src !test | 'swift")) { () throws(Stopped) in
          rest -= 1
          if rest == 0 { throw Stopped() }
        }
      }
      #expect(texts.matches(of: Query("qq")) == before)
    }
    for last in [1, 2] {
      var rest = last
      forget()
      #expect(throws: Stopped.self) {
        _ = try texts.best(
          3, of: Query("srcmain"),
          checking: { () throws(Stopped) in
            rest -= 1
            if rest == 0 { throw Stopped() }
          })
      }
      #expect(texts.matches(of: Query("qq")) == before)
    }
    #expect(texts.matches(of: whole.query) == whole)
  }

  /// Matched rows are copied if they are few, and then the next query scans only their blocks.
  @Test(arguments: [(step: 8, copied: 0, blocks: 100), (step: 20, copied: 80, blocks: 5)])
  func copying(step: Int, copied: Int, blocks: Int) {
    let rows = (0..<1600).map { row in "\(row % step == 0 ? "azz" : "abb")\(1000 + row)" }
    var texts = TextStore(rows)
    for query in ["z", "zz", "azz"] {
      var other = texts
      other.kept = nil
      let found = texts.best(40, of: Query(query), checking: {})
      #expect(texts.cost.copied == (query == "z" ? copied : 0))
      #expect(texts.cost.blocks == (query == "z" ? 100 : blocks))
      #expect(found.count == 1600 / step)
      #expect(found == other.best(40, of: Query(query), checking: {}))
    }
  }

  /// A query that narrows the one before it scans only the blocks with rows that matched.
  @Test func narrowing() {
    func blocks(_ texts: TextStore) -> Int {
      texts.kept!.parts.reduce(0) { $0 + $1.masks.reduce(0) { $0 + $1.blocks } }
    }
    var texts = TextStore(Self.rows(3_000))
    let all = texts.groups.reduce(0) { $0 + $1.blockCount }
    _ = texts.matches(of: Query("qqq"))
    #expect(texts.cost.blocks == all)
    let before = blocks(texts)
    let found = texts.matches(of: Query("qqqs")).count
    #expect(texts.cost.blocks == before && texts.cost.copied <= found)
    #expect(found < 500 && texts.cost.copied > 0)
    var kept = blocks(texts)
    #expect(kept < all / 2)
    for text in ["qqqsr", "qqqsr main", "qqqsr main !lib", "qqqsr main !l"] {
      var other = texts
      let narrowed = texts.matches(of: Query(text))
      #expect(texts.cost.blocks == kept)
      kept = blocks(texts)
      other.set(5_000, to: "")
      let fresh = other.matches(of: Query(text))
      #expect(other.cost.blocks >= all)
      #expect(Set(narrowed.rows) == Set(fresh.rows) && narrowed.count == fresh.count)
    }
    _ = texts.matches(of: Query("qqqs"))
    #expect(texts.cost.blocks == all)
  }

  /// Ceilings for the steps of searches of 3,000 rows of about 40 characters: a tenth more than they
  /// take.
  @Test(arguments: [
    ("c", 16_900), ("src", 50_600), ("main", 67_400), ("'main", 67_400), ("^usr", 40_000),
    ("src !test", 84_100), ("q$ | t$", 48_500), ("zebra", 42_200), ("'main'", 67_400),
  ])
  func ceilings(_ text: String, _ ceiling: Int) {
    var texts = TextStore(Self.rows(3_000))
    _ = texts.matches(of: Query(text))
    #expect(texts.cost.steps <= ceiling, "\(text): \(texts.cost.steps)")
    #expect(texts.cost.steps >= ceiling * 8 / 10, "\(text): \(texts.cost.steps), lower the ceiling")
    #expect(texts.cost.rows == 0)
  }

  /// The same for searches for the best 40: little more than it takes to find the rows that match.
  @Test(arguments: [("src", 26_000), ("main", 35_000), ("srcmain", 75_000), ("'main", 38_000)])
  func ceilingsForTheBest(_ text: String, _ ceiling: Int) {
    var texts = TextStore(Self.rows(3_000))
    _ = texts.best(40, of: Query(text), checking: {})
    #expect(texts.cost.steps <= ceiling, "\(text): \(texts.cost.steps)")
    #expect(texts.cost.steps >= ceiling * 8 / 10, "\(text): \(texts.cost.steps), lower the ceiling")
    #expect(texts.cost.rows == 0)
  }

  /// Queries that users type after one another are recognized if they narrow the one before.
  @Test func narrowingIsRecognized() {
    let narrowing = [
      ("ab", "a"), ("axb", "ab"), ("a b", "b"), ("'abc", "'b"), ("'abc", "ac"), ("^abc", "^ab"),
      ("abc$", "bc$"), ("^ab$", "^a"), ("^ab$", "'b"), ("!a", "!ab"), ("!'ab", "!ab"),
      ("a", "a | b"), ("a | b", "a | b | c"), ("a !b", "a"), ("aB", "ab"), ("!a !b", "!ab"),
      ("a", ""), ("'ab'", "'ab"), ("'ab'", "b"), ("!'ab", "!'ab'"),
    ]
    for (text, wider) in narrowing {
      #expect(Query(text).narrows(Query(wider)), "\(text), \(wider)")
      if wider != "" { #expect(!Query(wider).narrows(Query(text)), "\(wider), \(text)") }
    }
    let other = [
      ("ab", "'ab"), ("ab", "aB"), ("'ab", "^ab"), ("!ab", "!a"), ("a | b", "a"), ("!a", "a"),
      ("'abc'", "'ab'"), ("^ab$", "'ab'"), ("'ab", "'ab'"),
    ]
    for (text, wider) in other {
      #expect(!Query(text).narrows(Query(wider)), "\(text), \(wider)")
    }
  }
}
