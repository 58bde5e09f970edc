import JSONBytes
import JSONRPC
import ListServer

/// Frames that were read and wait to be answered, in a queue of bounded size.
///
/// Who reads puts frames in, and a thread that does nothing else waits where they take too much memory;
/// the one that answers takes them out. A cancellation is known as soon as it is read.
final class Inbox: @unchecked Sendable {
  /// What waits to be answered.
  enum Entry {
    /// `arrival` is how the rest comes of a message that was put in early.
    case frame(Frame, number: Int, isLast: Bool, framing: Framing, arrival: Arrival? = nil)
    case end
  }

  private static let byteLimit = 16 << 20
  private static let countLimit = 4096

  /// The length of a message, in bytes, from which on it is read while it comes.
  private static let arrivalSize = 1 << 20

  private var mutex = pthread_mutex_t()
  private var changed = pthread_cond_t()
  private var entries: [Entry] = []
  private var next = 0
  private var bytes = 0
  private var count = 0

  /// Whether somebody waits in `take`, and so would answer at once.
  private var isIdle = false

  /// Whether somebody did when something was put in.
  private var keepsUp = false

  /// Whether it is for the thread that only reads to read, and how it waits for that.
  private var threadHasTurn = false
  private var turn = pthread_cond_t()

  /// The message that was put in early, until all of it has come, and its number; for who reads.
  private var early: (message: SharedBytes, number: Int)?

  /// Of the message that was put in early, how many bytes have come and how many are waited for.
  private var arrived = 0
  private var awaited = Int.max

  /// Whether no more bytes come.
  private var hasEnded = false

  /// What is to be cancelled in the frames that were taken out or wait.
  private var cancellations = PendingCancellations()

  init() {
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
    pthread_cond_init(&turn, nil)
  }

  /// Puts a frame in, once there is room for it where somebody `waits` for that.
  func put(_ frame: Frame, isLast: Bool, framing: Framing, waits: Bool) {
    let size = Self.size(of: frame)
    var ids: [SharedBytes] = []
    var latest: [Superseding.Request] = []
    if case .message(let message) = frame {
      ids = Cancellation.ids(in: message)
      latest = Superseding.requests(in: message)
    }
    withLock {
      while waits, next < entries.count,
        bytes + size > Self.byteLimit || entries.count - next >= Self.countLimit
      {
        pthread_cond_wait(&changed, &mutex)
      }
      keepsUp = keepsUp || isIdle
      cancellations.note(ids, inFrame: count)
      cancellations.note(latest, inFrame: count)
      append(frame, isLast: isLast, framing)
      pthread_cond_broadcast(&changed)
    }
  }

  /// Puts a large message in of which only a part has come, where it would be answered at once: it
  /// is read while the rest comes. Returns whether it was.
  func putEarly(from reader: inout FrameReader, isIdle: Bool) -> Bool {
    guard reader.canBeginArrival(minimum: Self.arrivalSize) else { return false }
    return withLock {
      guard isIdle || self.isIdle, next == entries.count,
        let message = reader.beginArrival(minimum: Self.arrivalSize)
      else { return false }
      arrived = reader.arrived ?? 0
      early = (message, count)
      let arrival = Arrival { self.waitForArrival(of: $0, in: message) }
      append(.message(message), isLast: false, reader.framing, arrival)
      pthread_cond_broadcast(&changed)
      return true
    }
  }

  /// Notes how many bytes of the message have come that was put in early.
  func noteArrived(_ count: Int) {
    if let (message, number) = early, count == message.count {
      early = nil
      let latest = Superseding.requests(in: message)
      withLock { cancellations.note(latest, inFrame: number) }
    }
    withLock {
      arrived = count
      if count >= awaited { pthread_cond_broadcast(&changed) }
    }
  }

  /// Says that no more bytes come.
  func endArrivals() {
    withLock {
      hasEnded = true
      pthread_cond_broadcast(&changed)
    }
  }

  /// Waits until so many bytes of the message have come that was put in early, or no more come, and
  /// returns how many of them can be read.
  private func waitForArrival(of wanted: Int, in message: SharedBytes) -> Int {
    // What is read at a time may go beyond the end.
    let ahead = SharedBytes.padding
    return withLock {
      awaited = min(wanted + ahead, message.count)
      while arrived < awaited, !hasEnded { pthread_cond_wait(&changed, &mutex) }
      awaited = .max
      return arrived == message.count ? arrived : max(0, arrived - ahead)
    }
  }

  /// Says that no more frames come.
  func end() {
    withLock {
      entries.append(.end)
      pthread_cond_broadcast(&changed)
    }
  }

  /// Gives the turn to the thread that only reads; false where it has it.
  func passTurn() -> Bool {
    withLock {
      if threadHasTurn { return false }
      threadHasTurn = true
      pthread_cond_signal(&turn)
      return true
    }
  }

  /// Waits for the turn.
  func awaitTurn() {
    withLock { while !threadHasTurn { pthread_cond_wait(&turn, &mutex) } }
  }

  /// Gives the turn back to who answers, where that keeps up with what is put in.
  func returnTurn() {
    withLock {
      guard keepsUp else { return }
      threadHasTurn = false
      keepsUp = false
      pthread_cond_broadcast(&changed)
    }
  }

  /// Whether the thread that only reads has the turn.
  var isThreadsTurn: Bool { withLock { threadHasTurn } }

  /// Takes the next frame out; `nil` where none is there yet, and either `waits` is false or it is the
  /// caller's turn to read.
  func take(waits: Bool) -> Entry? {
    withLock {
      while next == entries.count {
        guard waits, threadHasTurn else { return nil }
        isIdle = true
        pthread_cond_wait(&changed, &mutex)
        isIdle = false
      }
      let entry = entries[next]
      entries[next] = .end
      next += 1
      if next == entries.count || next >= Self.countLimit {
        entries.removeFirst(next)
        next = 0
      }
      if case .frame(let frame, let number, _, _, _) = entry {
        bytes -= Self.size(of: frame)
        cancellations.forget(upToFrame: number)
      }
      pthread_cond_broadcast(&changed)
      return entry
    }
  }

  /// Whether a request that was taken out has been cancelled since it was put in.
  func isCancelled(_ id: UnsafeRawBufferPointer) -> Bool {
    withLock { cancellations.contains(id) }
  }

  private func append(
    _ frame: Frame, isLast: Bool, _ framing: Framing, _ arrival: Arrival? = nil
  ) {
    entries.append(
      .frame(frame, number: count, isLast: isLast, framing: framing, arrival: arrival))
    count += 1
    bytes += Self.size(of: frame)
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body()
  }

  private static func size(of frame: Frame) -> Int {
    switch frame {
    case .message(let bytes), .broken(_, let bytes): bytes.count
    case .tooLarge, .unterminated: 0
    }
  }
}
