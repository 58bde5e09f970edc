import JSONBytes
import JSONRPC
import ListProtocol

/// A recorded session run through a fresh daemon, message by message.
package struct Replay {
  /// The first answer that differs from the recorded one.
  package struct Difference {
    /// The number of the line that differs, or after which something is missing.
    package var line: Int

    /// The message that was answered.
    package var request: SharedBytes?

    /// What the record says; `nil` where it ends sooner.
    package var recorded: SharedBytes?

    /// What the daemon says now; `nil` where it says nothing.
    package var answered: SharedBytes?

    /// Where the two differ.
    package var place: JSONDifference?
  }

  package private(set) var difference: Difference?

  /// The record with the answers of now.
  package private(set) var rewritten: [UInt8] = []

  /// How many answers were compared.
  package private(set) var answers = 0

  /// Whether the record ends before the last message is answered, as where a daemon was killed.
  package private(set) var endsUnanswered = false

  /// Runs a session.
  ///
  /// A cancellation counts for what comes between it and the answers before it.
  ///
  /// `observe` is called with the session after each message of the client, with what was answered.
  ///
  /// - Throws: where the lists that the session began with cannot be made.
  package init(
    _ recorded: RecordedSession, _ options: SessionOptions,
    observe: (inout Session, RecordedSession.Entry, [SharedBytes]) -> Void = { _, _, _ in }
  ) throws(RecordedSession.Problem) {
    var session = Session(options)
    if let journal = recorded.journal {
      do { try session.restore(journal.changes, of: journal.line) } catch {
        throw RecordedSession.Problem(line: 1, words: "the \"journal\" \(error.description)")
      }
      session.keepChanges(in: Self.roomyJournal)
    }
    let entries = recorded.entries
    var place = 0
    while place < entries.count {
      let entry = entries[place]
      place += 1
      guard case .client(let frame, let isLast) = entry.event else {
        if case .server(let message) = entry.event {
          note(Difference(line: entry.line, recorded: message))
        }
        continue
      }
      let cancelled = cancellations(in: entries[place...])
      if place < entries.count, let full = Self.fullJournal(in: entries[place].event) {
        session.keepChanges(in: full)
      }
      session.receive(frame, isLast: isLast) { id in
        cancelled.contains { Cancellation.isSame($0, id) }
      }
      if session.journal != nil { session.journal = Self.roomyJournal }
      write(entry.text)
      // Cancellations stand between a request and its answer.
      while place < entries.count, case .client(.message(let message), _) = entries[place].event,
        Cancellation.isAll(of: message)
      {
        write(entries[place].text)
        session.receive(.message(message))
        place += 1
      }
      let answers = session.outbox.withUnsafeBytes { bytes in
        SentMessages(bytes, .ndjson).map {
          SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[$0]))
        }
      }
      session.outbox.removeAll()
      observe(&session, entry, answers)
      compare(answers, after: entry, frame, entries, &place)
      if session.exitCode != nil { break }
    }
    if place < entries.count, case .server(let message) = entries[place].event {
      note(Difference(line: entries[place].line, recorded: message))
    }
  }

  private mutating func compare(
    _ answers: [SharedBytes], after entry: RecordedSession.Entry, _ frame: Frame,
    _ entries: [RecordedSession.Entry], _ place: inout Int
  ) {
    let request: SharedBytes? = if case .message(let message) = frame { message } else { nil }
    for answer in answers {
      self.answers += 1
      let at = place < entries.count ? entries[place].at : entry.at
      rewrite(answer, at)
      guard place < entries.count else {
        endsUnanswered = true
        continue
      }
      guard case .server(let recorded) = entries[place].event else {
        note(Difference(line: entries[place].line, request: request, answered: answer))
        continue
      }
      let line = entries[place].line
      place += 1
      if let found = Self.difference(recorded, answer) {
        note(
          Difference(
            line: line, request: request, recorded: recorded, answered: answer, place: found))
      }
    }
    while place < entries.count, case .server(let recorded) = entries[place].event {
      note(Difference(line: entries[place].line, request: request, recorded: recorded))
      place += 1
    }
  }

  /// A journal that keeps everything, nowhere.
  private static var roomyJournal: JournalSink { JournalSink(path: "") { _ in nil } }

  /// The journal that could not be written when a request was answered with an error; `nil` where
  /// the answer is another.
  private static func fullJournal(in event: RecordedSession.Event) -> JournalSink? {
    guard case .server(let message) = event else { return nil }
    return Failure.journalFailure(in: message).map { failure in
      JournalSink(path: failure.path) { _ in failure.why }
    }
  }

  private mutating func note(_ difference: Difference) {
    if self.difference == nil { self.difference = difference }
  }

  /// The ids that are cancelled before the next answer.
  private func cancellations(in entries: ArraySlice<RecordedSession.Entry>) -> [SharedBytes] {
    var ids: [SharedBytes] = []
    for entry in entries {
      guard case .client(let frame, _) = entry.event else { break }
      if case .message(let message) = frame { ids += Cancellation.ids(in: message) }
    }
    return ids
  }

  /// Where an answer differs from the recorded one.
  ///
  /// The daemon's version and the words of log messages do not count.
  private static func difference(_ recorded: SharedBytes, _ answer: SharedBytes) -> JSONDifference?
  {
    recorded.withBytes { recorded in
      answer.withBytes { answer in
        let isLog = Message.names("window/logMessage", in: answer)
        return JSONDifference.between(recorded, answer) { pointer in
          isLog ? pointer == "/params/message" : pointer == "/result/serverInfo/version"
        }
      }
    }
  }

  private mutating func write(_ line: SharedBytes) {
    rewritten.append(contentsOf: line.bytes)
    rewritten.append(0x0A)
  }

  private mutating func rewrite(_ answer: SharedBytes, _ at: Int) {
    rewritten += Array("{\"at\":\(at),\"from\":\"server\",\"message\":".utf8)
    rewritten.append(contentsOf: answer.bytes)
    rewritten += Array("}\n".utf8)
  }
}

extension Message {
  /// Whether a message calls a method.
  fileprivate static func names(_ method: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard case .single(let envelope) = try? read(bytes), let name = envelope.method else {
      return false
    }
    return JSONReader(bytes).matches(name, method)
  }
}
