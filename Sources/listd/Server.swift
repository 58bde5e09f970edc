import Glibc
import JSONBytes
import JSONRPC
import ListServer

/// Serves a session on standard input and output.
struct Server {
  let options: Options

  /// Replies are written together up to about this many bytes while more requests wait.
  private static let writeSize = 1 << 16

  /// Answers until the input ends or the client says so; returns the exit code.
  ///
  /// - Throws: where a file that was asked for cannot be had.
  func run() throws(Options.Problem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // A file at its largest size is an error of the write, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    keepMemory()
    var session = Session(options.session)
    var journal: JournalFile?
    if let path = options.journal {
      journal = try JournalFile(path, syncs: options.syncsJournal, to: &session)
    }
    var record: RecordFile? =
      if let path = options.record {
        try RecordFile(path, options: options.answering, of: &session)
      } else { nil }
    let isLarge = Descriptor.input.enlargePipe()
    _ = Descriptor.output.enlargePipe()
    let intake = Intake(
      FrameReader(framing: options.framing, limit: options.session.maxMessageBytes),
      chunk: isLarge ? 1 << 18 : 1 << 14,
      // A record holds whole messages.
      takesEarly: options.record == nil)
    var watched: Int?
    if let process = options.clientProcess { watch(process, &watched) }

    while session.exitCode == nil {
      guard let entry = intake.next(waits: session.outbox.isEmpty) else {
        guard try flush(&session, journal, intake) else { return 0 }
        continue
      }
      switch entry {
      case .end: session.finish()
      case .frame(let frame, _, let isLast, let framing, let arrival):
        if session.outbox.isEmpty { session.use(framing) }
        if case .message(let message) = frame, message.count >= Self.writeSize,
          !session.outbox.isEmpty
        {
          // What tells how far long work has come does not overtake earlier replies.
          guard try flush(&session, journal, intake) else { return 0 }
        }
        let sent = session.outbox.count
        record?.note(frame, isLast: isLast)
        session.receive(frame, isLast: isLast, arrival: arrival) {
          intake.isCancelled($0)
        } sendNow: {
          intake.readOn()
          _ = Descriptor.output.write($0)
        }
        record?.noteAnswers(of: &session, after: sent)
        journal?.compact(&session)
      }
      for words in session.takeDiagnostics() {
        intake.readOn()
        Descriptor.error.write("listd: \(words)\n")
      }
      if let process = session.clientProcess { watch(process, &watched) }
      if session.outbox.count >= Self.writeSize {
        guard try flush(&session, journal, intake) else { return 0 }
      }
    }
    _ = try flush(&session, journal, intake)
    return Int32(session.exitCode ?? 0)
  }

  /// Lets the pages of large buffers be used again instead of being given back each time, by both
  /// threads.
  private func keepMemory() {
    // The C library's module does not have this one function.
    guard let function = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(function, to: (@convention(c) (Int32, Int32) -> Int32).self)
    let (trimThreshold, mmapThreshold, arenaMax): (Int32, Int32, Int32) = (-1, -3, -8)
    _ = mallopt(arenaMax, 1)
    _ = mallopt(mmapThreshold, 1 << 25)
    _ = mallopt(trimThreshold, 1 << 23)
  }

  /// Writes what is to be sent; false where nobody reads it.
  ///
  /// - Throws: where changes cannot be made sure of; then nothing of them is told.
  private func flush(
    _ session: inout Session, _ journal: JournalFile?, _ intake: Intake
  ) throws(Options.Problem) -> Bool {
    if let journal, !journal.sync() {
      throw Options.Problem(words: "changes were not kept and are not answered", exitCode: 1)
    }
    // Who writes to us and does not read yet is not to wait for us.
    if !Descriptor.output.hasRoom(for: session.outbox.count) { intake.readOn() }
    let isWritten = session.outbox.withUnsafeBytes { Descriptor.output.write($0) }
    session.outbox.removeAll()
    return isWritten
  }

  /// Ends this process soon after another has ended.
  private func watch(_ process: Int, _ watched: inout Int?) {
    guard watched != process else { return }
    watched = process
    startThread {
      guard let id = pid_t(exactly: process), id > 0 else { exit(0) }
      while kill(id, 0) == 0 || errno == EPERM { usleep(500_000) }
      exit(0)
    }
  }
}

/// Runs a body on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  precondition(failure == 0, "no thread can be started")
  // Nobody waits for its end, so that what it took is given back then.
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
