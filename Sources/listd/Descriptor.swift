import Glibc

/// A file descriptor, read and written whole.
struct Descriptor: Sendable {
  static let input = Descriptor(number: 0)
  static let output = Descriptor(number: 1)
  static let error = Descriptor(number: 2)

  /// `F_SETPIPE_SZ` and `F_GETPIPE_SZ`, and what an unprivileged process may ask for.
  private static let setPipeSize: Int32 = 1031
  private static let getPipeSize: Int32 = 1032
  private static let largestPipe: Int32 = 1 << 20

  let number: Int32

  /// What went wrong last, in the words of the system.
  static var problem: String { String(cString: strerror(errno)) }

  /// Makes a pipe as large as it may be; true where it is one and is large now.
  func enlargePipe() -> Bool {
    fcntl(number, Self.setPipeSize, Self.largestPipe) >= Self.largestPipe
  }

  /// Whether the descriptor is a pipe that so many bytes can be written to at once.
  func hasRoom(for count: Int) -> Bool {
    let size = Int(fcntl(number, Self.getPipeSize))
    var unread: Int32 = 0
    guard size > 0, ioctl(number, UInt(FIONREAD), &unread) == 0 else { return false }
    // Pages need not be full.
    return Int(unread) + count <= size / 2
  }

  /// Reads what is there, waiting until something is; 0 at the end, -1 where it cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = Glibc.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { wait(for: POLLIN) } else if errno != EINTR { return -1 }
    }
  }

  /// Writes all bytes; false where nobody reads them any more.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = Glibc.write(number, bytes.baseAddress! + offset, bytes.count - offset)
      if count >= 0 {
        offset += count
      } else if errno == EAGAIN {
        wait(for: POLLOUT)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  private func wait(for events: Int32) {
    var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }
}
