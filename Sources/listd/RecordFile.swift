import Commands
import JSONRPC
import ListProtocol
import ListServer

/// The file that a session is recorded in. Every line is written before the answer is sent.
struct RecordFile: ~Copyable {
  private let path: String
  private let descriptor: Descriptor
  private var recording = Recording()
  private let start = MonotonicTime.now
  private var hasFailed = false

  /// A cancellation that is recorded only when it takes effect.
  private var pending: Frame?

  /// Begins a record with the present lists in a file, replacing an older record.
  ///
  /// - Throws: If the file cannot be written, or is neither empty nor a record.
  init(_ path: String, options: [String], of lists: inout SharedLists) throws(CommandProblem) {
    let file = try LockedFile.open(path, "cannot record to")
    if file.isRegular { try Self.empty(file.descriptor, path) }
    self.path = path
    descriptor = file.descriptor
    recording.record(options: options, listsOf: &lists)
    write()
  }

  /// Empties a file that is empty or a record, and makes it private.
  private static func empty(_ descriptor: Descriptor, _ path: String) throws(CommandProblem) {
    let (isRecord, count) = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) {
      let count = pread(descriptor.number, $0.baseAddress, $0.count, 0)
      let bytes = UnsafeRawBufferPointer(rebasing: $0.prefix(max(0, count)))
      return (RecordedSession.canBegin(with: bytes), count)
    }
    guard count >= 0 else {
      throw CommandProblem(words: "cannot read \(path): \(Descriptor.problem)", exitCode: 1)
    }
    guard count == 0 || isRecord else {
      throw CommandProblem(
        words: "cannot record to \(path): it is neither empty nor a record", exitCode: 1)
    }
    guard fchmod(descriptor.number, 0o600) == 0, ftruncate(descriptor.number, 0) == 0 else {
      throw CommandProblem(words: "cannot empty \(path): \(Descriptor.problem)", exitCode: 1)
    }
  }

  /// Records a frame that a session is about to receive.
  ///
  /// A cancellation is recorded when it takes effect, not when it was sent.
  mutating func append(_ frame: Frame, isLast: Bool, of connection: Int = 1) {
    if case .message(let message) = frame, Cancellation.isAll(of: message) {
      pending = frame
      return
    }
    recording.record(frame, isLast: isLast, of: connection, at: milliseconds)
    write()
  }

  /// Records a notification that another client has caused or that was paused.
  mutating func append(_ notification: ListNotification) {
    recording.record(notification, at: milliseconds)
    write()
  }

  /// Records an event of a connection other than a message.
  mutating func append(_ event: ConnectionEvent, of connection: Int) {
    recording.record(event, of: connection, at: milliseconds)
    write()
  }

  /// Records what edits of folders have done in the last message of a session, and the bytes of its
  /// outbox after the first `sent` ones.
  mutating func appendAnswers(
    of session: inout ClientSession, on lists: inout SharedLists, after sent: Int
  ) {
    for (feed, message) in lists.service.takeFolderOutcomes() {
      recording.record(.message(message), isLast: false, of: feed, at: milliseconds)
    }
    if let frame = pending, session.outbox.count > sent {
      recording.record(frame, isLast: false, of: session.number, at: milliseconds)
    }
    pending = nil
    for id in session.takeCancelled() {
      recording.record(cancelled: id, of: session.number, at: milliseconds)
    }
    let framing = session.outbox.framing
    session.outbox.withUnsafeBytes { bytes in
      recording.record(
        sent: UnsafeRawBufferPointer(rebasing: bytes[sent...]), framing, to: session.number,
        at: milliseconds)
    }
    write()
  }

  private var milliseconds: Int {
    let time = start.duration(to: .now).components
    return Int(time.seconds) * 1000 + Int(time.attoseconds / 1_000_000_000_000_000)
  }

  private mutating func write() {
    guard !hasFailed else { return recording.lines.removeAll() }
    hasFailed = !recording.lines.withUnsafeBytes { descriptor.write($0) }
    if hasFailed {
      Descriptor.report("recording to \(path) has stopped: \(Descriptor.problem)")
    }
    recording.lines.removeAll(keepingCapacity: recording.lines.capacity < 1 << 20)
  }
}
