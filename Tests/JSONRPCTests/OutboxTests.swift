import JSONBytes
import JSONRPC
import Testing

@Suite struct OutboxTests {
  /// Returns the output after some messages. Messages that begin with `-` are discarded.
  private func written(_ messages: [String], _ framing: Framing) -> String {
    var outbox = Outbox(framing: framing)
    var text = ""
    for round in 0..<2 {
      for message in messages {
        outbox.beginMessage()
        outbox.buffer.append(contentsOf: Array(message.utf8))
        if message.hasPrefix("-") { outbox.discardMessage() } else { outbox.endMessage() }
      }
      let now = outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      precondition(round == 0 || now == text)
      precondition(outbox.count == now.utf8.count && outbox.isEmpty == now.isEmpty)
      text = now
      outbox.removeAll(keptCapacity: round * 100)
      precondition(outbox.isEmpty)
    }
    return text
  }

  @Test func framesMessages() {
    let messages = ["-no", "{}", "-", "[\"é\"]", String(repeating: "x", count: 12_345), "-x", "1"]
    let kept = messages.filter { !$0.hasPrefix("-") }
    #expect(written(messages, .ndjson) == kept.map { $0 + "\n" }.joined())
    #expect(
      written(messages, .lsp)
        == kept.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
    #expect(written([], .lsp) == "" && written(["-"], .lsp) == "" && written(["-"], .ndjson) == "")
  }

  @Test func isReadByAFrameReader() {
    let messages = ["{}", "[1,2,3]", "{\"a\":\"\\n\"}"]
    for framing in [Framing.ndjson, .lsp] {
      #expect(frames(written(messages, framing)) == messages.map { "=" + $0 })
    }
  }
}
