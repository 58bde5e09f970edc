import Commands
import JSONBytes
import JSONRPC
import ListServer

/// Reads standard input: on the main thread while that is idle, and on a second thread while the
/// main thread is busy.
///
/// A short request is thus answered by the thread that has read it, and cancellations are read
/// while a long request is answered. Only one thread reads at a time; `RequestQueue` keeps the
/// turn.
final class InputReader: @unchecked Sendable {
  private let queue = RequestQueue()
  @exclusivity(unchecked) private var reader: FrameReader
  private let chunk: Int

  /// Whether large messages are parsed while they are received.
  private let parsesPartialMessages: Bool
  @exclusivity(unchecked) private var hasThread = false

  /// The time of the main thread's last read.
  @exclusivity(unchecked) private var lastRead = MonotonicTime.now

  /// The second thread takes over if the main thread has not read for this long.
  private static let patience = Duration.milliseconds(1)

  /// Messages of at least this length, in bytes, take longer than that to answer.
  private static let longMessage = 1 << 18

  /// Reads frames in chunks of about `chunk` bytes.
  init(_ reader: consuming FrameReader, chunk: Int, parsesPartialMessages: Bool) {
    self.reader = reader
    self.chunk = chunk
    self.parsesPartialMessages = parsesPartialMessages
  }

  /// Returns the next frame to answer; `nil` if there is none yet and `waits` is false.
  func next(waits: Bool) -> RequestQueue.Entry? {
    while true {
      if let entry = queue.removeFirst(waits: waits) {
        if case .frame(.message(let message), _, _, _, _) = entry,
          message.count >= Self.longMessage
        {
          readAhead()
        }
        return entry
      }
      guard waits else { return nil }
      _ = read(onMainThread: true)
      lastRead = .now
    }
  }

  /// Lets the second thread read from now on, because the main thread may wait or be busy for long.
  func readAhead() {
    guard queue.passTurn(), !hasThread else { return }
    hasThread = true
    System.startThread { [self] in
      repeat { queue.awaitTurn() } while read(onMainThread: false)
    }
  }

  /// Lets the second thread read as long as there are feeds, so that the main thread waits for entries
  /// from both.
  func setHasFeeds(_ hasFeeds: Bool) {
    queue.setKeepsTurn(hasFeeds)
    if hasFeeds { readAhead() }
  }

  /// Adds an entry for a request of a feed. Any thread may call it.
  func appendFeed() { queue.appendFeed() }

  /// Whether the request with an ID that is being answered was cancelled.
  func isCancelled(_ id: UnsafeRawBufferPointer) -> Bool {
    let state = queue.state(of: id)
    if !state.isThreadsTurn, lastRead.duration(to: .now) > Self.patience { readAhead() }
    return state.isCancelled
  }

  /// Reads the available bytes, waiting for at least one. Returns false at the end of the input.
  private func read(onMainThread: Bool) -> Bool {
    let count = reader.withTail(minimum: chunk) { tail in
      max(0, Descriptor.input.read(into: .init(rebasing: tail.prefix(max(chunk, tail.count)))))
    }
    if count == 0 {
      queue.endPartialMessage()
      append({ $0.finish() }, areLast: true, waits: !onMainThread)
      queue.end()
      return false
    }
    if let arrived = reader.arrived { queue.recordArrived(arrived) }
    append({ $0.next() }, areLast: false, waits: !onMainThread)
    if parsesPartialMessages, queue.appendPartial(from: &reader, isIdle: onMainThread), onMainThread
    {
      readAhead()
    }
    if !onMainThread, reader.arrived == nil { queue.returnTurn() }
    return true
  }

  /// Appends all frames that `next` returns to the queue.
  private func append(
    _ next: (inout FrameReader) -> Frame?, areLast: Bool, waits: Bool
  ) {
    var frames: [Frame] = []
    while let frame = next(&reader) { frames.append(frame) }
    queue.append(frames, areLast: areLast, framing: reader.framing, waits: waits)
  }
}
