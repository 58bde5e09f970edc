import ListAdapters
import ListDiff
import ListSources
import Testing

/// Lists in a terminal: the screen, and the lines that are written.
///
/// Promise: A list in a terminal shows its rows after any change, and does not write unchanged rows
///   again.
@MainActor @Suite struct TerminalTests {
  private let screen = TerminalScreen(height: 9)

  private func presenter(
    _ source: ListSource<Group>, height: Int = 7
  ) -> ListPresenter<ListSource<Group>, TerminalList> {
    ListPresenter(source, in: TerminalList(height: height, width: 20, write: screen.write))
      .row(Row.self) { ($1.isAtCursor ? ">" : "") + ($1.isSelected ? "*" : "") + $0.text }
      .header { $0.header }
      .footer { $0.footer }
  }

  @Test func keptRowsAreNotWritten() {
    let rows = (0..<5).map { Row(id: $0, text: "row \($0)") }
    let source = ListSource(sections: [Group(id: "a", items: rows)])
    let list = presenter(source, height: 4)
    list.update()
    list.update()
    #expect(screen.lines.prefix(5) == ["row 0", "row 1", "row 2", "row 3", ""])
    _ = screen.takeOutput()
    list.update()
    #expect(screen.takeOutput() == "")
    source.apply([Group(id: "a", items: [rows[3]] + rows[..<3] + [rows[4]])])
    list.update()
    let moved = screen.takeOutput()
    #expect(!moved.contains("row 0") && moved.contains("row 3"))
  }

  @Test func controlCharactersAreNotWritten() {
    let evil = Row(id: 9, text: "a\u{1B}[2J\u{9B}bcdef and more text")
    let list = presenter(ListSource(sections: [Group(id: "a", items: [evil])]))
    list.update()
    #expect(screen.lines[0] == "a?[2J?bcdef and more")
  }

  @Test func theListScrollsToTheCursor() throws {
    let source = ListSource(sections: [
      Group(id: "a", header: "A", items: (0..<9).map { Row(id: $0, text: "\($0)") })
    ])
    let list = presenter(source, height: 3)
    list.update()
    list.display.moveCursor(by: 1)
    #expect(screen.lines.prefix(3) == ["A", ">*0", "1"])
    list.display.moveCursor(by: 3)
    #expect(screen.lines.prefix(3) == ["1", "2", ">*3"])
    list.display.moveCursor(by: -9)
    #expect(screen.lines.prefix(3) == [">*0", "1", "2"])
    try source.insertItems([Row(id: 10, text: "10"), Row(id: 11, text: "11")], beforeItem: 0)
    list.update()
    #expect(screen.lines.prefix(3) == ["10", "11", ">*0"], "the cursor stays at its row")
    list.display.top = 0
    list.update()
    #expect(source.selected == [0] && list.cursorPath == ListPath(section: 0, row: 2))
  }

  /// The screen shows the lines in view after any changes, and nothing below the list changes.
  @Test(arguments: [0, 3] as [Int]) func theScreenShowsTheLinesInView(top: Int) {
    var random = Numbers(state: 11)
    let source = ListSource<Group>()
    let list = presenter(source)
    list.display.top = top
    list.update()
    screen.lines[8] = "below"
    for _ in 0..<600 {
      source.apply(random.next(source.sections))
      if random.below(4) == 0 { try? source.select([random.below(40)], .toggle) }
      list.update()
      let lines = source.sections.flatMap { group in
        [group.header].compactMap { $0 }
          + group.items.map { (source.isSelected($0.id) ? "*" : "") + $0.text }
          + [group.footer].compactMap { $0 }
      }
      let wanted = Array(lines.dropFirst(top).prefix(7))
      #expect(screen.lines == wanted + Array(repeating: "", count: 8 - wanted.count) + ["below"])
    }
  }
}
