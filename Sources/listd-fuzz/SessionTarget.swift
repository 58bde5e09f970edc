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
    session.lists.keepChanges(
      in: JournalSink(path: "memory") { line in
        if journal.isEmpty { journal += Array(Journal.header.utf8) }
        journal += line
        return nil
      })
    var recording = Recording()
    for (place, message) in messages.enumerated() where session.exitCode == nil {
      if isCancelled(message, after: place & 7, &session) {
        // The record is replayed with messages that have come.
        session.receive(
          .message(message),
          arrival: Arrival(margin: 16 << (place & 7)) { min($0 + place & 15, message.count) })
      }
      recording.note(.message(message), isLast: false, at: 0)
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

  /// Gives a message that is cancelled once that was asked for some times; whether it was. Then it
  /// leaves no trace, so that the record without it is answered in the same way.
  private static func isCancelled(
    _ message: SharedBytes, after times: Int, _ session: inout Session
  ) -> Bool {
    var asked = 0
    // Of a batch some might be answered.
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
  static func state(of session: inout Session, withTexts: Bool = true) -> [String] {
    // A session that has ended answers no more; its lists are told to another.
    guard session.exitCode == nil else { return [] }
    let told = ask("getLists", "{}", &session)
    guard told.contains("\"result\":{\"lists\":[") else { return [] }
    var state = [told]
    for name in names(in: told) {
      for method in ["getSnapshot", "getSelection"] {
        state.append(ask(method, "{\"list\":\(name)}", &session))
      }
      if withTexts { state += text(of: name, &session) }
    }
    return state
  }

  /// The names of lists, as JSON, in a reply to `getLists`.
  static func names(in told: String) -> [String] {
    told.components(between: "{\"list\":", and: ",\"revision\"")
  }

  /// A list's text, without its revision, which begins anew, and without warnings.
  private static func text(of list: String, _ session: inout Session) -> [String] {
    let told = ask("getText", "{\"list\":\(list)}", &session)
    return Array(told.components(between: ",\"text\":", and: ",\"cursorLine\"").prefix(1))
  }

  /// A journal that is written anew.
  static func journal(of session: inout Session) -> [UInt8] {
    var journal: [UInt8] = []
    let chain = session.lists.writeJournal { bytes in
      journal += bytes
      return true
    }
    precondition(chain != nil, "a journal that is not written")
    return journal
  }

  /// Asks for something; returns the reply, without what is said behind it.
  static func ask(_ method: String, _ params: String, _ session: inout Session) -> String {
    let text =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"\(method)\",\"params\":\(params)}"
    session.receive(.message(SharedBytes(copying: text.utf8)))
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes {
      String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self)
    }
  }

  /// Lists that were written down are what they were before.
  static func restore(_ journal: [UInt8], and before: [String]) {
    guard !before.isEmpty, !journal.isEmpty else { return }
    var session = Session()
    guard let restored = try? session.lists.restore(SharedBytes(copying: journal)) else {
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
