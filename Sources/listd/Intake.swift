import JSONBytes
import JSONRPC
import ListServer

/// What is read from standard input, by the main thread while it has nothing else to do and by one of
/// its own while that is busy.
///
/// So a short request is answered by the thread that has read it, and cancellations are known while a
/// long one is answered. Only one of them reads at a time, as `Inbox` says.
final class Intake: @unchecked Sendable {
  private let inbox = Inbox()
  private var reader: FrameReader
  private let chunk: Int

  /// Whether large messages are read while they come.
  private let takesEarly: Bool
  private var hasThread = false

  /// When the main thread has read last.
  private var lastRead = ContinuousClock.now

  /// After how long the other thread is to read on.
  private static let patience = Duration.milliseconds(1)

  /// The length of a message, in bytes, that takes longer than that to answer.
  private static let longMessage = 1 << 18

  /// Reads frames in pieces of about `chunk` bytes.
  init(_ reader: consuming FrameReader, chunk: Int, takesEarly: Bool) {
    self.reader = reader
    self.chunk = chunk
    self.takesEarly = takesEarly
  }

  /// The next frame to answer; `nil` where none is there yet and `waits` is false.
  func next(waits: Bool) -> Inbox.Entry? {
    while true {
      if let entry = inbox.take(waits: waits) {
        if case .frame(.message(let message), _, _, _, _) = entry,
          message.count >= Self.longMessage
        {
          readOn()
        }
        return entry
      }
      guard waits else { return nil }
      _ = read(onMainThread: true)
      lastRead = .now
    }
  }

  /// Has the other thread read from now on, for this one may have to wait or be long.
  func readOn() {
    guard inbox.passTurn(), !hasThread else { return }
    hasThread = true
    System.startThread { [self] in
      repeat { inbox.awaitTurn() } while read(onMainThread: false)
    }
  }

  /// Whether a request that was taken out has been cancelled since it was put in.
  func isCancelled(_ id: UnsafeRawBufferPointer) -> Bool {
    if !inbox.isThreadsTurn, lastRead.duration(to: .now) > Self.patience { readOn() }
    return inbox.isCancelled(id)
  }

  /// Reads what is there, waiting until something is; false at the end of the input.
  private func read(onMainThread: Bool) -> Bool {
    let count = reader.withTail(minimum: chunk) { tail in
      max(0, Descriptor.input.read(into: .init(rebasing: tail.prefix(max(chunk, tail.count)))))
    }
    if count == 0 {
      inbox.endArrivals()
      while let frame = reader.finish() {
        inbox.put(frame, isLast: true, framing: reader.framing, waits: !onMainThread)
      }
      inbox.end()
      return false
    }
    if let arrived = reader.arrived { inbox.noteArrived(arrived) }
    while let frame = reader.next() {
      inbox.put(frame, isLast: false, framing: reader.framing, waits: !onMainThread)
    }
    if takesEarly, inbox.putEarly(from: &reader, isIdle: onMainThread), onMainThread { readOn() }
    if !onMainThread, reader.arrived == nil { inbox.returnTurn() }
    return true
  }
}
