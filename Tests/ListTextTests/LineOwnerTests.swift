import Testing

@testable import ListText

@Suite("Owners of lines")
struct LineOwnerTests {
  private let text = ModelList("#h/i 1=a/b 2=c .f | 3=d").text

  @Test("Lines of rows")
  func linesOfRows() {
    #expect(text.lineCount == 7)
    #expect((0..<3).map { text.lines(ofRow: $0) } == [2..<4, 4..<5, 6..<7])
    #expect(text.lines(ofRows: 0..<2, inSection: 0) == 2..<5)
    #expect(text.lines(ofRows: 1..<1, inSection: 0) == 4..<4)
    #expect(text.lines(ofRows: 3..<3, inSection: 1) == 7..<7)
    #expect(text.lines(ofRow: 1).lowerBound == 4)
  }

  @Test("Owner of each line")
  func owners() {
    let owners: [LineOwner?] = [
      .header(section: 0), .header(section: 0), .row(0), .row(0), .row(1), .footer(section: 0),
      .row(2), nil,
    ]
    #expect((0..<8).map { text.owner(ofLine: $0) } == owners)
    #expect(text.owner(ofLine: -1) == nil)
    #expect(RenderedText().owner(ofLine: 0) == nil)
  }

  @Test("Lines beside empty sections have the right owners")
  func emptySections() {
    let text = ModelList("| #h | 1=a | | .f |").text
    #expect(
      (0..<3).map { text.owner(ofLine: $0) } == [
        .header(section: 1), .row(0), .footer(section: 4),
      ])
  }
}

@Suite("Rendering")
struct RenderingTests {
  private func rendered(
    _ template: String, _ content: Words, _ marks: RowMarks = RowMarks()
  ) throws -> (text: String, missing: [String]) {
    var builder = TextBuilder()
    var missing: [String] = []
    builder.addHeader(Words?.none, .plain) { _ in }
    builder.addRow(content, try Template(Array(template.utf8)), marks) { lack in
      guard case .missing(let member) = lack else { return }
      missing.append(String(decoding: member, as: UTF8.self))
    }
    builder.addFooter(Words?.none, .plain) { _ in }
    return (String(decoding: builder.finish().bytes, as: UTF8.self), missing)
  }

  @Test("Line breaks of all kinds end lines")
  func lineBreaks() throws {
    let breaks = Words(members: ["v": "a\r\nb\rc\nd\n"])
    #expect(try rendered("{v}", breaks).text == "a\nb\nc\nd\n\n")
    #expect(try rendered("{v}{v}", breaks).text == "a\nb\nc\nd\na\nb\nc\nd\n\n")
    #expect(try rendered("x\r\ny", Words()).text == "x\ny\n")
    #expect(try rendered("", Words()).text == "\n")
  }

  @Test("Selection and cursor choose alternatives")
  func marks() throws {
    let template = "{cursor:>| }{selected:[x]|[ ]}"
    #expect(try rendered(template, Words()).text == " [ ]\n")
    let marks = RowMarks(isSelected: true, hasCursor: true)
    #expect(try rendered(template, Words(), marks).text == ">[x]\n")
  }

  @Test("Missing members are empty and reported")
  func missing() throws {
    let (text, missing) = try rendered("[{a}{b.c}{d}]", Words(members: ["d": "D"]))
    #expect(text == "[D]\n")
    #expect(missing == ["a", "b.c"])
  }

  @Test(
    "Spacing consists of empty lines",
    arguments: [
      (nil, 1, true), ("0", 0, true), ("3", 3, true), ("1000", 1000, true), ("-1", 0, false),
      ("1001", 1000, false), ("x", 1, false),
    ])
  func spacing(_ lines: String?, count: Int, isExact: Bool) {
    var lacks: [ContentIssue] = []
    var builder = TextBuilder()
    builder.addHeader(Words?.none, .plain) { _ in }
    builder.addRow(
      Words(members: lines.map { ["lines": $0] } ?? [:]), .spacing, RowMarks()
    ) { lacks.append($0) }
    #expect(lacks.isEmpty == isExact)
    builder.addFooter(Words?.none, .plain) { _ in }
    let text = builder.finish()
    #expect(text.lineCount == count)
    #expect(text.bytes == Array(repeating: 0x0A, count: count))
    #expect(text.lines(ofRow: 0) == 0..<count)
  }
}
