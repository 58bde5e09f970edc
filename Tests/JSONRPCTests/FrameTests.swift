import ByteBuffers
import JSONRPC
import Testing

/// Each stream is also read in all splits into two or three pieces and byte by byte, with partial
/// messages returned early or not.
@Suite struct FrameTests {
  @Test func readsLines() {
    #expect(frames("{\"a\":1}\n[2]\n") == ["={\"a\":1}", "=[2]"])
    #expect(frames("{}\r\n\n \t\r\n{}\n\r\n") == ["={}", "={}"])
    #expect(frames("{}\n{}") == ["={}", "={}"])
    #expect(frames("{}\n{") == ["={}", "={"])
    #expect(frames("{}\n \r") == ["={}"])
    #expect(frames("{}\r") == ["={}"])
    #expect(frames("[\nhello\n") == ["=[", "=hello"])
    #expect(frames("{}\n 1 \n") == ["={}", "= 1 "])
  }

  @Test func detectsTheFraming() {
    #expect(frames("") == [])
    #expect(frames(" \r\n\t\n") == [])
    #expect(frames("\u{FEFF}{}\n") == ["={}"])
    #expect(frames(" \n\u{FEFF} [1]\n") == ["=[1]"])
    #expect(frames("\u{FEFF}Content-Length: 2\r\n\r\n{}") == ["={}"])
    #expect(frames("\n\nContent-Length: 2\r\n\r\n{}") == ["={}"])
    #expect(frames("{}\nContent-Length: 2\n") == ["={}", "=Content-Length: 2"])
    #expect(frames("1\n", framing: .ndjson) == ["=1"])
    #expect(frames("hello\n", framing: .ndjson) == ["=hello"])
    #expect(frames("{}\n", framing: .lsp) == ["!notAHeader {}\n"])
    #expect(frames([[0xEF, 0xBB]]) == ["…"])
  }

  @Test func readsHeaders() {
    #expect(frames("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]") == ["={}", "=[1]"])
    #expect(frames("content-LENGTH:2\r\nX-Other: a:b\r\n\r\n{}") == ["={}"])
    #expect(
      frames(
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: \t2 \r\n\r\n{}")
        == ["={}"])
    #expect(frames("Content-Length: 2\n\n{}\r\n\nContent-Length: 2\n\n[]\n") == ["={}", "=[]"])
    #expect(frames("Content-Length: 0\r\n\r\nContent-Length: 002\r\n\r\n{}") == ["=", "={}"])
    #expect(frames("Content-Length: 00000000000000002\r\n\r\n{}") == ["={}"])
    #expect(frames("\r\nContent-Length: 2\r\n\r\n{}\nContent-Length: 2\r\n\r\n[]").count == 2)
    #expect(frames("Content-Length: 4\r\n\r\n{\n\n}") == ["={\n\n}"])
    #expect(frames("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}") == ["={}"])
    #expect(frames("Content-Length: 2\r\n\r\né") == ["=é"])
  }

  @Test(arguments: [
    ("notAHeader", "hello"), ("badLength", "Content-Length: x"),
    ("badLength", "Content-Length: -1"),
    ("badLength", "Content-Length: +1"), ("badLength", "Content-Length:"),
    ("badLength", "Content-Length: 1 2"), ("badLength", "Content-Length: 99999999999999999999"),
    ("badLength", "Content-Length: 0x2"), ("badLength", "Content-Length: 2.0"),
    ("missingLength", "Content-Type: x\r\n"), ("notAHeader", "Content-Length : 2"),
    ("notAHeader", "{\"jsonrpc\":\"2.0\"}"),
  ])
  func continuesAfterAnInvalidHeader(_ problem: String, _ header: String) {
    let broken = header + "\r\n"
    let good = "content-length: 2\r\n\r\n{}"
    #expect(frames(broken + good, framing: .lsp) == ["!\(problem) \(broken)", "={}"])
    #expect(frames(good + broken + "Content-\n\n{}\r\n" + good).last == "={}")
    #expect(frames(broken, framing: .lsp) == ["!\(problem) \(broken)"])
  }

