import ByteBuffers
import Foundation
import JSONBytes
import JSONRPC
import ListServer
import Testing

/// Tests of clients that share lists, without sockets.
///
/// Promise: Clients of one daemon share only the lists; each change reaches all subscribers, in one
///   order, and only the client that caused it has `request`. Also `test_sharing.py`,
///   `Tests/conformance`.
@Suite struct SharedListsTests {
  /// Lists with two clients.
  private struct Pair: ~Copyable {
    var lists: SharedLists
    var first: ClientSession
    var second: ClientSession

    init() {
      var options = SessionOptions()
      options.checksAnswers = true
      lists = SharedLists(options)
      first = ClientSession(options, number: 1)
      second = ClientSession(options, number: 2)
    }

    /// Processes a request of a client. Returns the messages that each client is sent.
    mutating func ask(_ client: Int, _ request: String) -> (first: [String], second: [String]) {
      let frame = Frame.message(SharedBytes(copying: request.utf8))
      if client == 1 {
        first.receive(frame, on: &lists)
      } else {
        second.receive(frame, on: &lists)
      }
      return distribute()
    }

    /// Returns the messages that each client is sent.
    mutating func distribute() -> (first: [String], second: [String]) {
      for notification in lists.takeNotifications() {
        if notification.client == 1 { first.send(notification) } else { second.send(notification) }
      }
      defer {
        first.outbox.removeAll()
        second.outbox.removeAll()
      }
      return (lines(first.outbox), lines(second.outbox))
    }

    private func lines(_ outbox: borrowing Outbox) -> [String] {
      outbox.withUnsafeBytes {
        String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
      }
    }
  }

