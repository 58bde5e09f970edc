import JSONBytes
import JSONRPC
import ListProtocol

/// Recorded sessions run through a fresh daemon, message by message.
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

  /// Runs the sessions on the same lists.
  ///
  /// A cancellation counts for what comes between it and the answers before it.
  ///
  /// `observe` is called with the lists after each message of a client, with what was answered.
  ///
  /// - Throws: if the lists that the sessions began with cannot be made.
  package init(
    _ recorded: RecordedSession, _ options: SessionOptions,
    observe: (inout SharedLists, RecordedSession.Entry, [SharedBytes]) -> Void = { _, _, _ in }
  ) throws(RecordedSession.Problem) {
    var lists = SharedLists(options)
    if let journal = recorded.journal {
      do { try lists.restore(journal.changes, of: journal.line) } catch {
        throw RecordedSession.Problem(line: 1, words: "the \"journal\" \(error.description)")
      }
      lists.keepChanges(in: Self.roomyJournal)
    }
    var clients: [Int: Client] = [:]
    let entries = recorded.entries
    var place = 0
    while place < entries.count {
      let entry = entries[place]
      place += 1
      switch entry.event {
      case .server(let message): note(Difference(line: entry.line, recorded: message))
      case .connection(let event):
        write(entry.text)
        compare(answers(to: event, of: entry.connection, &lists), entry, entries, &place)
        if event == .leaves { clients[entry.connection] = nil }
      case .client(let frame, let isLast):
        let client = clients[entry.connection] ?? Self.client(entry.connection, options)
        clients[entry.connection] = client
        let cancelled = cancellations(in: entries[place...], of: entry.connection)
        if place < entries.count, let full = Self.fullJournal(in: entries[place].event) {
          lists.keepChanges(in: full)
        }
        write(entry.text)
        guard var answers = client(frame, isLast, cancelled, &lists) else { continue }
        if lists.journal != nil { lists.journal = Self.roomyJournal }
        // Cancellations stand between a request and its answer.
        while place < entries.count, entries[place].connection == entry.connection,
          case .client(.message(let message), _) = entries[place].event,
          Cancellation.isAll(of: message)
        {
          write(entries[place].text)
          answers += client(.message(message), false, [], &lists) ?? []
          place += 1
        }
        answers += notifications(of: &lists)
        observe(&lists, entry, answers.map(\.message))
        compare(answers, entry, entries, &place)
      }
    }
  }

  /// Takes a frame of a client; returns what it is sent, `nil` if its session has ended.
  private typealias Client = (
    _ frame: Frame, _ isLast: Bool, _ cancelled: [SharedBytes], _ lists: inout SharedLists
  ) -> [Answer]?

  /// A message that a client is sent.
  private struct Answer {
    let connection: Int
    let message: SharedBytes
  }

  private static func client(_ number: Int, _ options: SessionOptions) -> Client {
    var session = ClientSession(options, number: number)
    return { frame, isLast, cancelled, lists in
      guard session.exitCode == nil else { return nil }
      session.receive(frame, on: &lists, isLast: isLast) { id in
        cancelled.contains { Cancellation.isSame($0, id) }
      }
      defer { session.outbox.removeAll() }
      return session.outbox.withUnsafeBytes { bytes in
        SentMessages(bytes, .ndjson).map {
          Answer(
            connection: number,
            message: SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[$0])))
        }
      }
    }
  }

  private func answers(
    to event: ConnectionEvent, of connection: Int, _ lists: inout SharedLists
  ) -> [Answer] {
    switch event {
    case .stops: lists.pause(client: connection)
    case .reads: _ = lists.resume(client: connection, limit: SharedLists.waitingLimit)
    case .leaves: lists.remove(client: connection)
    }
    return notifications(of: &lists)
  }

  /// What clients are sent that have not asked for it.
  private func notifications(of lists: inout SharedLists) -> [Answer] {
    lists.takeNotifications().map { notification in
      var message = ByteBuffer()
      notification.write(to: &message)
      return Answer(connection: notification.client, message: message.shared())
    }
  }

  private mutating func compare(
    _ answers: [Answer], _ entry: RecordedSession.Entry, _ entries: [RecordedSession.Entry],
    _ place: inout Int
  ) {
    let request: SharedBytes? =
      if case .client(.message(let message), _) = entry.event { message } else { nil }
    for answer in answers {
      self.answers += 1
      let at = place < entries.count ? entries[place].at : entry.at
      rewrite(answer, at)
      guard place < entries.count else {
        endsUnanswered = true
        continue
      }
      guard case .server(let recorded) = entries[place].event,
        entries[place].connection == answer.connection
      else {
        note(
          Difference(line: entries[place].line, request: request, answered: answer.message))
        continue
      }
      let line = entries[place].line
      place += 1
      if let found = Self.difference(recorded, answer.message) {
        note(
          Difference(
            line: line, request: request, recorded: recorded, answered: answer.message,
            place: found))
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

  /// The ids that a client cancels before the next answer.
  private func cancellations(
    in entries: ArraySlice<RecordedSession.Entry>, of connection: Int
  ) -> [SharedBytes] {
    var ids: [SharedBytes] = []
    for entry in entries {
      guard case .client(let frame, _) = entry.event, entry.connection == connection else { break }
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

  private mutating func rewrite(_ answer: Answer, _ at: Int) {
    let connection = answer.connection > 1 ? ",\"connection\":\(answer.connection)" : ""
    rewritten += Array("{\"at\":\(at),\"from\":\"server\"\(connection),\"message\":".utf8)
    rewritten.append(contentsOf: answer.message.bytes)
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
