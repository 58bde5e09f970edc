import ByteBuffers
import Commands
import JSONRPC
import ListProtocol
import ListServer

/// A client's connection to the shared lists: the frames that it has sent, its session, and the
/// bytes that it has yet to receive. No call waits for the client.
final class Connection {
  /// The descriptors to read from and to write to; the same for a socket.
  let input: Int32
  let output: Int32

  var session: ClientSession

  /// Whether notifications to the client are paused.
  var isBehind = false

  private var reader: FrameReader
  private var queue: [Entry] = []
  private var next = 0
  private var queuedBytes = 0

  /// The number of frames so far.
  private var count = 0
  private var cancellations = PendingCancellations()
  private var hasInputEnded = false
  private var lastRead = MonotonicTime.now

  /// Bytes that the client has not received yet.
  private var unsent = UnsentBytes()

  /// The number of bytes of notifications since the last `flush`, and the largest such number since
  /// the client has received everything.
  private var growth = 0
  private var longestGrowth = 0

  /// Whether the client has stopped reading.
  private(set) var isUnread = false

  private enum Entry {
    case frame(Frame, number: Int, isLast: Bool, framing: Framing)
    case end
  }

  /// If more bytes than this wait for a client, its requests are answered only after it has read
  /// them.
  static let waitingLimit = SharedLists.waitingLimit

  /// The memory of a connection besides waiting bytes, in bytes; an estimate.
  private static let ownSize = 1 << 18

  /// Notifications of at least this length, in bytes, are shared instead of copied.
  private static let longLine = 1 << 14

  private static let queueLimit = 1 << 20
  private static let countLimit = 1024
  private static let chunk = 1 << 16

  /// How often a request that is being answered checks for its cancellation.
  private static let patience = Duration.milliseconds(1)

  init(input: Int32, output: Int32, _ options: Options) {
    self.input = input
    self.output = output
    session = ClientSession(options.session, number: 0)
    reader = FrameReader(framing: options.framing, limit: options.session.maxMessageBytes)
  }

  /// The number of bytes that wait for the client.
  var waiting: Int { unsent.count + session.outbox.count }

  var hasEnded: Bool { session.exitCode != nil }

  /// Whether the connection can be closed.
  var isDone: Bool { hasEnded && (waiting == 0 || isUnread) }

  /// Whether the client's bytes are to be read.
  var takesInput: Bool {
    !hasInputEnded && !hasEnded && hasTurn && queuedBytes < Self.queueLimit
      && queue.count - next < Self.countLimit
  }

  /// Whether a frame is ready to be answered.
  var canServe: Bool { next < queue.count && !hasEnded && hasTurn }

  /// Whether the client may be served. A client that does not read its replies has to do so first.
  private var hasTurn: Bool { !isBehind && waiting <= Self.waitingLimit }

  /// Whether notifications as long as the previous ones could exceed the limit of waiting bytes.
  var isFull: Bool { waiting + longestGrowth + Self.ownSize > Self.waitingLimit }

  /// Whether the next entry is a frame, and not the end of the input.
  var nextIsFrame: Bool {
    if next < queue.count, case .frame = queue[next] { true } else { false }
  }

  /// Whether the next frame is a message of at least `length` bytes.
  func nextIsLong(_ length: Int) -> Bool {
    guard next < queue.count, case .frame(let frame, _, _, _) = queue[next] else { return false }
    return if case .message(let message) = frame { message.count >= length } else { false }
  }

  /// Reads the available bytes, without waiting.
  func read() {
    lastRead = .now
    let chunk = Self.chunk
    var result = 0
    var why: Int32 = 0
    _ = reader.withTail(minimum: chunk) { tail in
      let room = UnsafeMutableRawBufferPointer(rebasing: tail.prefix(max(chunk, tail.count)))
      result = Descriptor(number: input).readNow(into: room)
      why = errno
      return max(0, result)
    }
    if result < 0, why == EAGAIN || why == EINTR { return }
    if result > 0 {
      while let frame = reader.next() { append(frame, isLast: false) }
    } else {
      hasInputEnded = true
      while let frame = reader.finish() { append(frame, isLast: true) }
      queue.append(.end)
    }
  }

