import Glibc
import JSONBytes
import JSONRPC
import ListServer

/// Frames that were read and wait to be answered, in a queue of bounded size.
///
/// The thread that reads puts frames in and waits where they take too much memory; the one that
/// answers takes them out. A cancellation is known as soon as it is read.
final class Inbox: @unchecked Sendable {
  /// What waits to be answered.
  enum Entry {
    case frame(Frame, number: Int, isLast: Bool, framing: Framing)
    case end
  }

  private static let byteLimit = 16 << 20
  private static let countLimit = 4096

  private var mutex = pthread_mutex_t()
  private var changed = pthread_cond_t()
  private var entries: [Entry] = []
  private var next = 0
  private var bytes = 0
  private var count = 0

  /// Ids that are to be cancelled in frames before the one of this number.
  private var cancellations: [(number: Int, id: SharedBytes)] = []

  init() {
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&changed, nil)
  }

  /// Puts a frame in, once there is room for it.
  func put(_ frame: Frame, isLast: Bool, framing: Framing) {
    let size = Self.size(of: frame)
    var ids: [SharedBytes] = []
    if case .message(let message) = frame { ids = Cancellation.ids(in: message) }
    withLock {
      while next < entries.count,
        bytes + size > Self.byteLimit || entries.count - next >= Self.countLimit
      {
        pthread_cond_wait(&changed, &mutex)
      }
      for id in ids { cancellations.append((count, id)) }
      entries.append(.frame(frame, number: count, isLast: isLast, framing: framing))
      count += 1
      bytes += size
      pthread_cond_broadcast(&changed)
    }
  }

  /// Says that no more frames come.
  func end() {
    withLock {
      entries.append(.end)
      pthread_cond_broadcast(&changed)
    }
  }

  /// Takes the next frame out; `nil` where none is there yet and `waits` is false.
  func take(waits: Bool) -> Entry? {
    withLock {
      while next == entries.count {
        guard waits else { return nil }
        pthread_cond_wait(&changed, &mutex)
      }
      let entry = entries[next]
      entries[next] = .end
      next += 1
      if next == entries.count || next >= Self.countLimit {
        entries.removeFirst(next)
        next = 0
      }
      if case .frame(let frame, let number, _, _) = entry {
        bytes -= Self.size(of: frame)
        cancellations.removeAll { $0.number <= number }
      }
      pthread_cond_broadcast(&changed)
      return entry
    }
  }

  /// Whether a request that was taken out has been cancelled since it was put in.
  func isCancelled(_ id: UnsafeRawBufferPointer) -> Bool {
    withLock { cancellations.contains { Cancellation.isSame($0.id, id) } }
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
