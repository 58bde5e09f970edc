import JSONBytes
import JSONRPC
import ListProtocol
import ListServer

/// A connection of a client to the shared lists: what it has sent, its session, and what it is to be
/// sent. Nothing here waits for the client.
final class Connection {
  /// Where the client's bytes come from and go to, which is the same for a socket.
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
  private var lastRead = ContinuousClock.now

  /// Bytes that the client has not taken yet.
  private var unsent = UnsentBytes()

  /// The bytes of the notifications since the last `flush`, and the most that there were for one
  /// since the client took everything.
  private var growth = 0
  private var longestGrowth = 0

  /// Whether nobody reads what is sent.
  private(set) var isDeaf = false

  private enum Entry {
    case frame(Frame, number: Int, isLast: Bool, framing: Framing)
    case end
  }

  /// The bytes that wait for a client beyond which nothing is done for it until it has read them.
  static let waitingLimit = SharedLists.waitingLimit

  /// About the memory that a connection takes beside what waits, in bytes.
  private static let ownSize = 1 << 18

  /// The length, in bytes, from which on a notification is not copied.
  private static let longLine = 1 << 14

  private static let queueLimit = 1 << 20
  private static let countLimit = 1024
  private static let chunk = 1 << 16

  /// After how long a request that is being answered looks for its cancellation.
  private static let patience = Duration.milliseconds(1)

  init(input: Int32, output: Int32, _ options: Options) {
    self.input = input
    self.output = output
    session = ClientSession(options.session, number: 0)
    reader = FrameReader(framing: options.framing, limit: options.session.maxMessageBytes)
  }

  /// How many bytes wait to be taken by the client.
  var waiting: Int { unsent.count + session.outbox.count }

  var hasEnded: Bool { session.exitCode != nil }

  /// Whether the connection can be closed.
  var isDone: Bool { hasEnded && (waiting == 0 || isDeaf) }

  /// Whether bytes of the client are to be read.
  var takesInput: Bool {
    !hasInputEnded && !hasEnded && hasTurn && queuedBytes < Self.queueLimit
      && queue.count - next < Self.countLimit
  }

  /// Whether there is something to do for the client.
  var canServe: Bool { next < queue.count && !hasEnded && hasTurn }

  /// A client that does not take its replies has to do so first.
  private var hasTurn: Bool { !isBehind && waiting <= Self.waitingLimit }

  /// Whether notifications as long as those before would take what waits past the limit.
  var isFull: Bool { waiting + longestGrowth + Self.ownSize > Self.waitingLimit }

  /// Whether the next thing to do is a frame, and not the end of the input.
  var nextIsFrame: Bool {
    if next < queue.count, case .frame = queue[next] { true } else { false }
  }

  /// Whether the next frame is a message of at least so many bytes.
  func nextIsLong(_ length: Int) -> Bool {
    guard next < queue.count, case .frame(let frame, _, _, _) = queue[next] else { return false }
    return if case .message(let message) = frame { message.count >= length } else { false }
  }

  /// Reads what is there, without waiting.
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

  /// Answers the next frame; what it causes for other clients stays in the lists.
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
    record?.note(frame, isLast: isLast, of: session.number)
    session.receive(frame, on: &lists, isLast: isLast) {
      self.isCancelled($0)
    } sendNow: {
      self.sendNow($0)
    }
    record?.noteAnswers(of: &session, after: before)
  }

  /// Sends a notification that another client has caused, or one that was paused.
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
    isDeaf = true
  }

  /// Notes that nobody reads what is sent. What the client has sent is still done, except if it has
  /// two descriptors, of which the other may never end.
  func noteDeafness() {
    isDeaf = true
    if input != output { session.finish() }
  }

  /// Sends what waits, as far as the client takes it now.
  func flush() {
    longestGrowth = max(longestGrowth, growth)
    growth = 0
    unsent.remove(write)
    keepOutbox(from: unsent.isEmpty ? session.outbox.withUnsafeBytes { write($0) } : 0)
    if isDeaf {
      noteDeafness()
      unsent.removeAll()
    }
    if unsent.isEmpty { longestGrowth = 0 }
  }

  /// Moves the outbox to the bytes that wait, but for those that the client has taken.
  private func keepOutbox(from count: Int) {
    session.outbox.withUnsafeBytes {
      unsent.append(UnsafeRawBufferPointer(rebasing: $0[count...]))
    }
    session.outbox.removeAll(keptCapacity: Self.chunk)
  }

  /// Writes what the client takes now; returns how many bytes, all if nobody reads them.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while !isDeaf, count < bytes.count {
      let written = Descriptor(number: output).writeNow(.init(rebasing: bytes[count...]))
      if written >= 0 {
        count += written
      } else if errno == EAGAIN {
        return count
      } else if errno != EINTR {
        isDeaf = true
      }
    }
    return bytes.count
  }

  /// Sends bytes while a request is being answered; the outbox is not touched.
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
      cancellations.note(Cancellation.ids(in: message), inFrame: count)
      cancellations.note(Superseding.requests(in: message), inFrame: count)
    }
    queue.append(.frame(frame, number: count, isLast: isLast, framing: reader.framing))
    count += 1
    queuedBytes += frame.size
  }
}

extension Frame {
  /// The bytes that are kept of it.
  var size: Int {
    switch self {
    case .message(let bytes), .broken(_, let bytes): bytes.count
    case .tooLarge, .unterminated: 0
    }
  }
}
