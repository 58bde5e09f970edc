import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol
import ListServer

/// Sends requests to a session. Every answer must be valid, and the journal and the record must
/// restore it.
///
/// Promise: A cancelled request changes nothing; in a burst each is answered once and in order.
///   Also `test_bursts.py`.
enum SessionTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    if let recorded = try? RecordedSession(SharedBytes(copying: bytes)) {
      let messages = recorded.entries.compactMap { entry -> SharedBytes? in
        if case .client(.message(let message), _) = entry.event { message } else { nil }
      }
      return run(messages)
    }
    let messages = bytes.split(separator: 0x0A).map {
      SharedBytes(copying: UnsafeRawBufferPointer(rebasing: $0))
    }
    run(messages)
  }

  /// Runs a session with these messages, then replays its record and restores its journal.
  static func run(_ messages: [SharedBytes]) {
    var options = SessionOptions()
    options.checksAnswers = true
    options.historyBytes = 4096
    var session = Session(options)
    // No feed can be started here; a replay answers as the record does.
    session.lists.allowFeeds(FeedProgram { _, _, _ in "nothing runs here" })
    var journal: [UInt8] = []
    session.lists.recordChanges(
      in: JournalSink(path: "memory") { line in
        if journal.isEmpty { journal += Array(Journal.header.utf8) }
        journal += line
        return nil
      })
    var recording = Recording()
    for (index, message) in messages.enumerated() where session.exitCode == nil {
      if isCancelled(message, after: index & 7, &session) {
        // The record is replayed with complete messages.
        session.receive(
          .message(message),
          arrival: PartialMessage(margin: 16 << (index & 7)) { min($0 + index & 15, message.count) }
        )
      }
      recording.record(.message(message), isLast: false, at: 0)
      check(&session, &recording)
    }
    let before = state(of: &session)
    let record = recording.takeLines()
    guard let recorded = try? RecordedSession(record),
      let replay = try? Replay(recorded, options)
    else { preconditionFailure("the record cannot be read") }
    precondition(replay.difference == nil, "the replay of the record differs")
    restore(journal, and: before)
    restore(Self.journal(of: &session), and: before)
  }

  /// Sends a message that is cancelled after `times` checks. Returns whether it was cancelled. If
  /// so, it has changed nothing, so that the record without it has the same answers.
  private static func isCancelled(
    _ message: SharedBytes, after times: Int, _ session: inout Session
  ) -> Bool {
    var asked = 0
    // Some requests of a batch could be answered before.
    let isSingle = message.bytes.first == 0x7B
    session.receive(
      .message(message),
      isCancelled: { _ in
        asked += 1
        return isSingle && asked > times
      })
    guard !session.client.takeCancelled().isEmpty else { return false }
    session.outbox.removeAll()
    return true
  }

  private static func check(_ session: inout Session, _ recording: inout Recording) {
    session.outbox.withUnsafeBytes { bytes in
      recording.record(sent: bytes, .ndjson, at: 0)
      for range in SentMessages(bytes, .ndjson) {
        let answer = UnsafeRawBufferPointer(rebasing: bytes[range])
        precondition(PlainJSON.accepts(answer), "an answer is not JSON")
        let text = String(decoding: answer, as: UTF8.self)
        precondition(!text.contains("\"code\":-32603"), "an invariant is violated: \(text)")
      }
    }
    session.outbox.removeAll()
  }

  /// The state of all lists that a client can see.
  static func state(of session: inout Session, withTexts: Bool = true) -> [String] {
    // A session that has ended answers no requests.
    guard session.exitCode == nil else { return [] }
    let reply = ask("getLists", "{}", &session)
    guard reply.contains("\"result\":{\"lists\":[") else { return [] }
    var state = [reply]
    for name in names(in: reply) {
      for method in ["getSnapshot", "getSelection"] {
        state.append(ask(method, "{\"list\":\(name)}", &session))
      }
      if withTexts { state += text(of: name, &session) }
    }
    return state
  }

  /// The names of lists, as JSON, from a reply to `getLists`.
  static func names(in reply: String) -> [String] {
    reply.components(between: "{\"list\":", and: ",\"revision\"")
  }

  /// A list's text, without its revision, which restarts, and without warnings.
  private static func text(of list: String, _ session: inout Session) -> [String] {
    let reply = ask("getText", "{\"list\":\(list)}", &session)
    return Array(reply.components(between: ",\"text\":", and: ",\"cursorLine\"").prefix(1))
  }

  /// A rewritten journal.
  static func journal(of session: inout Session) -> [UInt8] {
    var journal = ByteBuffer()
    var rewrite = session.lists.beginRewrite()
    // Most lists are in several pieces.
    while rewrite.appendPiece(atMost: 64, to: &journal) {}
    return journal.withUnsafeBytes { Array($0) }
  }

  /// Returns a session that checks its answers, keeps a short history and writes to a journal.
  static func session(journal: JournalLines) -> Session {
    var options = SessionOptions()
    options.checksAnswers = true
    options.historyBytes = 4096
    var session = Session(options)
    session.lists.recordChanges(in: journal.sink)
    return session
  }

  /// Sends a request. Returns the reply without the messages after it.
  static func ask(_ method: String, _ params: String, _ session: inout Session) -> String {
    let text =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"\(method)\",\"params\":\(params)}"
    session.receive(.message(SharedBytes(copying: text.utf8)))
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes {
      String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)
    }
  }

  /// Checks that lists are restored from a journal to their previous state.
  static func restore(_ journal: [UInt8], and before: [String]) {
    guard !before.isEmpty, !journal.isEmpty else { return }
    var session = Session()
    guard let restored = try? session.lists.restore(SharedBytes(copying: journal)) else {
      preconditionFailure("the journal cannot be read")
    }
    precondition(restored.end == journal.count, "the journal is incomplete")
    precondition(state(of: &session) == before, "the lists were not restored")
  }
}

extension String {
  /// The texts between pairs of delimiters.
  fileprivate func components(between opening: String, and closing: String) -> [String] {
    var result: [String] = []
    var rest = Array(utf8)[...]
    let opening = Array(opening.utf8)
    let closing = Array(closing.utf8)
    while let start = rest.indices.first(where: { rest[$0...].starts(with: opening) }) {
      rest = rest[(start + opening.count)...]
      guard let end = rest.indices.first(where: { rest[$0...].starts(with: closing) }) else {
        break
      }
      result.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[end...]
    }
    return result
  }
}

/// Checks that a reply is an error with a reason, or a result if that is `nil`.
func expect(_ reason: String?, _ reply: String) {
  let isExpected =
    reason.map { reply.utf8.contains("\"data\":{\"reason\":\"\($0)\"".utf8) }
    ?? reply.utf8.contains("\"result\":".utf8)
  precondition(isExpected, "\(reply), not \(reason ?? "a result")")
}
