import JSONBytes

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

  /// Reads what is at an offset of a file; 0 at the end, -1 if it cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all bytes; returns false if that is not possible, and `errno` says why.
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

  /// Opens the null device in place of standard input, output and error if they are closed.
  ///
  /// Otherwise a file that is opened later gets the number of one of them, and what is written to
  /// that one ends up in the file.
  static func openStandard() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      if open("/dev/null", O_RDWR) != number {
        report("standard input, output or error is closed, and /dev/null cannot be opened")
        exit(1)
      }
    }
  }

  /// Replaces standard input and output by the null device.
  static func closeStandard() {
    let null = System.openFile("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return }
    dup2(null, input.number)
    dup2(null, output.number)
    close(null)
  }

  /// Writes a line for people to standard error, with its control characters escaped.
  static func report(_ words: String) {
    var line = "listd: \(words.printable)\n"
    _ = line.withUTF8 { error.write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes text to standard output; if nobody reads it, the text is dropped.
  ///
  /// - Throws: if it cannot be written for another reason.
  static func print(_ text: String) throws(Options.Problem) {
    var text = text
    guard text.withUTF8({ output.write(UnsafeRawBufferPointer($0)) }) else {
      if let problem = outputProblem { throw problem }
      return
    }
  }

  /// Why the last write to standard output failed; `nil` if nobody reads it.
  static var outputProblem: Options.Problem? {
    guard errno != EPIPE else { return nil }
    return Options.Problem(words: "cannot write to standard output: \(problem)", exitCode: 1)
  }

  private func wait(for events: Int32) {
    var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }
}
