import ByteBuffers
import ListCompare

/// A command that is run repeatedly, whose output is rows.
final class ProgramFeed: RowFeed {
  private let words: [String]

  /// The time from the end of one run to the start of the next.
  private let interval: Duration

  /// Whether the command's standard error is captured and reported.
  private let capturesErrors: Bool

  /// Whether the rows of the first run are reported while they arrive.
  private let reportsFirstRows: Bool

  private var nextRun = MonotonicTime.now
  private var isFirst = true

  /// The running command; 0 if there is none.
  private var process: pid_t = 0
  private var output: Int32 = -1
  private var errors: Int32 = -1
  private var isPrinting = false
  private var isReporting = false
  private var printed = ByteBuffer()
  private var said = ByteBuffer()

  /// When rows may be reported again, and the number of bytes that were read when they were.
  private var nextReport = MonotonicTime.now
  private var reported = 0
  private var count = 0

  init(
    _ words: [String], every interval: Duration, capturesErrors: Bool, reportsFirstRows: Bool
  ) {
    self.words = words
    self.interval = interval
    self.capturesErrors = capturesErrors
    self.reportsFirstRows = reportsFirstRows
  }

  deinit { end() }

  /// The time, in milliseconds, after which a command that does not end when it is asked to is killed.
  private static let grace = 1000

  /// The number of bytes of error output that are kept.
  private static let mostErrors = 1 << 12

  /// The number of last lines, and of bytes, that are reported before a run ends.
  private static let mostReported = (lines: 10_000, bytes: 1 << 22)

  /// The number of bytes that are read between two reports, and that are kept if rows are reported.
  private static let limits = (read: 1 << 24, kept: 1 << 26)

  /// The time between two reports of the first run, and that after which a command that has closed
  /// its output is asked again whether it has ended.
  private static let delays = (report: Duration.milliseconds(100), end: Duration.milliseconds(5))

  /// Whether the command waits until its output is reported.
  private var isFlooding: Bool {
    isFirst && reportsFirstRows && count - reported > Self.limits.read
  }

  override var isPeriodic: Bool { true }

  override var polled: [Int32] {
    guard process > 0 else { return [] }
    return (isPrinting && !isFlooding ? [output] : []) + (isReporting ? [errors] : [])
  }

  override var deadline: MonotonicTime? {
    guard process > 0 else { return nextRun }
    if !isPrinting, !isReporting { return MonotonicTime.now.advanced(by: Self.delays.end) }
    return hasUnreportedRows ? nextReport : nil
  }

  private var name: String { words.joined(separator: " ") }

  override func next() throws(CommandProblem) -> Reading? {
    if process == 0 {
      guard nextRun <= .now else { return nil }
      try start()
    }
    try read()
    if isPrinting || isReporting {
      guard hasUnreportedRows, nextReport <= .now else { return nil }
      return firstRows()
    }
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    guard ended != 0, ended > 0 || errno != EINTR else { return nil }
    TerminalSignals.forgetChild(process, isReaped: true)
    return try reading(status)
  }

