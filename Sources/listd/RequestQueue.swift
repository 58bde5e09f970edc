import ByteBuffers
import Commands
import JSONBytes
import JSONRPC
import ListServer
import Synchronization

/// The frames that have been read and are to be answered, in a queue of bounded size.
///
/// Readers append frames. The thread that only reads waits while the frames take too much memory.
/// The main thread removes frames and answers them. A cancellation takes effect as soon as it is
/// read.
final class RequestQueue: @unchecked Sendable {
  /// An entry of the queue.
  enum Entry {
    /// `arrival` delivers the rest of a message that was appended before all of it was received.
    case frame(Frame, number: Int, isLast: Bool, framing: Framing, arrival: PartialMessage? = nil)
    /// A feed has made a request.
    case feed
    case end
  }

  private static let byteLimit = 16 << 20
  private static let countLimit = 4096

  /// Messages of at least this length, in bytes, are parsed while they are received.
  private static let arrivalSize = 1 << 20

  // A function that has the lock does not call another one that takes it, so that accesses never
  // overlap.
  @exclusivity(unchecked) private var mutex = pthread_mutex_t()
  @exclusivity(unchecked) private var changed = pthread_cond_t()
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var bytes = 0
  @exclusivity(unchecked) private var count = 0

  /// Whether the reading thread waits for room.
  @exclusivity(unchecked) private var isFull = false

  /// Whether the main thread waits in `removeFirst`, and would answer a new frame at once.
  @exclusivity(unchecked) private var isIdle = false

  /// Whether the main thread was waiting when a frame was appended.
  @exclusivity(unchecked) private var keepsUp = false

  /// Whether the reading thread, not the main thread, has the turn to read, and the condition that
  /// it waits for.
  @exclusivity(unchecked) private var threadHasTurn = false
  @exclusivity(unchecked) private var turn = pthread_cond_t()

  /// The message that was appended early, until all of it is received, and its number. Only readers
  /// use it.
  @exclusivity(unchecked) private var early: (message: SharedBytes, number: Int)?

  /// The number of bytes of that message that were received, and the number that the parser waits
  /// for.
  @exclusivity(unchecked) private var arrived = 0
  @exclusivity(unchecked) private var awaited = Int.max

  /// Whether the reading thread keeps the turn, because feeds append entries, too.
  @exclusivity(unchecked) private var keepsTurn = false

  /// Whether the input has ended.
  @exclusivity(unchecked) private var hasEnded = false

  /// The cancellations that concern frames in the queue or the frame that is being answered.
  @exclusivity(unchecked) private var cancellations = PendingCancellations()

  /// Whether the reading thread has the turn and no cancellation is pending. Written by functions that
  /// have the lock.
  private let isQuiet = Atomic(false)

  init() {
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
    pthread_cond_init(&turn, nil)
  }

  /// Appends the frames of one read. If `waits` is true, waits for room before each.
  ///
  /// As long as there is room, they become available together: a request is not answered before
  /// those that were read with it can cancel or supersede it.
  func append(_ frames: [Frame], areLast: Bool, framing: Framing, waits: Bool) {
    if frames.isEmpty { return }
    // Few frames cancel others.
    var cancelling: [Int: (ids: [SharedBytes], latest: [Superseding.Request])] = [:]
    for index in frames.indices {
      guard case .message(let message) = frames[index] else { continue }
      let (ids, latest) = (Cancellation.ids(in: message), Superseding.requests(in: message))
      if !ids.isEmpty || !latest.isEmpty { cancelling[index] = (ids, latest) }
    }
    withLock {
      keepsUp = keepsUp || isIdle
      for index in frames.indices {
        while waits, next < entries.count,
          bytes + Self.size(of: frames[index]) > Self.byteLimit
            || entries.count - next >= Self.countLimit
        {
          pthread_cond_broadcast(&changed)
          isFull = true
          pthread_cond_wait(&changed, &mutex)
          isFull = false
        }
        if !cancelling.isEmpty, let (ids, latest) = cancelling[index] {
          cancellations.record(ids, inFrame: count)
          cancellations.record(latest, inFrame: count)
          updateQuiet()
        }
        store(frames[index], isLast: areLast, framing)
      }
      pthread_cond_broadcast(&changed)
    }
  }

  /// Appends a large message of which only a part was received, if it would be answered at once: it
  /// is parsed while the rest is received. Returns whether it was appended.
  func appendPartial(from reader: inout FrameReader, isIdle: Bool) -> Bool {
    guard reader.canBeginPartialMessage(minimum: Self.arrivalSize) else { return false }
    return withLock {
      guard isIdle || self.isIdle, next == entries.count,
        let message = reader.beginPartialMessage(minimum: Self.arrivalSize)
      else { return false }
      arrived = reader.arrived ?? 0
      early = (message, count)
      let arrival = PartialMessage { self.waitForArrival(of: $0, in: message) }
      store(.message(message), isLast: false, reader.framing, arrival)
      pthread_cond_broadcast(&changed)
      return true
    }
  }

