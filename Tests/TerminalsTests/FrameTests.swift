import ByteBuffers
import Testing

@testable import Terminals

/// A terminal shows the frames that are written to it.
@Suite struct FrameTests {
  @Test func textIsCutAtColumns() {
    var frame = Frame(width: 6, height: 1)
    var end = frame.write("日本語", at: 0, 0, before: 5, isCut: true)
    #expect(end == 5)
    #expect(frame.text(ofRow: 0) == "日本…")
    end = frame.write("日本語", at: 1, 0, before: 6)
    #expect(end == 5)
    #expect(frame.row(0).map { $0.text } == [" ", "日", "", "本", "", " "])
    end = frame.write("x", at: 2, 0)
    #expect(end == 3 && frame.text(ofRow: 0) == "  x本")
    let outside = (frame.write("x", at: 6, 0), frame.write("x", at: 0, 1))
    #expect(outside == (6, 0))
  }

  @Test func nothingIsSentRaw() {
    var frame = Frame(width: 40, height: 1)
    let text = "a\u{1B}[31m\u{07}\n\u{9B}\u{202E}\u{FEFF}\t."
    let end = frame.write(text, at: 0, 0)
    #expect(end == Frame.columns(of: text))
    for cell in frame.cells {
      #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
  }

  @Test func combiningCharactersAreInTheCellBefore() {
    var frame = Frame(width: 4, height: 1)
    frame.write("e\u{301}" + String(repeating: "\u{302}", count: 100), at: 0, 0)
    #expect(frame[0, 0].text.unicodeScalars.count == 9 && frame[1, 0].text == " ")
    frame.write("\u{301}x", at: 1, 0)
    #expect(frame[0, 0].text.unicodeScalars.count == 9 && frame[1, 0].text == "x")
  }

  @Test func linesFitInTheirWidth() {
    #expect(Frame.lines(of: "ab日c\nd", width: 3) == ["ab", "日c", "d"])
    #expect(Frame.lines(of: "", width: 3) == [""])
    #expect(Frame.lines(of: "日", width: 1) == ["日"])
  }

  /// Writes random frames one after the other, on a terminal that is a model.
  @Test(arguments: [TerminalColors.none, .eight, .indexed], 1...8 as ClosedRange<UInt64>)
  func theTerminalShowsTheFrame(_ colors: TerminalColors, _ seed: UInt64) {
    showFrames(colors, seed, isRelative: false)
    showFrames(colors, seed, isRelative: true)
  }

  private func showFrames(_ colors: TerminalColors, _ seed: UInt64, isRelative: Bool) {
    var random = SplitMix(state: seed)
    let texts = ["a", "hello world", "日本語", "e\u{301}", "🙂!", "   ", "\u{1B}x", "x\ty", ""]
    let styles = [
      CellStyle(), CellStyle(), CellStyle(nil, bold: true), CellStyle(.init(214, or: 3)),
      CellStyle(.init(1, or: 1), on: .init(4, or: 4), dim: true),
      CellStyle(nil, underlined: true, reversed: true),
    ]
    var writer = FrameWriter(colors: colors, isRelative: isRelative)
    var terminal = ModelTerminal(width: 1, height: 1)
    var frame = Frame(width: 1, height: 1)
    for step in 0..<200 {
      if step == 0 || Int.random(in: 0..<20, using: &random) == 0 {
        let size = (Int.random(in: 1...24, using: &random), Int.random(in: 1...6, using: &random))
        frame = Frame(width: size.0, height: size.1)
        terminal = ModelTerminal(width: size.0, height: size.1)
        writer.forget()
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let style = styles[Int.random(in: 0..<styles.count, using: &random)]
        let x = Int.random(in: 0..<frame.width, using: &random)
        let y = Int.random(in: 0..<frame.height, using: &random)
        if Bool.random(using: &random) {
          let text = texts[Int.random(in: 0..<texts.count, using: &random)]
          frame.write(text, at: x, y, style, isCut: Bool.random(using: &random))
        } else {
          frame.fill(x..<frame.width, y, style)
        }
      }
      let hasCursor = Bool.random(using: &random)
      frame.cursor = hasCursor ? (Int.random(in: 0..<frame.width, using: &random), 0) : nil
      var output = ByteBuffer()
      writer.append(frame, to: &output)
      terminal.take(output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      #expect(terminal.cells == frame.cells.map { ModelTerminal.shown($0, colors) }, "step \(step)")
      #expect(terminal.isCursorVisible == hasCursor)
      #expect(!isRelative || terminal.y == writer.row)
      if let cursor = frame.cursor { #expect(terminal.x == cursor.x && terminal.y == cursor.y) }
      var again = ByteBuffer()
      writer.append(frame, to: &again)
      let count = again.count
      #expect(count == 0)
    }
  }
}
