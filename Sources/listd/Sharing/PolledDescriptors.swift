import Commands

/// The descriptors that the server waits for.
struct PolledDescriptors {
  private var polled: [pollfd] = []
  private var connections: [(connection: Connection, input: Int, output: Int)] = []

  /// The events of a connection.
  struct Events {
    var canRead: Bool
    /// Whether the other end is closed.
    var isBroken: Bool
  }

  /// Adds a descriptor. Returns its index.
  mutating func add(_ number: Int32, _ events: Int32) -> Int {
    polled.append(pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0))
    return polled.count - 1
  }

  /// Adds the descriptors of a connection.
  mutating func add(_ connection: Connection) {
    let reading = connection.takesInput ? POLLIN : 0
    let writing = connection.waiting > 0 ? POLLOUT : 0
    if connection.input == connection.output {
      let index = add(connection.input, reading | writing)
      connections.append((connection, index, index))
    } else {
      // A descriptor without requested events would still report the end of its input continuously.
      let input = add(reading == 0 ? -1 : connection.input, reading)
      connections.append((connection, input, add(connection.output, writing)))
    }
  }

  /// Waits until a descriptor is ready or a signal arrives, but not longer than `limit`.
  mutating func wait(_ limit: Duration?) {
    let count = polled.withUnsafeMutableBufferPointer {
      poll($0.baseAddress, nfds_t($0.count), limit.pollMilliseconds)
    }
    guard count < 0 else { return }
    for index in polled.indices { polled[index].revents = 0 }
  }

  /// Whether a descriptor is ready.
  func isReady(_ index: Int) -> Bool { polled[index].revents != 0 }

  /// The connections with events.
  var ready: [(connection: Connection, events: Events)] {
    connections.compactMap { connection, input, output in
      let (read, write) = (Int32(polled[input].revents), Int32(polled[output].revents))
      guard read | write != 0 else { return nil }
      // The remaining input of a socket is read before its end counts.
      let isBroken =
        input == output
        ? read & (POLLERR | POLLNVAL) != 0 || read & POLLHUP != 0 && !connection.takesInput
        : write & (POLLERR | POLLNVAL) != 0
      return (
        connection, Events(canRead: read & (POLLIN | POLLHUP) != 0, isBroken: isBroken)
      )
    }
  }
}