  /// Records how many bytes of the message that was appended early have been received.
  func recordArrived(_ count: Int) {
    if let (message, number) = early, count == message.count {
      early = nil
      let latest = Superseding.requests(in: message)
      withLock {
        cancellations.record(latest, inFrame: number)
        updateQuiet()
      }
    }
    withLock {
      arrived = count
      if count >= awaited { pthread_cond_broadcast(&changed) }
    }
  }

  /// Wakes the parser of an incomplete message, because the input has ended.
  func endPartialMessage() {
    withLock {
      hasEnded = true
      pthread_cond_broadcast(&changed)
    }
  }

  /// Waits until `wanted` bytes of the message that was appended early are received or the input
  /// has ended. Returns how many of them can be read.
  private func waitForArrival(of wanted: Int, in message: SharedBytes) -> Int {
    // The parser may read a block of bytes beyond the end.
    let ahead = SharedBytes.padding
    return withLock {
      awaited = min(wanted + ahead, message.count)
      while arrived < awaited, !hasEnded { pthread_cond_wait(&changed, &mutex) }
      awaited = .max
      return arrived == message.count ? arrived : max(0, arrived - ahead)
    }
  }

  /// Appends the end of the input.
  func end() {
    withLock {
      entries.append(.end)
      pthread_cond_broadcast(&changed)
    }
  }

  /// Appends an entry for a request of a feed. The reading thread has and keeps the turn.
  func appendFeed() {
    withLock {
      entries.append(.feed)
      pthread_cond_broadcast(&changed)
    }
  }

  /// Sets whether the reading thread, once it has the turn, keeps it for good.
  func setKeepsTurn(_ keepsTurn: Bool) { withLock { self.keepsTurn = keepsTurn } }

  /// Gives the turn to the reading thread, which keeps it until the main thread has kept up again.
  /// Returns false if that thread already has it.
  func passTurn() -> Bool {
    withLock {
      // The thread may be about to return a turn that the main thread cannot use now.
      keepsUp = false
      if threadHasTurn { return false }
      threadHasTurn = true
      updateQuiet()
      pthread_cond_signal(&turn)
      return true
    }
  }

  /// Waits for the turn.
  func awaitTurn() {
    withLock { while !threadHasTurn { pthread_cond_wait(&turn, &mutex) } }
  }

  /// Gives the turn back to the main thread if that keeps up with the frames.
  func returnTurn() {
    withLock {
      guard keepsUp, !keepsTurn else { return }
      threadHasTurn = false
      keepsUp = false
      updateQuiet()
      pthread_cond_broadcast(&changed)
    }
  }

  /// Removes and returns the next entry. Returns `nil` if there is none, and either `waits` is
  /// false or the caller has the turn to read.
  func removeFirst(waits: Bool) -> Entry? {
    withLock {
      while next == entries.count {
        guard waits, threadHasTurn else { return nil }
        isIdle = true
        pthread_cond_wait(&changed, &mutex)
        isIdle = false
      }
      var entry = Entry.end
      swap(&entry, &entries[next])
      next += 1
      if next == entries.count || next >= Self.countLimit {
        entries.removeFirst(next)
        next = 0
      }
      if case .frame(let frame, let number, _, _, _) = entry {
        bytes -= Self.size(of: frame)
        cancellations.forget(upToFrame: number)
        updateQuiet()
      }
      // Waking the reading thread for each entry would take longer than answering a short request.
      let isHalfEmpty =
        entries.count - next <= Self.countLimit / 2 && bytes <= Self.byteLimit / 2
      if isFull, isHalfEmpty || next == entries.count { pthread_cond_broadcast(&changed) }
      return entry
    }
  }

  /// Whether the request with an ID that is being answered was cancelled after it was appended, and
  /// whether the reading thread has the turn.
  func state(of id: UnsafeRawBufferPointer) -> (isCancelled: Bool, isThreadsTurn: Bool) {
    if isQuiet.load(ordering: .relaxed) { return (isCancelled: false, isThreadsTurn: true) }
    return withLock { (cancellations.contains(id), threadHasTurn) }
  }

  private func updateQuiet() {
    isQuiet.store(threadHasTurn && cancellations.isEmpty, ordering: .relaxed)
  }

  private func store(
    _ frame: Frame, isLast: Bool, _ framing: Framing, _ arrival: PartialMessage? = nil
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
