/// Waits for descriptors, and for the end of the reader of standard output.
enum Waiting {
  enum Event {
    /// A descriptor can be read, or has ended.
    case ready
    /// Standard output has no reader.
    case unread
    /// A signal has arrived, or the time limit has passed.
    case nothing
  }

  /// Waits for an event, but not longer than `limit`.
  static func wait(for numbers: [Int32], _ limit: Duration?) -> Event {
    // Poll reports a closed reader even if no events are requested.
    var polled = [pollfd(fd: Descriptor.output.number, events: 0, revents: 0)]
    for number in numbers { polled.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0)) }
    guard poll(&polled, nfds_t(polled.count), limit.pollMilliseconds) > 0 else { return .nothing }
    if polled[0].revents & Int16(POLLERR | POLLHUP) != 0 { return .unread }
    return .ready
  }

  /// Whether a descriptor can be read now, or has ended.
  static func isReady(_ number: Int32) -> Bool {
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}

extension Duration? {
  /// The number of milliseconds for `poll`: -1, no limit, for nil.
  package var pollMilliseconds: Int32 {
    guard let self else { return -1 }
    let (seconds, attoseconds) = self.components
    let whole = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return Int32(max(0, min(whole.rounded(.up), 1e9)))
  }
}
