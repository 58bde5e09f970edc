/// A file descriptor, read and written whole.
struct Descriptor: Sendable {
  static let input = Descriptor(number: 0)
  static let output = Descriptor(number: 1)
  static let error = Descriptor(number: 2)

  let number: Int32

  /// What went wrong last, in the words of the system.
  static var problem: String { String(cString: strerror(errno)) }

  /// Makes a pipe as large as it may be; true if it is one and is large now.
  func enlargePipe() -> Bool { System.enlargePipe(number) }

  /// Whether the descriptor is a pipe that so many bytes can be written to at once.
  func hasRoom(for count: Int) -> Bool {
    System.room(inPipe: number).map { count <= $0 } ?? false
  }

  /// Reads what is there, waiting until something is; 0 at the end, -1 where it cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = System.readBytes(number, buffer)
      if count >= 0 { return count }
      if errno == EAGAIN { wait(for: POLLIN) } else if errno != EINTR { return -1 }
    }
  }

  /// Writes all bytes; false where nobody reads them any more.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = System.writeBytes(number, .init(rebasing: bytes[offset...]))
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