  @Test func continuesAtTheSecondOfTwoLengths() {
    let first = "!conflictingLengths Content-Length: 3\r\n"
    let rest = "Content-Length: 2\r\n\r\n{}"
    #expect(frames("Content-Length: 3\r\n" + rest + rest) == [first, "={}", "={}"])
    #expect(
      frames("Content-Length: 3\r\nX: y\r\ncontent-length: 4\r\n" + rest) == [
        "!conflictingLengths Content-Length: 3\r\nX: y\r\n",
        "!conflictingLengths content-length: 4\r\n", "={}",
      ])
  }

  @Test func rejectsLongHeaders() {
    let good = "Content-Length: 2\r\n\r\n{}"
    let line = "X: " + String(repeating: "y", count: 20_000) + "\r\n"
    let raw = String(line.prefix(8192))
    for count in [1, 7, 4096, 8191, 8192, 8193, 9000, 40_000] {
      let bytes = Array((line + good).utf8)
      let pieces = stride(from: 0, to: bytes.count, by: count).map {
        bytes[$0..<min(bytes.count, $0 + count)]
      }
      #expect(frames(pieces) == ["!tooLong " + raw, "={}"])
    }
    let many = String(repeating: "X: y\r\n", count: 2000)
    #expect(
      frames([Array((many + good).utf8)[...]]) == [
        "!tooLong " + String(decoding: many.utf8.prefix(8192), as: UTF8.self), "={}",
      ])
  }

  @Test func reportsIncompleteMessages() {
    #expect(frames("Content-Length: 3\r\n\r\n{}") == ["…"])
    #expect(frames("Content-Length: 3\r\n\r\n") == ["…"])
    #expect(frames("Content-Length: 3\r\n") == ["…"])
    #expect(frames("Content-Le") == ["…"])
    #expect(frames("Content-Length: 2\r\n\r\n{}\r\n") == ["={}"])
    #expect(frames("Content-Length: 2\r\n\r\n{}\r") == ["={}"])
    #expect(frames("x\nContent-Le", framing: .lsp) == ["!notAHeader x\n", "…"])
    #expect(frames("x\ny", framing: .lsp) == ["!notAHeader x\n"])
  }

  @Test func skipsOversizedMessages() {
    #expect(frames("{\"1\":345}\n{}\n", limit: 8) == [">9", "={}"])
    #expect(frames("[2345678]\r\n{}\n", limit: 9) == ["=[2345678]", "={}"])
    #expect(frames("[2345678]\r\n{}\n", limit: 8) == [">9", "={}"])
    #expect(frames("[2345678]", limit: 8) == [">9"])
    #expect(frames("[234567890]\r", limit: 8) == [">11"])
    #expect(frames("[234567890\r1]\r\n[]", limit: 8) == [">13", "=[]"])
    let good = "Content-Length: 2\r\n\r\n{}"
    #expect(frames("Content-Length: 9\r\n\r\n[2345678]" + good, limit: 8) == [">9", "={}"])
    #expect(frames("Content-Length: 8\r\n\r\n[234567]" + good, limit: 8) == ["=[234567]", "={}"])
    #expect(frames("Content-Length: 9\r\n\r\n[23", limit: 8) == [">9", "…"])
    #expect(
      frames("Content-Length: 99999999999999\r\n\r\n[23", limit: 8) == [">99999999999999", "…"])
  }

  @Test func returnsLargeMessages() {
    let large = "[\"" + String(repeating: "x", count: 300_000) + "\"]"
    for framing in [Framing.ndjson, .lsp] {
      var stream = ""
      var wanted: [String] = []
      for message in ["{}", large, "[]", "[]", large, large, "{}"] {
        stream +=
          framing == .lsp
          ? "Content-Length: \(message.utf8.count)\r\n\r\n\(message)" : message + "\n"
        wanted.append("=" + message)
      }
      let bytes = Array(stream.utf8)
      for count in [1000, 65_536, 300_010, 500_000, bytes.count] {
        let pieces = stride(from: 0, to: bytes.count, by: count).map {
          bytes[$0..<min(bytes.count, $0 + count)]
        }
        for early in [false, true] { #expect(frames(pieces, early: early) == wanted) }
      }
    }
  }

  @Test func padsEveryMessage() {
    let large = [0x5B] + [UInt8](repeating: 0x20, count: 100_000) + [0x5D, 0x0A]
    var reader = FrameReader()
    for bytes in [large, Array("[1]\n[2]\n".utf8)] { bytes.withUnsafeBytes { reader.feed($0) } }
    var count = 0
    while case .message(let message)? = reader.next() {
      count += 1
      withExtendedLifetime(message) {
        let padding = UnsafeRawBufferPointer(
          start: message.base + message.count, count: SharedBytes.padding)
        #expect(padding.allSatisfy { $0 == 0 })
      }
    }
    #expect(count == 3)
  }

  @Test func neverTrapsAndDoesNotDependOnSplits() {
    var generator = SeededGenerator(seed: 11)
    let parts = [
      "Content-Length: ", "2", "10", "\r\n", "\n", "\r\n\r\n", "{}", "[1,2]", "x", ":", "\r", " ",
      "content-length:", "\u{FEFF}", "Content-Type: a\r\n",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0..<14, using: &generator))
        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      for limit in [3, 100] { _ = frames(String(text.prefix(60)), limit: limit) }
    }
  }
}
