import JSONRPC
import ListServer
import Testing

/// Promise: Random and corrupted bytes, 3,000,000 brackets and messages over the limit do not end
///   the session. Also `test_robustness.py`, `test_recovery.py`.
@Suite struct LimitTests {
  /// Input that is nested too deeply is refused with any stack size.
  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func refusesDeepNesting(_ bracket: String) {
    let deep = String(repeating: bracket, count: 3_000_000 / bracket.utf8.count)
    let result = replies(to: deep, request("1", "getLists"))
    #expect(result.output.count == 2 && result.code == 0)
    #expect(result.output[0].contains("-32700"))
  }

  @Test func acceptsNestingUpToTheLimit() {
    for (depth, code) in [(500, ""), (513, "-32700")] {
      let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let result = replies(
        to: request("1", "applySnapshot", #"{"list":"l","items":[{"id":1,"deep":\#(deep)}]}"#))
      #expect(
        result.output.count == 1 && result.output[0].contains(code.isEmpty ? "\"result\"" : code))
    }
  }

  /// A message that is too long is ignored in either framing, and the next one is answered.
  @Test(arguments: [Framing.ndjson, .lsp])
  func ignoresLongMessages(_ framing: Framing) {
    let length = 30 << 20
    let next = request("1", "getLists")
    var conversation = Conversation(framing, limit: 1 << 20)
    if framing == .lsp { conversation.receive("Content-Length: \(length)\r\n\r\n".utf8) }
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 16)
    for _ in 0..<length / piece.count { conversation.receive(piece) }
    conversation.receive(
      framing == .lsp
        ? "Content-Length: \(next.utf8.count)\r\n\r\n\(next)".utf8 : "\n\(next)\n".utf8)
    conversation.end()
    let output = String(decoding: conversation.output, as: UTF8.self)
    let bytes = #""data":{"reason":"messageTooLarge","limit":1048576,"bytes":\#(length)}"#
    if framing == .lsp { #expect(output.contains(bytes) && output.contains("-31008")) }
    #expect(output.contains(reply("1", SessionTests.lists)) && conversation.exitCode == 0)
  }

  @Test func reportsLongLines() {
    let long = request("1", "getLists", #"{"_":"\#(String(repeating: "x", count: 1000))"}"#)
    let result = replies(to: long, request("2", "getLists"), limit: 200)
    #expect(result.output.count == 2)
    #expect(result.output[0].hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-31008"#))
    #expect(result.output[0].contains(#""limit":200,"bytes":\#(long.utf8.count)"#))
  }

  @Test(arguments: [
    ("", 0, 0), ("\n\n", 0, 0), (request("1", "getLists"), 0, 1),
    (request("1", "getLists") + "\n", 0, 1), (request("1", "getLists") + "\n{\"a\"", 1, 1),
    ("[" + request("1", "getLists"), 1, 0), ("Content-Length: 5\r\n\r\n{}", 1, 0),
    ("Content-Length: 2\r\n\r\n{}", 0, 1), ("Content-Le", 1, 0), ("{}}", 0, 1), ("\u{FEFF}", 0, 0),
    ("Content-Length: 2\r\n\r\n{}\r\n", 0, 1),
  ])
  func handlesTheEndOfInput(_ input: String, _ code: Int, _ replies: Int) {
    var conversation = Conversation()
    conversation.receive(input.utf8)
    conversation.end()
    #expect(conversation.exitCode == code)
    #expect(conversation.diagnostics.count == code)
    let output = String(decoding: conversation.output, as: UTF8.self)
    #expect(output.matches(of: /"jsonrpc"/).count == replies)
  }

  @Test(arguments: [Framing.auto, .ndjson, .lsp])
  func survivesRandomBytes(_ framing: Framing) {
    var random = SeededGenerator(seed: 7)
    let syntax = [UInt8]("{}[]\":,\\\n\r \u{FEFF}019.eE-tfnu".utf8)
    for _ in 0..<400 {
      var conversation = Conversation(framing, limit: 300)
      for _ in 0..<8 {
        conversation.receive(
          (0..<Int.random(in: 0...60, using: &random)).map { _ in
            Bool.random(using: &random)
              ? syntax.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
          })
      }
      conversation.end()
      #expect(conversation.exitCode == 0 || conversation.exitCode == 1)
    }
  }

  /// Messages with some bytes deleted, repeated or replaced.
  @Test func survivesDamagedMessages() {
    var random = SeededGenerator(seed: 8)
    let seeds = [
      request(
        "1", "applySnapshot", #"{"list":"l","items":["a",{"id":1,"parts":["p",{"id":2}]},1.5e1]}"#),
      request(
        "2", "applySnapshot",
        #"{"list":"l","sections":[{"id":"s","items":["x","x"],"selectionMode":"multiple"}],"content":true}"#
      ),
      request("3", "select", #"{"list":"l","items":[{"path":[0,0],"revision":1}],"cursor":1}"#),
      request("4", "diff", #"{"from":{"list":"l"},"to":{"items":[1,{"a":[1]}]},"maxOps":3}"#),
      request("5", "getSnapshot", #"{"list":"l","window":{"start":1,"count":9}}"#),
    ]
    var conversation = Conversation(.ndjson)
    for _ in 0..<6_000 {
      var bytes = Array(seeds.randomElement(using: &random)!.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count - 1, start + Int.random(in: 0...4, using: &random))
        let piece = bytes[start...end]
        bytes.replaceSubrange(
          start...end,
          with: [[], Array(piece + piece), [UInt8.random(in: 32...126, using: &random)]]
            .randomElement(using: &random)!)
        if bytes.isEmpty { bytes = [0x20] }
      }
      conversation.receive(bytes + [0x0A])
    }
    conversation.receive("\(request("0", "removeList", #"{"list":"l"}"#))\n".utf8)
    conversation.end()
    let output = String(decoding: conversation.output, as: UTF8.self)
    #expect(output.hasSuffix(reply("0", "null") + "\n") && conversation.exitCode == 0)
    #expect(!output.contains("-32603"))
  }
}
