import Commands
import ListProtocol

/// A command of a feed that was started.
final class FeedProcess {
  /// The ends of pipes: the command's output and errors, and what its guard reports.
  let output: Int32
  let errors: Int32
  let reports: Int32

  /// The end of a pipe whose closing ends the command and all processes of its group.
  private let lifeline: Int32

  /// The ID of the command and of its group, and that of its guard.
  private let process: pid_t
  private let guardian: pid_t

  /// Why a command could not be started, as a message for people.
  struct Problem: Error {
    var words: String
  }

  /// Starts a command, and waits until it runs.
  init(_ command: FeedCommand) throws(Problem) {
    let pipes = [try Self.pipe(), try Self.pipe(), try Self.pipe(), try Self.pipe()]
    (output, errors, reports, lifeline) =
      (pipes[0].reading, pipes[1].reading, pipes[2].reading, pipes[3].writing)
    let ends = [pipes[0].writing, pipes[1].writing, pipes[2].writing, pipes[3].reading]
    let words = FeedGuard.words(command.words, in: command.directory, command.environment)
    let started = System.start(
      [System.ownProgram] + words, output: ends[0], errors: ends[1], inOwnGroup: true,
      more: [ends[3], ends[2], output, errors])
    let why = errno
    for end in ends { close(end) }
    guardian = started ?? 0
    let report = started == nil ? nil : Self.report(reports)
    if case .started(let process) = report {
      self.process = process
      return
    }
    process = 0
    for end in [output, errors, reports, lifeline] { close(end) }
    if guardian > 0 { _ = Self.status(of: guardian) }
    throw Self.problem(report, of: command, errno: why)
  }

  /// Reads the next report of the guard; `nil` if there is none any more.
  func nextReport() -> FeedGuard.Report? { Self.report(reports) }

  /// Ends the command, if it still runs, and the processes of its group.
  func end(isLost: Bool) {
    // Without its guard, nothing else ends the group.
    if isLost { kill(-process, SIGKILL) }
    for end in [lifeline, output, errors, reports] { close(end) }
    let guardian = guardian
    // The guard waits for processes that do not end at once.
    if waitpid(guardian, nil, WNOHANG) == 0 { System.startThread { _ = Self.status(of: guardian) } }
  }

  private static func problem(
    _ report: FeedGuard.Report?, of command: FeedCommand, errno why: Int32
  ) -> Problem {
    switch report {
    case .noFolder(let why):
      Problem(words: "cannot enter \(command.directory ?? ""): \(String(cString: strerror(why)))")
    case .noCommand(let why):
      Problem(words: "cannot run \(command.words[0]): \(String(cString: strerror(why)))")
    default:
      Problem(words: "cannot run \(command.words[0]): \(String(cString: strerror(why)))")
    }
  }

  private static func report(_ number: Int32) -> FeedGuard.Report? {
    var words: (Int32, Int32) = (0, 0)
    let count = withUnsafeMutableBytes(of: &words) { buffer in
      var count = 0
      while count < buffer.count {
        let read = Descriptor(number: number).read(into: .init(rebasing: buffer[count...]))
        guard read > 0 else { break }
        count += read
      }
      return count
    }
    return count == MemoryLayout.size(ofValue: words) ? .init(words.0, words.1) : nil
  }

  private static func status(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Makes a pipe whose ends other programs do not inherit, and whose numbers are above those that a
  /// guard uses.
  private static func pipe() throws(Problem) -> (reading: Int32, writing: Int32) {
    guard let ends = System.makePipe() else {
      throw Problem(words: "cannot make a pipe: \(Descriptor.problem)")
    }
    let lowest: Int32 = 8
    let moved = [ends.reading, ends.writing].map { fcntl($0, F_DUPFD_CLOEXEC, lowest) }
    let why = errno
    for end in [ends.reading, ends.writing] { close(end) }
    guard !moved.contains(where: { $0 < 0 }) else {
      for end in moved where end >= 0 { close(end) }
      throw Problem(words: "cannot make a pipe: \(String(cString: strerror(why)))")
    }
    return (moved[0], moved[1])
  }
}

extension System {
  /// A path of the running program, also if its file was replaced.
  static var ownProgram: String {
    #if os(Linux)
      if access("/proc/self/exe", X_OK) == 0 { return "/proc/self/exe" }
    #endif
    return programPath
  }

  /// Makes a pipe that programs do not inherit. Returns `nil` and sets `errno` if that fails.
  static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) { buffer in
      let numbers = buffer.baseAddress!.assumingMemoryBound(to: Int32.self)
      #if os(Linux)
        // Another thread may start a program at any time.
        return makeClosedPipe(numbers, O_CLOEXEC) == 0
      #else
        guard pipe(numbers) == 0 else { return false }
        for index in 0..<2 { _ = fcntl(numbers[index], F_SETFD, FD_CLOEXEC) }
        return true
      #endif
    }
    return isMade ? ends : nil
  }
}

#if os(Linux)
  @_silgen_name("pipe2")
  private func makeClosedPipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif
