import JSONBytes
import JSONRPC
import ListServer

/// Serves a session on standard input and output.
struct Server {
  let options: Options

  /// Replies are written together up to about this many bytes while more requests wait.
  private static let writeSize = 1 << 16

  /// Memory is given back when requests have left about this many bytes free.
  private static let trimSize = 1 << 20

  /// Answers until the input ends or the client says so; returns the exit code.
  ///
  /// - Throws: where a file that was asked for cannot be had, or nothing can be written any more.
  func run() throws(Options.Problem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // A file at its largest size is an error of the write, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    System.keepMemory()
    var session = Session(options.session)
    var journal: JournalFile?
    if let path = options.journal {
      journal = try JournalFile(path, syncs: options.syncsJournal, to: &session.lists)
    }
    var record: RecordFile? =
      if let path = options.record {
        try RecordFile(path, options: options.answering, of: &session.lists)
      } else { nil }
    let isLarge = Descriptor.input.enlargePipe()
    _ = Descriptor.output.enlargePipe()
    let intake = Intake(
      FrameReader(framing: options.framing, limit: options.session.maxMessageBytes),
      chunk: isLarge ? 1 << 18 : 1 << 14,
      // A record holds whole messages.
      takesEarly: options.record == nil)
    var watched: Int?
    var freed = 0
    if let process = options.clientProcess { watch(process, &watched) }

    while session.exitCode == nil {
      guard let entry = intake.next(waits: session.outbox.isEmpty) else {
        guard try flush(&session, journal, intake) else { return 0 }
        freed += session.lists.takeFreedMemory()
        if freed >= Self.trimSize {
          System.returnMemory()
          freed = 0
        }
        continue
      }
      switch entry {
      case .end: session.client.finish()
      case .frame(let frame, _, let isLast, let framing, let arrival):
        if session.outbox.isEmpty { session.client.use(framing) }
        if case .message(let message) = frame, message.count >= Self.writeSize,
          !session.outbox.isEmpty
        {
          // What tells how far long work has come does not overtake earlier replies.
          guard try flush(&session, journal, intake) else { return 0 }
        }
        let sent = session.outbox.count
        record?.note(frame, isLast: isLast)
        var problem: Options.Problem?
        session.receive(frame, isLast: isLast, arrival: arrival) {
          intake.isCancelled($0)
        } sendNow: {
          intake.readOn()
          if problem == nil, !Descriptor.output.write($0) { problem = Descriptor.outputProblem }
        }
        record?.noteAnswers(of: &session.client, after: sent)
        if let problem { throw problem }
        journal?.compact(&session.lists)
      }
      for words in session.client.takeDiagnostics() {
        intake.readOn()
        Descriptor.report(words)
      }
      if let process = session.client.clientProcess { watch(process, &watched) }
      if session.outbox.count >= Self.writeSize {
        guard try flush(&session, journal, intake) else { return 0 }
      }
    }
    _ = try flush(&session, journal, intake)
    return Int32(session.exitCode ?? 0)
  }

  /// Writes what is to be sent; false where nobody reads it.
  ///
  /// - Throws: where changes cannot be made sure of; then nothing of them is told. Also if standard
  ///   output cannot be written for another reason than that nobody reads it.
  private func flush(
    _ session: inout Session, _ journal: JournalFile?, _ intake: Intake
  ) throws(Options.Problem) -> Bool {
    if let journal, !journal.sync() {
      throw Options.Problem(words: "changes were not kept and are not answered", exitCode: 1)
    }
    // Who writes to us and does not read yet is not to wait for us.
    if !Descriptor.output.hasRoom(for: session.outbox.count) { intake.readOn() }
    let isWritten = session.outbox.withUnsafeBytes { Descriptor.output.write($0) }
    if !isWritten, let problem = Descriptor.outputProblem { throw problem }
    session.outbox.removeAll()
    return isWritten
  }

  /// Ends this process soon after another has ended.
  private func watch(_ process: Int, _ watched: inout Int?) {
    guard watched != process else { return }
    watched = process
    System.startThread {
      while System.isAlive(process) { usleep(500_000) }
      exit(0)
    }
  }
}
