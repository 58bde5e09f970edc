import Commands

/// The writing end of the signal handler's pipe.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Makes SIGTERM and SIGINT readable from a descriptor.
enum TerminationSignals {
  /// Returns a descriptor that is readable after a signal has arrived.
  ///
  /// - Throws: If no pipe can be created.
  static func descriptor() throws(CommandProblem) -> Int32 {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) {
      pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) == 0
    }
    guard isMade else {
      throw CommandProblem(words: "cannot make a pipe: \(Descriptor.problem)", exitCode: 1)
    }
    for end in [ends.0, ends.1] {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    signalPipe = ends.1
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in
        let before = errno
        var byte: UInt8 = 0
        _ = write(signalPipe, &byte, 1)
        errno = before
      }
    }
    return ends.0
  }
}
