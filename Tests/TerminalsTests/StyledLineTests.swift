import Testing

@testable import Terminals

/// Escape sequences of lines are styles.
@Suite struct StyledLineTests {
  private func read(_ text: String) -> (text: String, styles: [StyleSpan]) {
    let (bytes, styles) = StyledLine.read(Array(text.utf8)[...])
    return (String(decoding: bytes, as: UTF8.self), styles)
  }

  @Test func stylesAreOfCharacters() {
    let (text, styles) = read("é\u{1B}[1;31mred\u{1B}[0m \u{1B}[38;5;200;4m日\u{1B}[K\u{1B}[24mb")
    #expect(text == "éred 日b")
    let pink = CellStyle.Color.ansi(200)
    #expect(
      styles == [
        StyleSpan(range: 1..<4, style: CellStyle(.ansi(1), bold: true)),
        StyleSpan(range: 5..<6, style: CellStyle(pink, underlined: true)),
        StyleSpan(range: 6..<7, style: CellStyle(pink)),
      ])
  }

  @Test func coloursHaveNeighbours() {
    #expect(read("\u{1B}[48;2;255;0;0mx").styles[0].style.background?.index == 196)
    #expect(read("\u{1B}[92;100mx").styles[0].style == CellStyle(.ansi(10), on: .ansi(8)))
    #expect(CellStyle.Color.ansi(196).fallback == 1 && CellStyle.Color.ansi(250).fallback == 7)
  }

  @Test func otherSequencesAreRemovedAndBrokenOnesStay() {
    #expect(
      read("a\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{07}b\u{1B}[2Jc\u{1B}(Bd").text == "alinkbcd"
    )
    for text in ["\u{1B}", "x\u{1B}[31", "\u{1B}]8;;x", "\u{1B}q", "\u{1B}[3\u{1B}"] {
      #expect(read(text).text == text && read(text).styles == [])
    }
    #expect(read("\u{1B}[999;;;38;5m\u{1B}[48;2;1mx").text == "x")
  }
}
