import FuzzyMatch

/// Calls everything in `FuzzyMatch`.
func callMatch() throws {
  let query = Query("srcmain")
  let text = "src/main.swift"
  guard let match = query.match(in: text) else { return expect(false, "a match") }
  expect(match.score > 0 && match.ranges == [[0..<3, 4..<8]], "scores and ranges")
  expect(match.ranges(in: text).map { text[$0] } == ["src", "main"], "ranges of a text")
  expect(Query("", case: .smart).isEmpty && !query.isEmpty, "an empty query")
  expect(Query("a", case: .ignore).match(in: "A") != nil, "any case")
  expect(Query("a", case: .respect).match(in: "A") == nil, "this case")
  rows(query)
  try store(query)
}

private func rows(_ query: Query) {
  var row = RowText()
  row.append("src/mäi")
  row.append("n" as Unicode.Scalar)
  row.endMember()
  Array("main".utf8).withUnsafeBufferPointer { row.append(utf8: $0.span) }
  expect(row.memberCount == 2 && row.string(ofMember: 1) == "main", "a row by members")
  expect(row.string() == "src/mäin", "the first member")
  expect(row.convert([5..<7], to: .utf8) == [5..<8], "offsets in UTF-8")
  expect(row.convert([5..<7], ofMember: 0, to: .utf16) == [5..<7], "offsets in UTF-16")
  expect(row.convert([5..<7], to: .utf32) == [5..<7], "offsets in scalars")
  row.removeAll()
  expect(row == RowText(), "an empty row")
  let both = RowText(members: ["src", "main"])
  expect(query.match(in: RowText("src/main"))?.ranges.count == 1, "a row of one member")
  expect(Query("main").match(in: both)?.ranges.count == 2, "ranges of both members")
}

private func store(_ query: Query) throws {
  var texts = TextStore(["README.md", "src/main.swift", "src/lib/main.c"])
  let matches = texts.matches(of: query)
  expect(matches.count == 2 && matches.query == query, "matches")
  expect(Set(matches.rows.map(\.row)) == [1, 2], "the rows that match")
  let best = texts.best(1, of: matches)
  expect(
    best.map(\.row) == [1] && best.map { Int($0.score) } == [texts.score(query, row: 1)], "the best"
  )
  expect(texts.best(2, of: matches, precedes: >).count == 2, "another order of equal scores")
  expect(texts.match(query, row: 1)?.score == texts.score(query, row: 1), "a match of a row")
  expect(texts.length(of: 1, matching: query) == 14, "a length")
  texts.set(0, to: "src/main")
  texts.set(7, to: RowText("main"))
  expect(texts.text(of: 7)?.string() == "main" && texts.contains(7), "a new row")
  expect(texts.remove(7) && !texts.contains(7) && texts.count == 3, "a removed row")
  expect(TextStore().count == 0, "an empty store")
  stopped()
}

private func stopped() {
  struct Stop: Error {}
  var texts = TextStore((0..<50_000).map { "\($0) of a long list of names" })
  do throws(Stop) {
    _ = try texts.matches(of: Query("lonam")) { () throws(Stop) in throw Stop() }
    expect(false, "a search that is stopped")
  } catch { expect(texts.matches(of: Query("lonam")).count == 50_000, "the store as it was") }
}
