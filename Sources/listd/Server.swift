import Commands
import JSONBytes
import JSONRPC
import ListProtocol
import ListServer

/// Serves a session on standard input and output.
struct Server {
  let options: Options

  /// Replies are collected up to about this many bytes while more requests wait.
  private static let writeSize = 1 << 16

  /// Memory is returned to the system when requests have freed about this many bytes.
  private static let trimSize = 1 << 20

  /// The session. Never freed, because that takes long if the lists have a long history, and the
  /// process ends.
  nonisolated(unsafe) private static let session =
    UnsafeMutablePointer<Session>.allocate(capacity: 1)

  /// Answers requests until the input ends or the client sends `exit`. Returns the exit code.
  ///
  /// - Throws: If a file of the options cannot be opened, or nothing can be written any more.
  func run() throws(CommandProblem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches its largest size is a write error, and does not end the process.
    signal(SIGXFSZ, SIG_IGN)
    System.keepMemory()
    let session = Self.session
    session.initialize(to: Session(options.session))
    var journal: JournalFile?
    if let path = options.journal {
      journal = try JournalFile(path, syncs: options.syncsJournal, to: &session.pointee.lists)
    }
    var record: RecordFile? =
      if let path = options.record {
        try RecordFile(path, options: options.answering, of: &session.pointee.lists)
      } else { nil }
    let isLarge = Descriptor.input.enlargePipe()
    _ = Descriptor.output.enlargePipe()
    let input = InputReader(
      FrameReader(framing: options.framing, limit: options.session.maxMessageBytes),
      chunk: isLarge ? 1 << 18 : 1 << 14,
      // A record holds complete messages.
      parsesPartialMessages: options.record == nil)
    let feeds = RunningFeeds(options.session) { input.appendFeed() }
    session.pointee.lists.allowFeeds(feeds.program)
    try serve(&session.pointee, input, feeds: feeds, journal, &record)
    journal?.abandonRewriting()
    return Int32(session.pointee.exitCode ?? 0)
  }

  /// Answers requests until the input ends, the client sends `exit`, or standard output has no
  /// reader.
  ///
  /// - Throws: If nothing can be written any more.
  private func serve(
    _ session: inout Session, _ input: InputReader, feeds: RunningFeeds, _ journal: JournalFile?,
    _ record: inout RecordFile?
  ) throws(CommandProblem) {
    var watched: Int?
    var freed = 0
    var problem: CommandProblem?
    let isCancelled = { (id: UnsafeRawBufferPointer) in input.isCancelled(id) }
    let sendNow = { (bytes: UnsafeRawBufferPointer) in
      input.readAhead()
      if problem == nil, !Descriptor.output.write(bytes) { problem = Descriptor.outputProblem }
    }
    if let process = options.clientProcess { watch(process, &watched) }
    while session.client.exitCode == nil {
      guard let entry = input.next(waits: session.client.outbox.isEmpty) else {
        guard try flush(&session, journal, input) else { return }
        freed += session.lists.service.takeFreedMemory()
        if freed >= Self.trimSize {
          System.returnMemory()
          freed = 0
        }
        continue
      }
      switch entry {
      case .end: session.client.finish()
      case .feed:
        feeds.serve(on: &session.lists, &record)
        for notification in session.lists.takeNotifications() {
          session.client.send(notification)
          record?.append(notification)
        }
        journal?.compact(&session.lists)
      case .frame(let frame, _, let isLast, let framing, let arrival):
        if session.client.outbox.isEmpty { session.client.use(framing) }
        if case .message(let message) = frame, message.count >= Self.writeSize,
          !session.client.outbox.isEmpty
        {
          // Progress notifications must not overtake earlier replies.
          guard try flush(&session, journal, input) else { return }
        }
        let sent = session.client.outbox.count
        record?.append(frame, isLast: isLast)
        session.receive(
          frame, isLast: isLast, arrival: arrival, isCancelled: isCancelled, sendNow: sendNow)
        record?.appendAnswers(of: &session.client, on: &session.lists, after: sent)
        if let problem { throw problem }
        journal?.compact(&session.lists)
      }
      if !feeds.isEmpty {
        feeds.endThose(of: &session.lists, &record)
        input.setHasFeeds(!feeds.isEmpty)
      }
      for words in session.client.takeDiagnostics() {
        input.readAhead()
        Descriptor.report(words)
      }
      if let process = session.client.clientProcess { watch(process, &watched) }
      if session.client.outbox.count >= Self.writeSize {
        guard try flush(&session, journal, input) else { return }
      }
    }
    _ = try flush(&session, journal, input)
  }

  /// Writes the outbox. Returns false if standard output has no reader.
  ///
  /// - Throws: If changes cannot be saved; then no reply about them is sent. Also if writing to
  ///   standard output fails for another reason than a missing reader.
  private func flush(
    _ session: inout Session, _ journal: JournalFile?, _ input: InputReader
  ) throws(CommandProblem) -> Bool {
    if let journal, !journal.sync() {
      throw CommandProblem(words: "changes could not be saved and are not answered", exitCode: 1)
    }
    // A client that writes before it reads must not wait for the daemon.
    if !Descriptor.output.hasRoom(for: session.client.outbox.count) { input.readAhead() }
    let isWritten = session.client.outbox.withUnsafeBytes { Descriptor.output.write($0) }
    if !isWritten, let problem = Descriptor.outputProblem { throw problem }
    session.client.outbox.removeAll()
    return isWritten
  }

  /// Ends this process soon after the process with an ID has ended.
  private func watch(_ process: Int, _ watched: inout Int?) {
    guard watched != process else { return }
    watched = process
    System.startThread {
      while System.isAlive(process) { usleep(500_000) }
      exit(0)
    }
  }
}
