import Testing

@testable import ListText

@Suite("Templates")
struct TemplateTests {
  private func pieces(_ source: String) throws(TemplateError) -> [Template.Piece] {
    try Template(Array(source.utf8)).pieces
  }

  private func words(_ text: String) -> Template.Piece { .words(Array(text.utf8)) }
  private func member(_ name: String) -> Template.Piece { .member(Array(name.utf8)) }

  @Test("Words and members")
  func wordsAndMembers() throws {
    #expect(try pieces("") == [])
    #expect(try pieces("a b") == [words("a b")])
    #expect(try pieces("{text}") == [member("text")])
    #expect(try pieces("é{a.b.c}🙂") == [words("é"), member("a.b.c"), words("🙂")])
    #expect(try pieces("{}{.}") == [member(""), member(".")])
  }

  @Test("Doubled braces are literal")
  func braces() throws {
    #expect(try pieces("{{}}") == [words("{}")])
    #expect(try pieces("{{{v}}}") == [words("{"), member("v"), words("}")])
    #expect(try pieces("}}{{") == [words("}{")])
  }

  @Test("Alternatives for selection and cursor")
  func alternatives() throws {
    #expect(try pieces("{selected:*|-}") == [.selected(Array("*".utf8), Array("-".utf8))])
    #expect(try pieces("{cursor:>|}") == [.cursor(Array(">".utf8), [])])
    #expect(try pieces("{cursor:>}") == [.cursor(Array(">".utf8), [])])
    #expect(try pieces("{selected:a|b|c}") == [.selected(Array("a".utf8), Array("b|c".utf8))])
    #expect(try pieces("{selected}") == [member("selected")])
    #expect(try pieces("{cursor:{{a}}|{{b}}}") == [.cursor(Array("{a}".utf8), Array("{b}".utf8))])
    #expect(
      try pieces("{{{cursor:a|b}}}") == [
        words("{"), .cursor(Array("a".utf8), Array("b".utf8)), words("}"),
      ])
  }

  @Test(
    "An unbalanced brace is reported with its offset",
    arguments: [
      ("{", 0), ("}", 0), ("a{text", 1), ("text}", 4), ("{{}", 2), ("{text}}", 6), ("{a{b}}", 0),
    ])
  func unbalanced(_ source: String, offset: Int) {
    #expect(throws: TemplateError(problem: .unbalancedBrace, offset: offset)) { try pieces(source) }
  }

  @Test("Columns and groups")
  func columns() throws {
    var column = Column()
    column.group = Array("Comment".utf8)
    #expect(try pieces("{text:#Comment}") == [.member(Array("text".utf8), column)])
    column.alignment = .center
    column.width = 30
    column.truncates = true
    column.group = Array("@a.b".utf8)
    #expect(try pieces("{a.b:^30…#@a.b}") == [.member(Array("a.b".utf8), column)])
    column.form = .line
    #expect(try pieces("{a.b:line^30…#@a.b}") == [.member(Array("a.b".utf8), column)])
    #expect(try pieces("{={{a}}#x#G}") == [.words(Array("{a}#x".utf8), group: Array("G".utf8))])
  }

  @Test("Members that begin with $ are those of outlines")
  func unknownMembers() throws {
    func unknown(_ source: String) throws -> String? {
      try Template(Array(source.utf8)).unknownMember.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try unknown("$x {a.$x} {$level:>3} {$children} {$expanded} {=$x#G}") == nil)
    #expect(try unknown("{$level} {$levl:3} {$x}") == "$levl")
    #expect(try unknown("{$level.x}") == "$level.x")
  }

  @Test(
    "Invalid columns", arguments: ["{a:}", "{a:>}", "{a:0}", "{a:1001}", "{a:3#}", "{a:line>}"])
  func unknownColumns(_ source: String) {
    #expect(throws: TemplateError(problem: .unknownColumn, offset: 1)) { try pieces("x" + source) }
  }

  @Test("Words without a group")
  func noGroup() {
    #expect(throws: TemplateError(problem: .noGroup, offset: 0)) { try pieces("{=words}") }
  }
}
