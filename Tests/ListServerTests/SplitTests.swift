import JSONRPC
import ListServer
import Testing

/// The output does not depend on how the input is split.
///
/// Promise: However the input is split into reads, in both framings, the output is the same. Also
///   `FrameTests`.
@Suite struct SplitTests {
  static let messages = [
    request("1", "initialize", #"{"trace":"off"}"#),
    request(#""é""#, "applySnapshot", #"{"list":"l","items":["a",{"id":1,"t":"\n\u00e9"}]}"#),
    "{\"jsonrpc\":}",
    "[" + request("2", "getLists") + "," + notification("getLists") + ",3]",
    request("3", "select", #"{"list":"l","items":[1]}"#),
    "[]",
    request("4", "shutdown"),
    notification("exit"),
  ]

  static func stream(_ framing: Framing) -> [UInt8] {
    messages.flatMap { message in
      framing == .lsp
        ? Array("Content-Length: \(message.utf8.count)\r\n\r\n\(message)".utf8)
        : Array("\(message)\r\n".utf8)
    }
  }

  static func output(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
    var conversation = Conversation()
    for piece in pieces { conversation.receive(piece) }
    conversation.end()
    return conversation.exitCode == 0 ? conversation.output : []
  }

  @Test(arguments: [Framing.ndjson, .lsp])
  func everySplit(_ framing: Framing) {
    let bytes = Self.stream(framing)
    let whole = Self.output([bytes[...]])
    #expect(!whole.isEmpty)
    for cut in bytes.indices {
      guard Self.output([bytes[..<cut], bytes[cut...]]) == whole else {
        Issue.record("cut at \(cut)")
        return
      }
    }
    #expect(Self.output(bytes.indices.map { bytes[$0...$0] }) == whole)
  }

  @Test(arguments: [Framing.ndjson, .lsp])
  func randomPieces(_ framing: Framing) {
    let bytes = Self.stream(framing)
    let whole = Self.output([bytes[...]])
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      var pieces: [ArraySlice<UInt8>] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...90, using: &random))
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(Self.output(pieces) == whole)
    }
  }

  /// Both framings have the same messages.
  @Test func framingsAgree() {
    let lines = String(decoding: Self.output([Self.stream(.ndjson)[...]]), as: UTF8.self)
    var framed = ""
    for line in lines.split(separator: "\n") {
      framed += "Content-Length: \(line.utf8.count)\r\n\r\n\(line)"
    }
    #expect(String(decoding: Self.output([Self.stream(.lsp)[...]]), as: UTF8.self) == framed)
  }
}
