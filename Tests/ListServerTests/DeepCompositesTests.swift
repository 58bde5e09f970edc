import ByteBuffers
import ListServer
import Testing

/// Composites can be nested as deeply as there are lists: nothing recurses by their depth.
///
/// Promise: The depth of composites is not limited.
@Suite struct DeepCompositesTests {
  private static let depth = 5_000

  private func ask(_ request: String, _ session: inout Session) -> String {
    session.receive(.message(SharedBytes(copying: request.utf8)))
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func compose(_ list: Int, of source: Int, _ session: inout Session) -> String {
    let params = #"{"list":"c\#(list)","sources":["c\#(source)"],"format":"none"}"#
    return ask(request("1", "compose", params), &session)
  }

  @Test func chainOfEmptyComposites() throws {
    var session = Session()
    for list in 1...Self.depth {
      let answer = compose(list, of: list - 1, &session)
      guard answer.contains(#""result""#) else {
        Issue.record("\(answer)")
        return
      }
    }
    #expect(compose(1, of: Self.depth, &session).contains(#""code":-31010"#))
    let params = #"{"list":"c\#(Self.depth)","items":[{"id":"c0","source":"c0"}]}"#
    #expect(ask(request("1", "locate", params), &session).contains(#""items":[null]"#))
    var journal = ByteBuffer()
    var rewrite = session.lists.beginRewrite()
    while rewrite.appendPiece(atMost: 1 << 16, to: &journal) {}
    var restored = Session()
    _ = try restored.lists.restore(journal.shared())
    let lists = request("1", "getLists")
    #expect(ask(lists, &restored) == ask(lists, &session))
  }
}
