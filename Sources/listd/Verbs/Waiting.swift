/// Waits for a descriptor, and for the end of the reader of standard output.
enum Waiting {
  enum Event {
    /// The descriptor can be read.
    case ready
    /// Standard output has no reader.
    case unread
    /// A signal has arrived, or the time limit has passed.
    case nothing
  }

  /// Waits for an event, but not longer than `limit`.
  static func wait(for number: Int32, _ limit: Duration?) -> Event {
    var polled = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      // Poll reports a closed reader even if no events are requested.
      pollfd(fd: Descriptor.output.number, events: 0, revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), limit.pollMilliseconds) > 0 else { return .nothing }
    if polled[1].revents & Int16(POLLERR | POLLHUP) != 0 { return .unread }
    return polled[0].revents != 0 ? .ready : .nothing
  }
}

extension Duration? {
  /// The number of milliseconds for `poll`: -1, no limit, for nil.
  var pollMilliseconds: Int32 {
    guard let self else { return -1 }
    let (seconds, attoseconds) = self.components
    let whole = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return Int32(max(0, min(whole.rounded(.up), 1e9)))
  }
}