  override func end() {
    guard process > 0 else { return }
    kill(process, SIGTERM)
    var hasEnded = false
    for _ in 0..<Self.grace where !hasEnded {
      hasEnded = waitpid(process, nil, WNOHANG) != 0
      if !hasEnded { usleep(1000) }
    }
    if !hasEnded {
      kill(process, SIGKILL)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
    TerminalSignals.forgetChild(process, isReaped: true)
    close()
  }

  private func close() {
    for end in [output, errors] { _ = System.closeFile(end) }
    process = 0
  }

  private func start() throws(CommandProblem) {
    let (output, errors) = (try Pipe(), try Pipe())
    let started = TerminalSignals.startChild {
      System.start(
        words, output: output.writing, errors: capturesErrors ? errors.writing : nil,
        inOwnSession: false)
    }
    guard let process = started else {
      let problem = Descriptor.problem
      output.end()
      errors.end()
      throw CommandProblem(words: "cannot run \(words[0]): \(problem)", isOfCommandLine: false)
    }
    _ = System.closeFile(output.takeWriting())
    _ = System.closeFile(errors.takeWriting())
    for end in [output.reading, errors.reading] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    self.process = process
    (self.output, self.errors) = (output.reading, errors.reading)
    (isPrinting, isReporting) = (true, true)
    nextReport = MonotonicTime.now.advanced(by: Self.delays.report)
    (count, reported) = (0, 0)
    printed = ByteBuffer()
    said = ByteBuffer()
  }

  /// Reads what has arrived, but not for ever.
  private func read() throws(CommandProblem) {
    for _ in 0..<64 where isPrinting && !isFlooding {
      guard let count = Self.read(output, into: &printed) else { break }
      isPrinting = count > 0
      self.count += count
      if reportsFirstRows, printed.count > 2 * Self.limits.kept {
        printed = Self.end(of: printed, lines: .max, bytes: Self.limits.kept)
      }
      guard printed.count <= ComparedFile.largestSize else {
        throw CommandProblem(words: "\(words[0]) prints more than 2 GiB", exitCode: 1)
      }
    }
    while isReporting {
      guard let count = Self.read(errors, into: &said) else { break }
      isReporting = count > 0
      if said.count > Self.mostErrors { said.truncate(to: Self.mostErrors) }
    }
  }

  /// Reads the available bytes. Returns 0 at the end, and nil if there are none yet.
  private static func read(_ number: Int32, into buffer: inout ByteBuffer) -> Int? {
    var found: Int?
    _ = buffer.withTail(minimum: 1 << 16) { tail in
      let count = System.readBytes(number, tail)
      found = count >= 0 ? count : errno == EAGAIN || errno == EINTR ? nil : 0
      return max(0, count)
    }
    return found
  }

  private var hasUnreportedRows: Bool {
    isFirst && reportsFirstRows && count > reported
  }

  /// The lines of the first run so far; nil if there is no whole line.
  private func firstRows() -> Reading? {
    nextReport = MonotonicTime.now.advanced(by: Self.delays.report)
    reported = count
    let (lines, bytes) = Self.mostReported
    let rows = Self.end(of: printed, lines: lines, bytes: bytes)
    guard !rows.isEmpty else { return nil }
    return Reading(file: ComparedFile(name: name, content: rows.shared()), isPart: true)
  }

  /// Returns the first line, which may be a header, and the last ones of a text. A line without an end
  /// is left out.
  private static func end(
    of text: borrowing ByteBuffer, lines: Int, bytes: Int
  ) -> ByteBuffer {
    var part = ByteBuffer()
    text.withUnsafeBytes { text in
      guard let last = Bytes.lastIndex(of: 0x0A, in: text, before: text.count),
        let first = Bytes.firstIndex(of: 0x0A, in: text, from: 0)
      else { return }
      let least = max(first + 1, last - bytes)
      var (start, count) = (last, 0)
      while count < lines, start > least,
        let end = Bytes.lastIndex(of: 0x0A, in: text, before: start), end >= least - 1
      {
        start = end
        count += 1
      }
      part.append(UnsafeRawBufferPointer(rebasing: text[...first]))
      if start >= first, start < last {
        part.append(UnsafeRawBufferPointer(rebasing: text[start + 1...last]))
      }
    }
    return part
  }

  /// Ends the run. Returns its output.
  private func reading(_ status: Int32) throws(CommandProblem) -> Reading {
    let problem = Self.problem(status, said)
    var printed = ByteBuffer()
    swap(&printed, &self.printed)
    close()
    isFirst = false
    nextRun = MonotonicTime.now.advanced(by: interval)
    let file =
      printed.isEmpty ? .missing : ComparedFile(name: name, content: printed.shared())
    return Reading(file: file, problem: problem)
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

  init() throws(CommandProblem) {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) {
      pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) == 0
    }
    guard isMade else {
      throw CommandProblem(words: "cannot make a pipe: \(Descriptor.problem)", exitCode: 1)
    }
    (reading, writing) = ends
    for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Returns the writing end. The caller closes it.
  func takeWriting() -> Int32 {
    defer { writing = -1 }
    return writing
  }

  /// Returns both ends. The caller closes them.
  func takeEnds() -> (reading: Int32, writing: Int32) { (reading, takeWriting()) }

  func end() {
    close(reading)
    if writing >= 0 { close(writing) }
  }
}
