import ByteBuffers
import ListCompare

/// A command that is run repeatedly, whose output is shown.
struct WatchedProgram {
  let words: [String]

  /// The time from the end of one run to the start of the next.
  let interval: Duration

  /// Whether the command's standard error is captured and shown with its output.
  let capturesErrors: Bool

  /// The result of a run.
  private struct Run {
    var output: SharedBytes
    var problem: String?
  }

  /// Shows the output and its changes until standard output has no reader. Returns the exit code.
  ///
  /// - Throws: If the command cannot be run.
  func show(in view: consuming WatchView) throws(Options.Problem) -> Int32 {
    var isFirst = true
    while true {
      guard let run = try run() else { return 0 }
      let name = words.joined(separator: " ")
      let file =
        run.output.count == 0 ? .missing : ComparedFile(name: name, content: run.output)
      var problem = run.problem
      do throws(ComparisonFailure) {
        try file.content.withBytes { bytes throws(ComparisonFailure) in
          try ComparedFile.checkText(bytes, at: 0, of: name)
        }
        try view.show(file, "")
      } catch {
        if isFirst { throw Options.Problem(words: error.words, isOfCommandLine: false) }
        problem = problem ?? error.words
      }
      view.report(problem)
      isFirst = false
      guard try view.write() else { return 0 }
      let end = MonotonicTime.now.advanced(by: interval)
      while MonotonicTime.now < end {
        let rest = MonotonicTime.now.duration(to: end)
        let limit = view.isScreen ? min(rest, .seconds(1)) : rest
        // Without a descriptor, this waits only for the time limit and the end of the output.
        if Waiting.wait(for: -1, limit) == .unread { return 0 }
        guard try view.refresh() else { return 0 }
      }
    }
  }

  /// The number of bytes of error output that are kept.
  private static let mostErrors = 1 << 12

  /// Runs the command to its end. Returns nil if standard output has no reader meanwhile.
  private func run() throws(Options.Problem) -> Run? {
    let (output, errors) = (try Pipe(), try Pipe())
    defer {
      output.end()
      errors.end()
    }
    let started = WatchSignals.startChild {
      System.start(
        words, output: output.writing, errors: capturesErrors ? errors.writing : nil,
        inOwnSession: false)
    }
    guard let process = started else {
      throw Options.Problem(
        words: "cannot run \(words[0]): \(Descriptor.problem)", isOfCommandLine: false)
    }
    defer { WatchSignals.forgetChild() }
    close(output.takeWriting())
    close(errors.takeWriting())
    var said = ByteBuffer()
    var printed = ByteBuffer()
    var (isPrinting, isReporting) = (true, true)
    while isPrinting || isReporting {
      var polled = [
        pollfd(fd: isPrinting ? output.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isReporting ? errors.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: Descriptor.output.number, events: 0, revents: 0),
      ]
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      let isUnread = polled[2].revents & Int16(POLLERR | POLLHUP) != 0
      if polled[0].revents != 0 { isPrinting = Self.read(output.reading, into: &printed) }
      if polled[1].revents != 0 { isReporting = Self.read(errors.reading, into: &said) }
      if said.count > Self.mostErrors { said.truncate(to: Self.mostErrors) }
      let isTooLarge = printed.count > ComparedFile.largestSize
      guard isUnread || isTooLarge else { continue }
      kill(process, SIGTERM)
      _ = Self.end(of: process)
      if isUnread { return nil }
      throw Options.Problem(words: "\(words[0]) prints more than 2 GiB", exitCode: 1)
    }
    return Run(output: printed.shared(), problem: Self.problem(Self.end(of: process), said))
  }

  /// Reads the available bytes. Returns false at the end.
  private static func read(_ number: Int32, into buffer: inout ByteBuffer) -> Bool {
    buffer.withTail(minimum: 1 << 16) { max(0, Descriptor(number: number).read(into: $0)) } > 0
  }

  /// Waits for the end of a process. Returns its status.
  private static func end(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Describes how a process has failed, with the first line of its error output.
  private static func problem(_ status: Int32, _ said: borrowing ByteBuffer) -> String? {
    guard status != 0 else { return nil }
    let how =
      status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "ended by signal \(status & 0x7F)"
    let words = said.withUnsafeBytes { bytes in
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
    return words.isEmpty ? how : "\(how): \(words)"
  }
}

/// The two ends of a pipe that other programs do not inherit.
final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init() throws(Options.Problem) {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) {
      pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) == 0
    }
    guard isMade else {
      throw Options.Problem(words: "cannot make a pipe: \(Descriptor.problem)", exitCode: 1)
    }
    (reading, writing) = ends
    for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Returns the writing end. The caller closes it.
  func takeWriting() -> Int32 {
    defer { writing = -1 }
    return writing
  }

  func end() {
    close(reading)
    if writing >= 0 { close(writing) }
  }
}
