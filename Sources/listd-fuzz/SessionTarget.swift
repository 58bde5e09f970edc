import JSONBytes
import JSONRPC
import ListServer

/// No answer breaks a law, and lists come back from the journal and the record as they were.
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

  /// Runs a session of these messages, then what it has recorded and written down.
  static func run(_ messages: [SharedBytes]) {
    var options = SessionOptions()
    options.checksAnswers = true
    options.historyBytes = 4096
    var session = Session(options)
    var journal: [UInt8] = []
    session.keepChanges(
      in: JournalSink(path: "memory") { line in
        if journal.isEmpty { journal += Array(Journal.header.utf8) }
        journal += line
        return nil
      })
    var recording = Recording()
    for message in messages where session.exitCode == nil {
      recording.note(.message(message), isLast: false, at: 0)
      session.receive(.message(message))
      check(&session, &recording)
    }
    let before = state(of: &session)
    let record = recording.takeLines()
    guard let recorded = try? RecordedSession(record),
      let replay = try? Replay(recorded, options)
    else { preconditionFailure("a record that cannot be read") }
    precondition(replay.difference == nil, "a record that is answered otherwise")
    restore(journal, and: before)
    restore(Self.journal(of: &session), and: before)
  }

  private static func check(_ session: inout Session, _ recording: inout Recording) {
    session.outbox.withUnsafeBytes { bytes in
      recording.note(sent: bytes, .ndjson, at: 0)
      for range in SentMessages(bytes, .ndjson) {
        let answer = UnsafeRawBufferPointer(rebasing: bytes[range])
        precondition(PlainJSON.accepts(answer), "an answer that is no JSON")
        let text = String(decoding: answer, as: UTF8.self)
        precondition(!text.contains("\"code\":-32603"), "a broken law: \(text)")
      }
    }
    session.outbox.removeAll()
  }

  /// What a client can see of all lists.
  static func state(of session: inout Session) -> [String] {
    // A session that has ended answers no more; its lists are told to another.
    guard session.exitCode == nil else { return [] }
    var told = ask("getLists", "{}", &session)
    guard told.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"lists\":[") else { return [] }
    var state = [told]
    told.removeFirst("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"lists\":[".count)
    for part in told.components(between: "{\"list\":", and: ",\"revision\"") {
      for method in ["getSnapshot", "getSelection"] {
        state.append(ask(method, "{\"list\":\(part)}", &session))
      }
    }
    return state
  }

  /// A journal that is written anew.
  static func journal(of session: inout Session) -> [UInt8] {
    var journal: [UInt8] = []
    let isWritten = session.writeJournal { bytes in
      journal += bytes
      return true
    }
    precondition(isWritten, "a journal that is not written")
    return journal
  }

  private static func ask(_ method: String, _ params: String, _ session: inout Session) -> String {
    let text =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"\(method)\",\"params\":\(params)}"
    session.receive(.message(SharedBytes(copying: text.utf8)))
    let told = session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    session.outbox.removeAll()
    return told
  }

  private static func restore(_ journal: [UInt8], and before: [String]) {
    guard !before.isEmpty, !journal.isEmpty else { return }
    var session = Session()
    guard let restored = try? session.restore(SharedBytes(copying: journal)) else {
      preconditionFailure("a journal that cannot be read")
    }
    precondition(restored.end == journal.count, "a journal that is torn")
    precondition(state(of: &session) == before, "lists that did not come back")
  }
}

extension String {
  /// The texts between two marks.
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
