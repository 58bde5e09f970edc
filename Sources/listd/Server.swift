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
  func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    keepMemory()
    let inbox = Inbox()
    let isLarge = Descriptor.input.enlargePipe()
    _ = Descriptor.output.enlargePipe()
    startThread {
      read(into: inbox, chunk: isLarge ? 1 << 18 : 1 << 14)
    }
    var watched: Int?
    if let process = options.clientProcess { watch(process, &watched) }

    var session = Session(options.session)
    while session.exitCode == nil {
      guard let entry = inbox.take(waits: session.outbox.isEmpty) else {
        guard flush(&session) else { return 0 }
        continue
      }
      switch entry {
      case .end: session.finish()
      case .frame(let frame, _, let isLast, let framing):
        if session.outbox.isEmpty { session.use(framing) }
        if case .message(let message) = frame, message.count >= Self.writeSize {
          // What tells how far long work has come does not overtake earlier replies.
          guard session.outbox.isEmpty || flush(&session) else { return 0 }
        }
        session.receive(frame, isLast: isLast) {
          inbox.isCancelled($0)
        } sendNow: {
          _ = Descriptor.output.write($0)
        }
      }
      for words in session.takeDiagnostics() { Descriptor.error.write("listd: \(words)\n") }
      if let process = session.clientProcess { watch(process, &watched) }
      if session.outbox.count >= Self.writeSize {
        guard flush(&session) else { return 0 }
      }
    }
    _ = flush(&session)
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
  private func flush(_ session: inout Session) -> Bool {
    let isWritten = session.outbox.withUnsafeBytes { Descriptor.output.write($0) }
    session.outbox.removeAll()
    session.tidy()
    return isWritten
  }

  /// Reads frames until the input ends.
  private func read(into inbox: Inbox, chunk: Int) {
    var reader = FrameReader(framing: options.framing, limit: options.session.maxMessageBytes)
    while true {
      let count = reader.withTail(minimum: chunk) { tail in
        max(0, Descriptor.input.read(into: .init(rebasing: tail.prefix(max(chunk, tail.count)))))
      }
      if count == 0 { break }
      while let frame = reader.next() { inbox.put(frame, isLast: false, framing: reader.framing) }
    }
    while let frame = reader.finish() { inbox.put(frame, isLast: true, framing: reader.framing) }
    inbox.end()
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
private func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  precondition(failure == 0, "no thread can be started")
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
