import FuzzyMatch

/// A store and a copy of the texts in it.
struct CheckedRows {
  /// A difference between the store and a simple search.
  struct Difference: Error, CustomStringConvertible {
    let query: String
    let description: String

    init(_ query: String, _ what: String) {
      self.query = query
      description = "\(query.debugDescription): \(what)"
    }
  }

  private(set) var store = TextStore()
  private(set) var texts: [Int32: [[Unicode.Scalar]]] = [:]

  mutating func set(_ row: Int32, _ members: [[Unicode.Scalar]]) {
    texts[row] = members
    store.set(row, to: RowText(members: members.map(Self.string)))
  }

  mutating func remove(_ row: Int32) {
    let wasThere = store.remove(row)
    precondition(wasThere == (texts.removeValue(forKey: row) != nil))
  }

  /// Searches, and compares the result with that of a simple search.
  mutating func search(_ text: String, _ rule: CaseRule, count: Int) throws(Difference) {
    let query = Query(text, case: rule)
    let reference = ReferenceQuery(text, rule: rule.rawValue)
    func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws(Difference) {
      if !condition { throw Difference(text, what()) }
    }
    try expect(query.isEmpty == reference.sets.isEmpty, "the terms differ")
    try expect(store.count == texts.count, "the number of rows differs")
    // With what the search before has kept, and with what this one keeps.
    let bestBefore = store.best(count, of: query, checking: {})
    let matches = store.matches(of: query)
    let bestAfter = store.best(count, of: query, checking: {})
    var expected: [Int32: ReferenceQuery.Found] = [:]
    for (row, members) in texts { expected[row] = reference.find(in: members) }
    var scores: [Int32: Int] = [:]
    for match in matches.rows { scores[match.row] = Int(match.score) }
    try expect(scores.count == matches.count, "a row is found twice")
    let expectedScores = expected.mapValues(\.score)
    try expect(scores == expectedScores, "\(scores), not \(expectedScores)")
    let best = store.best(count, of: matches).map(\.row)
    let expectedBest = Array(ranked(expected).prefix(count))
    try expect(best == expectedBest, "best \(best), not \(expectedBest)")
    for best in [bestBefore, bestAfter] {
      try expect(best.count == matches.count, "\(best.count) matches, not \(matches.count)")
      let expected = expectedBest.map { RankedRow(row: $0, score: Int32(scores[$0]!)) }
      try expect(best.rows == expected, "best alone \(best.rows), not \(expected)")
    }
    for (row, members) in texts {
      let text = RowText(members: members.map(Self.string))
      try expect(store.text(of: row) == text, "the text of \(row)")
      let match = store.match(query, row: row)
      let positions = match?.ranges.map { Set($0.flatMap { Array($0) }) }
      let found = expected[row]
      try expect(match?.score == found?.score, "\(row): \(String(describing: match))")
      let score = store.score(query, row: row)
      try expect(score == found?.score, "the score of \(row): \(String(describing: score))")
      try expect(positions == found?.positions, "\(row): \(String(describing: match))")
      for ranges in match?.ranges ?? [] {
        let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
        try expect(areApart, "\(ranges)")
      }
    }
  }

  /// All rows that are found, best first.
  private func ranked(_ found: [Int32: ReferenceQuery.Found]) -> [Int32] {
    func key(_ row: Int32) -> (Int, Int, Int32) {
      guard let found = found[row], let members = texts[row] else { return (0, 0, row) }
      let lengths = zip(found.positions, members).map { $0.isEmpty ? 0 : $1.count }
      return (-found.score, lengths.reduce(0, +), row)
    }
    return found.keys.sorted { key($0) < key($1) }
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
