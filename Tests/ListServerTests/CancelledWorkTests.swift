import JSONBytes
import ListServer
import Testing

/// Long work checks regularly whether it is cancelled. If it is, nothing has changed.
@Suite struct CancelledWorkTests {
  private func takeOutput(_ session: inout Session) -> String {
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("getSnapshot", #"{"list":"l"}"#), ("getSnapshot", #"{"list":"l","revision":1}"#),
    ("getSnapshot", #"{"list":"l","revision":1,"window":{"start":0,"count":1}}"#),
    ("diff", #"{"from":{"list":"l","revision":1},"to":{"list":"l"}}"#),
    ("applySnapshot", #"{"list":"l","snapshot":{"list":"l","revision":1}}"#),
    ("compose", #"{"list":"c","sources":["l"]}"#), ("getText", #"{"list":"l"}"#),
    ("subscribe", #"{"list":"l","format":"textEdits"}"#),
  ])
  func stopsIfCancelled(_ method: String, _ params: String) {
    var random = SeededGenerator(seed: 2)
    var session = Session()
    func ask(
      _ method: String, _ params: String, isCancelled: @escaping () -> Bool = { false }
    ) -> String {
      let message = SharedBytes(copying: request("1", method, params).utf8)
      session.receive(.message(message), isCancelled: { _ in isCancelled() })
      return takeOutput(&session)
    }
    for _ in 0..<2 {
      let items = (0..<30_000).shuffled(using: &random).map(String.init).joined(separator: ",")
      _ = ask("applySnapshot", #"{"list":"l","items":[\#(items)],"format":"none"}"#)
    }
    let before = ask("getLists", "{}")
    for limit in 0...4 {
      var asked = 0
      let answer = ask(method, params) {
        asked += 1
        return asked > limit
      }
      #expect(answer.contains("-32800"), "asked \(asked) times")
      #expect(ask("getLists", "{}") == before)
    }
    #expect(ask(method, params).contains("\"result\""))
  }
}
