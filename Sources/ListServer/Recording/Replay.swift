import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// The result of replaying recorded sessions on a new daemon, message by message.
package struct Replay {
  /// The first answer that differs from the recorded one.
  package struct Difference {
    /// The number of the line that differs, or after which an answer is missing.
    package var line: Int

    /// The message that was answered.
    package var request: SharedBytes?

    /// The recorded answer; `nil` if the record has none.
    package var recorded: SharedBytes?

    /// The present answer; `nil` if there is none.
    package var answered: SharedBytes?

    /// Where the two answers differ.
    package var location: JSONDifference?
  }

  package private(set) var difference: Difference?

  /// The record with the present answers.
  package private(set) var rewritten: [UInt8] = []

  /// The number of answers that were compared.
  package private(set) var answers = 0

  /// Whether the record ends before the last message is answered, for example because the daemon
  /// was killed.
  package private(set) var endsUnanswered = false

  /// Replays the sessions on the same lists.
  ///
  /// A cancellation applies to the requests since the last answer before it.
  ///
  /// `observe` is called after each message of a client, with the lists and the answers.
  ///
  /// - Throws: if the lists that the sessions began with cannot be restored.
  package init(
    _ recorded: RecordedSession, _ options: SessionOptions,
    observe: (inout SharedLists, RecordedSession.Entry, [SharedBytes]) -> Void = { _, _, _ in }
  ) throws(RecordedSession.Problem) {
    var lists = SharedLists(options)
    if let journal = recorded.journal {
      do { try lists.restore(journal.changes, of: journal.line) } catch {
        throw RecordedSession.Problem(line: 1, words: "the \"journal\" \(error.description)")
      }
      lists.recordChanges(in: Self.roomyJournal)
    }
    var clients: [Int: Client] = [:]
    let entries = recorded.entries
    var next = 0
    while next < entries.count {
      let entry = entries[next]
      next += 1
      switch entry.event {
      case .server(let message): record(Difference(line: entry.line, recorded: message))
      case .connection(let event):
        write(entry.text)
        compare(answers(to: event, of: entry.connection, &lists), entry, entries, &next)
        if event == .leaves { clients[entry.connection] = nil }
      case .client(let frame, let isLast):
        lists.note(client: entry.connection)
        let failure = next < entries.count ? Self.failedFeed(in: entries[next].event) : nil
        // A replay runs no command, reads no file and edits no folder: the rows, and what an edit has done,
        // are messages of the record.
        let outcomes = Self.folderOutcomes(in: entries[next...])
        var edited = 0
        lists.allowFeeds(
          FeedProgram { _, _, _ in
            failure
          } edit: { _, _ in
            defer { edited += 1 }
            return edited < outcomes.count ? outcomes[edited] : nil
          })
        let client = clients[entry.connection] ?? Self.client(entry.connection, options)
        clients[entry.connection] = client
        let answer = next + outcomes.count
        let cancelled = cancellations(in: entries[answer...], of: entry.connection)
        if answer < entries.count, let full = Self.fullJournal(in: entries[answer].event) {
          lists.recordChanges(in: full)
        }
        write(entry.text)
        for outcome in entries[next...].prefix(outcomes.count) { write(outcome.text) }
        next += outcomes.count
        guard var answers = client(frame, isLast, cancelled, &lists) else { continue }
        if lists.journal != nil { lists.journal = Self.roomyJournal }
        // Cancellations are between a request and its answer.
        while next < entries.count, entries[next].connection == entry.connection,
          case .client(.message(let message), _) = entries[next].event,
          Cancellation.isAll(of: message)
        {
          write(entries[next].text)
          answers += client(.message(message), false, [], &lists) ?? []
          next += 1
        }
        answers += notifications(of: &lists)
        observe(&lists, entry, answers.map(\.message))
        compare(answers, entry, entries, &next)
      }
    }
  }

  /// Processes a frame of a client. Returns the messages it is sent; `nil` if its session has
  /// ended.
  private typealias Client = (
    _ frame: Frame, _ isLast: Bool, _ cancelled: [SharedBytes], _ lists: inout SharedLists
  ) -> [Answer]?

  /// A message to a client.
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
    case .stops: lists.service.pause(connection)
    case .reads: _ = lists.service.resume(connection, limit: SharedLists.waitingLimit)
    case .leaves: lists.remove(client: connection)
    }
    return notifications(of: &lists)
  }

  /// Returns the notifications that other clients than the cause are sent.
  private func notifications(of lists: inout SharedLists) -> [Answer] {
    lists.takeNotifications().map { notification in
      var message = ByteBuffer()
      notification.write(to: &message)
      return Answer(connection: notification.client, message: message.shared())
    }
  }

  private mutating func compare(
    _ answers: [Answer], _ entry: RecordedSession.Entry, _ entries: [RecordedSession.Entry],
    _ next: inout Int
  ) {
    let request: SharedBytes? =
      if case .client(.message(let message), _) = entry.event { message } else { nil }
    for answer in answers {
      self.answers += 1
      let at = next < entries.count ? entries[next].at : entry.at
      rewrite(answer, at)
      guard next < entries.count else {
        endsUnanswered = true
        continue
      }
      guard case .server(let recorded) = entries[next].event,
        entries[next].connection == answer.connection
      else {
        record(
          Difference(line: entries[next].line, request: request, answered: answer.message))
        continue
      }
      let line = entries[next].line
      next += 1
      if let found = Self.difference(recorded, answer.message) {
        record(
          Difference(
            line: line, request: request, recorded: recorded, answered: answer.message,
            location: found))
      }
    }
    while next < entries.count, case .server(let recorded) = entries[next].event {
      record(Difference(line: entries[next].line, request: request, recorded: recorded))
      next += 1
    }
  }

  /// A journal that accepts everything and stores nothing.
  private static var roomyJournal: JournalSink { JournalSink(path: "") { _ in nil } }

  /// Returns the journal that failed if the recorded answer is that error, otherwise `nil`.
  private static func fullJournal(in event: RecordedSession.Event) -> JournalSink? {
    guard case .server(let message) = event else { return nil }
    return Failure.journalFailure(in: message).map { failure in
      JournalSink(path: failure.path) { _ in failure.why }
    }
  }

  /// Returns why a feed failed to start if the recorded answer is that error, otherwise `nil`.
  private static func failedFeed(in event: RecordedSession.Event) -> String? {
    guard case .server(let message) = event else { return nil }
    return Failure.feedFailure(in: message)
  }

  /// Returns what edits of folders have done before the next answer.
  private static func folderOutcomes(in entries: ArraySlice<RecordedSession.Entry>) -> [SharedBytes]
  {
    var found: [SharedBytes] = []
    for entry in entries {
      guard case .client(.message(let message), _) = entry.event,
        ListService.isFolderOutcome(message)
      else { break }
      found.append(message)
    }
    return found
  }

  private mutating func record(_ difference: Difference) {
    if self.difference == nil { self.difference = difference }
  }

  /// Returns the ids that a client cancels before the next answer.
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

  /// Returns where an answer differs from the recorded one.
  ///
  /// The version of the daemon and the text of log messages are not compared.
  private static func difference(_ recorded: SharedBytes, _ answer: SharedBytes) -> JSONDifference?
  {
    recorded.withBytes { recorded in
      answer.withBytes { answer in
        let isLog = Message.names("window/logMessage", in: answer)
        return JSONDifference.between(recorded, answer) { pointer in
          isLog
            ? pointer == "/params/message"
            : pointer == "/result/serverInfo/version" || isErrorMessage(pointer)
        }
      }
    }
  }

  /// Reports whether a pointer leads to the words of an error, in a response or in a batch of them. They
  /// are for people, and are not compared.
  private static func isErrorMessage(_ pointer: String) -> Bool {
    guard pointer.hasSuffix("/error/message") else { return false }
    let index = pointer.dropLast("/error/message".utf8.count)
    return index.isEmpty || index.first == "/" && index.dropFirst().allSatisfy(\.isNumber)
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
  /// Reports whether a message calls a method.
  fileprivate static func names(_ method: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard case .single(let envelope) = try? read(bytes), let name = envelope.method else {
      return false
    }
    return JSONReader(bytes).matches(name, method)
  }
}