  /// Answers the next frame. Notifications for other clients remain in `lists`.
  func serve(
    on lists: inout SharedLists, _ record: inout RecordFile?
  ) {
    let entry = queue[next]
    next += 1
    if next == queue.count || next >= Self.countLimit {
      queue.removeFirst(next)
      next = 0
    }
    guard case .frame(let frame, let number, let isLast, let framing) = entry else {
      return session.finish()
    }
    queuedBytes -= frame.size
    cancellations.forget(upToFrame: number)
    if session.outbox.isEmpty { session.use(framing) }
    let before = session.outbox.count
    record?.append(frame, isLast: isLast, of: session.number)
    session.receive(frame, on: &lists, isLast: isLast) {
      self.isCancelled($0)
    } sendNow: {
      self.sendNow($0)
    }
    record?.appendAnswers(of: &session, on: &lists, after: before)
  }

  /// Sends a notification that another client has caused or that was paused.
  func send(_ notification: ListNotification) {
    growth += notification.count
    guard let line = notification.sharedLine, line.count >= Self.longLine else {
      return session.send(notification)
    }
    keepOutbox(from: 0)
    if session.outbox.framing == .lsp {
      let header = Outbox.header(ofLength: notification.count)
      header.withUnsafeBytes { unsent.append($0) }
      unsent.append(line, count: notification.count)
    } else {
      unsent.append(line, count: line.count)
    }
  }

  /// Ends the connection at once.
  func drop() {
    session.finish()
    isUnread = true
  }

  /// Records that the client no longer reads. Requests that it has sent are still answered, unless
  /// it has two descriptors, because its input may then never end.
  func recordUnread() {
    isUnread = true
    if input != output { session.finish() }
  }

  /// Sends waiting bytes as far as the client accepts them now.
  func flush() {
    longestGrowth = max(longestGrowth, growth)
    growth = 0
    unsent.remove(write)
    keepOutbox(from: unsent.isEmpty ? session.outbox.withUnsafeBytes { write($0) } : 0)
    if isUnread {
      recordUnread()
      unsent.removeAll()
    }
    if unsent.isEmpty { longestGrowth = 0 }
  }

  /// Moves the outbox, except for its first `count` bytes, to the waiting bytes.
  private func keepOutbox(from count: Int) {
    session.outbox.withUnsafeBytes {
      unsent.append(UnsafeRawBufferPointer(rebasing: $0[count...]))
    }
    session.outbox.removeAll(keptCapacity: Self.chunk)
  }

  /// Writes as many bytes as the client accepts now. Returns their number, or all if it no longer
  /// reads.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while !isUnread, count < bytes.count {
      let written = Descriptor(number: output).writeNow(.init(rebasing: bytes[count...]))
      if written >= 0 {
        count += written
      } else if errno == EAGAIN {
        return count
      } else if errno != EINTR {
        isUnread = true
      }
    }
    return bytes.count
  }

  /// Sends bytes while a request is being answered. The outbox is not changed.
  private func sendNow(_ bytes: UnsafeRawBufferPointer) {
    unsent.append(bytes)
    unsent.remove(write)
  }

  private func isCancelled(_ id: UnsafeRawBufferPointer) -> Bool {
    if !hasInputEnded, queuedBytes < Self.queueLimit, queue.count - next < Self.countLimit,
      lastRead.duration(to: .now) > Self.patience
    {
      read()
    }
    return cancellations.contains(id)
  }

  private func append(_ frame: Frame, isLast: Bool) {
    if case .message(let message) = frame {
      cancellations.record(Cancellation.ids(in: message), inFrame: count)
      cancellations.record(Superseding.requests(in: message), inFrame: count)
    }
    queue.append(.frame(frame, number: count, isLast: isLast, framing: reader.framing))
    count += 1
    queuedBytes += frame.size
  }
}

extension Frame {
  /// The number of bytes that the frame keeps in memory.
  var size: Int {
    switch self {
    case .message(let bytes), .broken(_, let bytes): bytes.count
    case .tooLarge, .unterminated: 0
    }
  }
}
