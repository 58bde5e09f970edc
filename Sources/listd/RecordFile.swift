import JSONRPC
import ListServer

/// The file that a session is recorded in; every line is written before the answer is sent.
struct RecordFile: ~Copyable {
  private let path: String
  private let descriptor: Descriptor
  private var recording = Recording()
  private let start = ContinuousClock.now
  private var hasFailed = false

  /// A cancellation that is recorded only where it is answered.
  private var pending: Frame?

  /// Begins a record in a file, which is emptied, with the lists that a session has.
  init(_ path: String, options: [String], of session: inout Session) throws(Options.Problem) {
    let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    var opened = stat()
    guard number >= 0, fstat(number, &opened) == 0 else {
      throw Options.Problem(words: "cannot record to \(path): \(Descriptor.problem)", exitCode: 1)
    }
    if opened.st_mode & S_IFMT == S_IFREG {
      // It may be the journal, or another daemon's.
      guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
        throw Options.Problem(
          words: errno == EWOULDBLOCK
            ? "cannot record to \(path): it is in use by a listd"
            : "cannot lock \(path): \(Descriptor.problem)", exitCode: 1)
      }
      guard ftruncate(number, 0) == 0 else {
        throw Options.Problem(words: "cannot empty \(path): \(Descriptor.problem)", exitCode: 1)
      }
    }
    self.path = path
    descriptor = Descriptor(number: number)
    recording.note(options: options, listsOf: &session)
    write()
  }

  /// Records what a session is about to take.
  ///
  /// A cancellation is recorded where it takes effect, and not where it was sent.
  mutating func note(_ frame: Frame, isLast: Bool) {
    if case .message(let message) = frame, Cancellation.isAll(of: message) {
      pending = frame
      return
    }
    recording.note(frame, isLast: isLast, at: milliseconds)
    write()
  }

  /// Records what a session has answered beside the first `sent` bytes of its outbox.
  mutating func noteAnswers(of session: inout Session, after sent: Int) {
    if let frame = pending, session.outbox.count > sent {
      recording.note(frame, isLast: false, at: milliseconds)
    }
    pending = nil
    for id in session.takeCancelled() { recording.note(cancelled: id, at: milliseconds) }
    let framing = session.outbox.framing
    session.outbox.withUnsafeBytes { bytes in
      recording.note(
        sent: UnsafeRawBufferPointer(rebasing: bytes[sent...]), framing, at: milliseconds)
    }
    write()
  }

  private var milliseconds: Int {
    let time = (ContinuousClock.now - start).components
    return Int(time.seconds) * 1000 + Int(time.attoseconds / 1_000_000_000_000_000)
  }

  private mutating func write() {
    guard !hasFailed else { return recording.lines.removeAll() }
    hasFailed = !recording.lines.withUnsafeBytes { descriptor.write($0) }
    if hasFailed {
      Descriptor.report("\(path) is recorded no further: \(Descriptor.problem)")
    }
    recording.lines.removeAll(keepingCapacity: recording.lines.capacity < 1 << 20)
  }
}
