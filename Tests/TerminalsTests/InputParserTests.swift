import Terminals
import Testing

/// What a terminal sends is read as keys, mouse reports and pastes.
///
/// Promise: Keys are read alike however their bytes are divided; a terminal shows the frames that
///   are written to it. Also `FrameTests`.
@Suite struct InputParserTests {
  private static func events(_ bytes: [UInt8], cuts: [Int] = []) -> [InputEvent] {
    var parser = InputParser()
    var events: [InputEvent] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      parser.add(bytes[start..<end])
      events += parser.takeEvents()
    }
    parser.flush()
    return events + parser.takeEvents()
  }

  @Test(
    arguments: [
      ("a\u{E4}\u{65E5}", [.key(.character("a")), .key(.character("ä")), .key(.character("日"))]),
      ("\u{1B}", [.key(.escape)]), ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]),
      ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]), ("\u{1B}\u{1B}[A", [.key(.up, .alt)]),
      ("\u{1B}[1;5C", [.key(.right, .control)]), ("\u{1B}[1;2D", [.key(.left, .shift)]),
      ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.key(.pageUp), .key(.pageDown), .key(.delete)]),
      ("\u{1B}[H\u{1B}[4~\u{1B}OF", [.key(.home), .key(.end), .key(.end)]),
      ("\u{1B}[Z", [.key(.tab, .shift)]),
      ("\u{1B}[15~\u{1B}[[A", [.key(.function(5)), .key(.function(1))]),
      ("\u{1B}\u{7F}\u{1B}b", [.key(.backspace, .alt), .key(.character("b"), .alt)]),
      (
        "\r\t\u{7F}\u{01}\u{00}",
        [
          .key(.enter), .key(.tab), .key(.backspace), .key(.character("a"), .control),
          .key(.character(" "), .control),
        ]
      ),
      ("\u{1B}[97;5u\u{1B}[27;5;13~", [.key(.character("a"), .control), .key(.enter, .control)]),
      ("\u{1B}[200~a\r\u{1B}[Ab\u{1B}[201~c", [.paste("a\r\u{1B}[Ab"), .key(.character("c"))]),
      (
        "\u{1B}[<0;5;6M\u{1B}[<0;5;6m",
        [
          .mouse(.press(button: 0), x: 4, y: 5), .mouse(.release(button: 0), x: 4, y: 5),
        ]
      ),
      (
        "\u{1B}[<65;1;1M\u{1B}[<4;1;1M",
        [
          .mouse(.wheelDown, x: 0, y: 0), .mouse(.press(button: 0), x: 0, y: 0, .shift),
        ]
      ),
      // What is not known is skipped whole.
      (
        "\u{1B}[?1;2cx\u{1B}]11;rgb:1/2/3\u{07}y\u{1B}Pq\u{1B}\\z",
        [
          .key(.character("x")), .key(.character("y")), .key(.character("z")),
        ]
      ),
      ("\u{1B}[M !!x\u{1B}[999~\u{1B}[1$yz", [.key(.character("x")), .key(.character("z"))]),
    ] as [(String, [InputEvent])])
  func isRead(_ sent: String, _ expected: [InputEvent]) {
    #expect(Self.events(Array(sent.utf8)) == expected)
  }

  @Test func bytesThatAreNotTextAreReplaced() {
    #expect(
      Self.events([0xFF, 0x61, 0xE6, 0x97]) == [
        .key(.character("\u{FFFD}")), .key(.character("a")), .key(.character("\u{FFFD}")),
        .key(.character("\u{FFFD}")),
      ])
  }

  @Test func anEscapeThatNothingFollowsIsAKey() {
    var parser = InputParser()
    parser.add([0x1B])
    var events = parser.takeEvents()
    #expect(events == [] && parser.isWaiting)
    parser.flush()
    events = parser.takeEvents()
    #expect(events == [.key(.escape)] && !parser.isWaiting)
  }

  /// The position of the cursor looks like F3 with a modifier.
  @Test func aPositionIsReadIfItWasAskedFor() {
    var parser = InputParser()
    let bytes = Array("\u{1B}[1;2R".utf8)
    parser.add(bytes)
    parser.awaitsCursor = true
    parser.add(bytes)
    parser.add(bytes)
    let key = InputEvent.key(.function(3), .shift)
    let events = parser.takeEvents()
    #expect(events == [key, .cursor(x: 1, y: 0), key])
  }

  /// Reads random bytes, most of them parts of sequences, in one piece and in several ones.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func piecesDoNotMatter(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let parts =
      [
        "\u{1B}", "\u{1B}", "[", "[", "O", "]", "P", "\\", "<", "0;5;6M", "200~", "\u{1B}[200~",
        "\u{1B}[201~", "201~", "1;5", "A", "~", "u", "M", "m", "\u{07}", "日", "x", "\u{7F}", "?",
        String(repeating: "1;", count: 70), String(repeating: "x", count: 600),
      ].map { Array($0.utf8) } + [[0xE6], [0x97], [0xFF], [0x80], [0xF0, 0x9F]]
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 1...12, using: &random)).flatMap { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      let whole = Self.events(bytes)
      #expect(Self.events(bytes, cuts: Array(1..<bytes.count)) == whole, "\(bytes)")
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      #expect(Self.events(bytes, cuts: cuts) == whole, "\(bytes) \(cuts)")
    }
  }
}
