import JSONBytes

/// A file descriptor whose reads and writes are retried until they succeed or fail.
package struct Descriptor: Sendable {
  package static let input = Descriptor(number: 0)
  package static let output = Descriptor(number: 1)
  package static let error = Descriptor(number: 2)

  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// The system's description of the last error.
  package static var problem: String { String(cString: strerror(errno)) }

  /// Makes a pipe as large as possible. Returns whether the descriptor is a pipe and is large now.
  package func enlargePipe() -> Bool { System.enlargePipe(number) }

  /// Whether the descriptor is a pipe that takes `count` bytes at once.
  package func hasRoom(for count: Int) -> Bool {
    System.room(inPipe: number).map { count <= $0 } ?? false
  }

  /// Reads the available bytes, waiting for at least one. Returns 0 at the end, or -1 if reading
  /// fails.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = System.readBytes(number, buffer)
      if count >= 0 { return count }
      if errno == EAGAIN { wait(for: POLLIN) } else if errno != EINTR { return -1 }
    }
  }

  /// Reads bytes from an offset of a file. Returns 0 at the end, or -1 if reading fails.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all bytes. If that fails, returns false and sets `errno`.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
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

  /// The standard descriptors that were closed when the program started, as bits.
  nonisolated(unsafe) private static var closed: Int32 = 0

  /// Whether a standard descriptor was closed when the program started.
  static func wasClosed(_ descriptor: Descriptor) -> Bool { closed >> descriptor.number & 1 == 1 }

  /// Opens the null device as standard input, output or error if one of them is closed.
  ///
  /// Otherwise a file that is opened later would get its number, and output that is meant for
  /// standard output or error would be written to that file.
  package static func openStandard() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      // The new descriptor has the lowest free number, which is this one.
      if open("/dev/null", O_RDWR) != number {
        report("standard input, output or error is closed, and /dev/null cannot be opened")
        exit(1)
      }
      closed |= 1 << number
    }
  }

  /// Replaces standard input and output with the null device.
  package static func closeStandard() {
    let null = System.openFile("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return }
    dup2(null, input.number)
    dup2(null, output.number)
    close(null)
  }

  /// Writes a line to standard error, with its control characters escaped.
  package static func report(_ words: String) {
    var line = "listd: \(words.printable)\n"
    _ = line.withUTF8 { error.write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes text to standard output. If standard output has no reader, the text is dropped.
  ///
  /// - Throws: If writing fails for another reason.
  package static func print(_ text: String) throws(CommandProblem) {
    var text = text
    guard text.withUTF8({ output.write(UnsafeRawBufferPointer($0)) }) else {
      if let problem = outputProblem { throw problem }
      return
    }
  }

  /// Why the last write to standard output failed; `nil` if standard output has no reader.
  package static var outputProblem: CommandProblem? {
    guard errno != EPIPE else { return nil }
    return CommandProblem(words: "cannot write to standard output: \(problem)", exitCode: 1)
  }

  private func wait(for events: Int32) {
    var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }
}
