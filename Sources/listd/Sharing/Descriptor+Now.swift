extension Descriptor {
  /// The bytes that can be written to a pipe without waiting if any can.
  private static let pipeBytes = 4096

  /// Reads what is there, without waiting; 0 at the end, -1 with `EAGAIN` if nothing is there.
  func readNow(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = System.receiveNow(number, buffer)
    guard count < 0, errno == ENOTSOCK else { return count }
    guard isReady(for: POLLIN) else { return -1 }
    return System.readBytes(number, buffer)
  }

  /// Writes what is taken now, without waiting; -1 with `EAGAIN` if nothing is.
  func writeNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = System.sendNow(number, bytes)
    guard count < 0, errno == ENOTSOCK else { return count }
    guard isReady(for: POLLOUT) else { return -1 }
    return System.writeBytes(number, .init(rebasing: bytes.prefix(Self.pipeBytes)))
  }

  /// Whether reading or writing does not wait; if not, `errno` is `EAGAIN`.
  private func isReady(for events: Int32) -> Bool {
    var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
    if poll(&descriptor, 1, 0) > 0 { return true }
    errno = EAGAIN
    return false
  }
}
