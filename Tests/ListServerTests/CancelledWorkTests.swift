import ByteBuffers
import ListServer
import Testing

/// Long work checks regularly whether it is cancelled. If it is, nothing has changed.
///
/// Promise: Long work stops when it is cancelled, and has changed nothing.
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
    checkStops(method, params, after: [])
  }

  private static let view = (
    "compose", #"{"list":"v","sources":["l"],"view":{"window":{"start":0,"count":5}}}"#
  )

  /// A list that was edited is read, and a view that has followed the edit is evaluated, only as long as the
  /// request is not cancelled. What was read before a cancellation is not read again.
  @Test(arguments: [
    ("getSnapshot", #"{"list":"l"}"#),
    ("compose", #"{"list":"v","sources":["l"],"view":{}}"#),
  ])
  func listsThatFollowEdits(_ method: String, _ params: String) {
    let edits = #"{"list":"l","edits":[{"edit":"appendItems","items":[-1]}]}"#
    checkStops(method, params, after: [Self.view, ("editSnapshot", edits)], anew: true)
  }

  /// Comparisons of items that are sorted count as work, and so do sections and the rows of an outline.
  @Test(arguments: [
    (#"{"sort":[{"by":"a","as":"natural"}]}"#, 100), (#"{"sections":{"by":"a"}}"#, 20),
    (#"{"tree":{"parent":"up"}}"#, 36), (#"{"tree":{"parent":"up","open":"all"}}"#, 56),
  ])
  func sortsGroupsAndOutlines(_ view: String, _ least: Int) {
    let params = #"{"list":"v","sources":["l"],"view":\#(view)}"#
    let items = (0..<30_000).map {
      #"{"id":\#($0),"a":"x\#($0 * 7919 % 30_000)","up":\#($0 % 10 == 0 ? "null" : "\($0 - 1)")}"#
    }
    let list = (
      "applySnapshot", #"{"list":"l","items":[\#(items.joined(separator: ","))],"format":"none"}"#
    )
    #expect(checkStops("compose", params, after: [list]) >= least)
  }

  /// Checks that a request stops whenever it is cancelled, and returns how often it asks whether it is.
  /// If `anew`, each cancelled request is the first one of its session.
  @discardableResult
  private func checkStops(
    _ method: String, _ params: String, after before: [(String, String)], anew: Bool = false
  ) -> Int {
    let all = answer(method, params, after: before, limits: [])
    let limits = Array(0...4) + (1...7).map { all * $0 / 8 }
    if !anew { return answer(method, params, after: before, limits: limits) }
    for limit in limits { _ = answer(method, params, after: before, limits: [limit]) }
    return all
  }

  private func answer(
    _ method: String, _ params: String, after before: [(String, String)], limits: [Int]
  ) -> Int {
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
    for (method, params) in before { #expect(ask(method, params).contains("\"result\"")) }
    let lists = ask("getLists", "{}")
    var asked = 0
    for limit in limits {
      asked = 0
      let answer = ask(method, params) {
        asked += 1
        return asked > limit
      }
      #expect(answer.contains("-32800"), "asked \(asked) times")
      #expect(ask("getLists", "{}") == lists)
    }
    asked = 0
    let answer = ask(method, params) {
      asked += 1
      return false
    }
    #expect(answer.contains("\"result\""))
    return asked
  }
}
