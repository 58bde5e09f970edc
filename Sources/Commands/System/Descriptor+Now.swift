extension Descriptor {
  /// The number of bytes that a pipe accepts without blocking if it accepts any.
  private static let pipeBytes = 4096

  /// Reads the available bytes without waiting. Returns 0 at the end, or -1 with `EAGAIN` if there
  /// are none.
  package func readNow(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = System.receiveNow(number, buffer)
    guard count < 0, errno == ENOTSOCK else { return count }
    guard isReady(for: POLLIN) else { return -1 }
    return System.readBytes(number, buffer)
  }

  /// Writes without waiting. Returns -1 with `EAGAIN` if nothing can be written.
  package func writeNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = System.sendNow(number, bytes)
    guard count < 0, errno == ENOTSOCK else { return count }
    guard isReady(for: POLLOUT) else { return -1 }
    return System.writeBytes(number, .init(rebasing: bytes.prefix(Self.pipeBytes)))
  }

  /// Whether reading or writing would not block. If it would, sets `errno` to `EAGAIN`.
  private func isReady(for events: Int32) -> Bool {
    var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
    if poll(&descriptor, 1, 0) > 0 { return true }
    errno = EAGAIN
    return false
  }
}
