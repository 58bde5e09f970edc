import FuzzyMatch
import Testing

/// The examples of the documentation.
@Suite struct ExampleTests {
  private struct Row {
    let number: Int32
    let title: String
    let path: String
  }

  private let paths = ["Sources/listd/main.swift", "Sources/README.md", "src/main.c", "main.py"]

  @Test func aStore() {
    var shown: [String] = []
    func print(_ score: Int32, _ path: String) { shown.append("\(score) \(path)") }
    var texts = TextStore(paths)
    let matches = texts.matches(of: Query("srcmain"))
    for match in texts.best(40, of: matches) { print(match.score, paths[Int(match.row)]) }
    #expect(shown == ["183 src/main.c", "157 Sources/listd/main.swift"])
  }

  @Test func oneText() {
    let match = Query("srcmain .swift$").match(in: "Sources/listd/main.swift")
    #expect(match?.score == 309)
    #expect(Query("srcmain .swift$").match(in: "src/main.c") == nil)
  }

  @Test func members() {
    let rows = [
      Row(number: 4, title: "Entry", path: "Sources/listd/main.swift"),
      Row(number: 7, title: "Guide", path: "README.md"),
    ]
    var texts = TextStore()
    var text = RowText()
    for row in rows {
      text.removeAll()
      text.append(row.title)
      text.endMember()
      text.append(row.path)
      texts.set(row.number, to: text)
    }
    #expect(texts.matches(of: Query("^guide md$")).rows.map(\.row) == [7])
  }
}