  private func subscribe(_ format: String) -> String {
    request("1", "subscribe", #"{"list":"l","format":"\#(format)"}"#)
  }

  private func apply(_ id: String, _ items: [Int]) -> String {
    let items = items.map { #"{"id":\#($0),"text":"\#($0 % 7)"}"# }.joined(separator: ",")
    let section = #"{"id":"main","selectionMode":"multiple","items":[\#(items)]}"#
    return request(id, "applySnapshot", #"{"list":"l","sections":[\#(section)]}"#)
  }

  private func params(_ message: String) throws -> [String: Sendable] {
    let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Sendable]
    return try #require(object?["params"] as? [String: Sendable])
  }

  @Test func onlyTheCauseIsSentItsRequest() {
    var pair = Pair()
    _ = pair.ask(1, subscribe("stages"))
    _ = pair.ask(2, subscribe("stages"))
    let sent = pair.ask(2, apply("7", [1, 2]))
    #expect(sent.first.count == 1 && sent.second.count == 2)
    #expect(!sent.first[0].contains(#""request""#))
    #expect(sent.second[1] == sent.first[0].dropLast(2) + #","request":7}}"#)
  }

  @Test func failedRequestsNotifyNobody() {
    var pair = Pair()
    _ = pair.ask(1, subscribe("ops"))
    _ = pair.ask(2, apply("1", [1]))
    pair.lists.recordChanges(in: JournalSink(path: "j") { _ in "the disk is full" })
    let sent = pair.ask(2, apply("2", [1, 2]))
    #expect(sent.first.isEmpty)
    #expect(sent.second.count == 1 && sent.second[0].contains("-31011"))
  }

  @Test func clientsThatHaveLeftAreNotNotified() {
    var pair = Pair()
    _ = pair.ask(1, subscribe("ops"))
    pair.lists.remove(client: 1)
    let sent = pair.ask(2, apply("1", [1]))
    #expect(sent.first.isEmpty && sent.second.count == 1)
  }

  /// The change after a pause is as short as that which `diff` returns for the revisions before and
  /// after it.
  ///
  /// Promise: A client that does not read costs at most 4 MiB, and as much for texts, and is then
  ///   sent one least change; no other client waits for it. Also `boundsTheTextsKeptDuringAPause`,
  ///   `Tests/faults/test_shared.py`.
  @Test(arguments: ["stages", "ops", "jsonPatch"])
  func aPauseEndsWithTheLeastChange(format: String) throws {
    var generator = SeededGenerator(seed: 5)
    var pair = Pair()
    _ = pair.ask(1, subscribe(format))
    _ = pair.ask(2, apply("1", [1, 2, 3]))
    var revision = 1
    for round in 0..<30 {
      pair.lists.service.pause(1)
      for _ in 0..<3 {
        let items = (0..<30).filter { _ in .random(using: &generator) }.shuffled(using: &generator)
        let paused = pair.ask(2, apply("2", items)).first
        let action = ["all", "invert", "none"].randomElement(using: &generator)!
        let select = request("3", "select", #"{"list":"l","action":"\#(action)"}"#)
        let stillPaused = pair.ask(2, select).first
        #expect(paused.isEmpty && stillPaused.isEmpty)
      }
      let isBehind = pair.lists.service.resume(1, limit: 1 << 20)
      #expect(!isBehind)
      let sent = pair.distribute()
      #expect(sent.second.isEmpty)
      let change = try params(try #require(sent.first.first))
      #expect(sent.first.count == 1 && change["request"] == nil)
      #expect(change["baseRevision"] as? Int == revision)
      let now = try #require(change["revision"] as? Int)
      let from = #"{"list":"l","revision":\#(revision)}"#
      let question = request(
        "4", "diff",
        #"{"from":\#(from),"to":{"list":"l"},"format":"\#(format)","content":true}"#)
      let answer = pair.ask(2, question).second[0]
      // Of equally short changes, both may choose another one.
      let start = try #require(answer.range(of: ",\"counts\":"))
      let end = try #require(answer.range(of: "}}", range: start.lowerBound..<answer.endIndex))
      #expect(sent.first[0].contains(answer[start.lowerBound..<end.upperBound]), "round \(round)")
      revision = now
    }
  }

  /// Items that left the selection during a pause are reported with the change after it.
  @Test func reportsDeselectionsDuringAPause() throws {
    var pair = Pair()
    _ = pair.ask(1, subscribe("ops"))
    _ = pair.ask(2, apply("1", [1, 2, 3]))
    _ = pair.ask(2, request("2", "select", #"{"list":"l","action":"all"}"#))
    pair.lists.service.pause(1)
    _ = pair.ask(2, apply("3", [9, 3, 2]))
    _ = pair.ask(2, request("4", "select", #"{"list":"l","action":"deselect","items":[3]}"#))
    _ = pair.lists.service.resume(1, limit: 0)
    let sent = pair.distribute().first[0]
    let wanted =
      #""deselected":[{"id":1,"at":[0,0],"gone":true},{"id":3,"at":[0,2],"gone":false}]"#
    #expect(sent.contains(wanted))
    // After a pause without changes nothing is sent.
    pair.lists.service.pause(1)
    let isBehind = pair.lists.service.resume(1, limit: 0)
    let nothing = pair.distribute().first
    #expect(!isBehind && nothing.isEmpty)
    // If only the selection has changed, that is sent.
    pair.lists.service.pause(1)
    _ = pair.ask(2, request("5", "select", #"{"list":"l","action":"none"}"#))
    _ = pair.lists.service.resume(1, limit: 0)
    let selected = pair.distribute().first[0]
    #expect(selected.contains("didSelect") && selected.contains("deselectItems"))
  }

  /// If the texts of lists have more than 4 MiB together, the first lists get edits after a pause,
  /// the others are read again. Lists whose text the client does not follow do not count.
  @Test func boundsTheTextsKeptDuringAPause() throws {
    var pair = Pair()
    let text = String(repeating: "x", count: 1_500_000)
    let lists = (0..<6).map { "l\($0)" }
    func fill(_ list: String, _ more: String) -> String {
      request("1", "applySnapshot", #"{"list":"\#(list)","items":["\#(text)"\#(more)]}"#)
    }
    for (index, list) in lists.enumerated() {
      _ = pair.ask(2, fill(list, ""))
      let format = index % 2 == 0 ? "ops" : "textEdits"
      _ = pair.ask(1, request("2", "subscribe", #"{"list":"\#(list)","format":"\#(format)"}"#))
      _ = pair.ask(2, request("2", "getText", #"{"list":"\#(list)"}"#))
    }
    for round in 0..<2 {
      pair.lists.service.pause(1)
      for list in lists { _ = pair.ask(2, fill(list, ",\(round)")) }
      let isBehind = pair.lists.service.resume(1, limit: .max)
      let sent = try pair.distribute().first.map { try params($0) }
      #expect(!isBehind && sent.map { $0["list"] as? String } == lists)
      #expect(sent.map { $0["reload"] != nil } == [false, false, false, false, false, true])
    }
  }

  @Test func resumesSourcesBeforeTheirComposites() {
    var pair = Pair()
    for list in ["a", "z"] {
      _ = pair.ask(2, request("1", "applySnapshot", #"{"list":"\#(list)","items":["x"]}"#))
    }
    _ = pair.ask(2, request("2", "compose", #"{"list":"m","sources":["z","a"]}"#))
    _ = pair.ask(2, request("3", "compose", #"{"list":"b","sources":["m"]}"#))
    for list in ["b", "m", "a", "z"] {
      _ = pair.ask(1, request("4", "subscribe", #"{"list":"\#(list)"}"#))
    }
    pair.lists.service.pause(1)
    _ = pair.ask(2, request("5", "applySnapshot", #"{"list":"z","items":["x","y"]}"#))
    _ = pair.ask(2, request("6", "applySnapshot", #"{"list":"a","items":["y"]}"#))
    _ = pair.lists.service.resume(1, limit: 1 << 20)
    let sent = pair.distribute().first
    let order = sent.compactMap { $0.firstMatch(of: /"list":"(\w)"/).map { String($0.1) } }
    #expect(order.sorted() == ["a", "b", "m", "z"])
    #expect(order.firstIndex(of: "m")! > order.firstIndex(of: "a")!)
    #expect(order.firstIndex(of: "m")! > order.firstIndex(of: "z")!)
    #expect(order.firstIndex(of: "b")! > order.firstIndex(of: "m")!)
  }

  /// A record of several connections is replayed on the same lists.
  ///
  /// Promise: A record of several connections is replayed on the same lists. Also
  ///   `test_records_hold_all_connections`.
  @Test func aRecordOfSeveralConnectionsIsReplayed() throws {
    let record = """
      {"at":0,"from":"client","message":\(subscribe("ops"))}
      {"at":0,"from":"client","connection":2,"message":\(subscribe("none"))}
      {"at":1,"from":"client","connection":2,"message":\(apply("9", [1, 2]))}
      {"at":2,"from":"client","event":"stops"}
      {"at":3,"from":"client","connection":2,"message":\(apply("10", [2]))}
      {"at":3,"from":"client","connection":2,"message":\(apply("11", [3]))}
      {"at":4,"from":"client","event":"reads"}
      {"at":5,"from":"client","connection":2,"event":"leaves"}
      {"at":6,"from":"client","message":\(apply("12", []))}

      """
    let first = try Replay(
      try RecordedSession(SharedBytes(copying: record.utf8)), SessionOptions())
    // There are four answers, and notifications for each request, with one for the pause.
    let whole = String(decoding: first.rewritten, as: UTF8.self)
    #expect(whole.contains(#""from":"server","connection":2,"message":"#))
    #expect(whole.components(separatedBy: #""method":"didChange""#).count == 7)
    let again = try Replay(
      try RecordedSession(SharedBytes(copying: first.rewritten)), SessionOptions())
    #expect(again.difference == nil && again.answers == first.answers)
    let other = whole.replacing(#""text":"2""#, with: #""text":"8""#, maxReplacements: 1)
    let differs = try Replay(
      try RecordedSession(SharedBytes(copying: other.utf8)), SessionOptions())
    #expect(differs.difference != nil)
    let bad = #"{"at":0,"from":"client","event":"sleeps"}"#
    #expect(throws: RecordedSession.Problem.self) {
      try RecordedSession(SharedBytes(copying: "\(bad)\n{}\n".utf8))
    }
  }
}
