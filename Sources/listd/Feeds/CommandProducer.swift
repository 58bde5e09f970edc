import ByteBuffers
import Commands
import ListCompare
import ListProtocol

/// The output of a command, as rows: of one run while they arrive, or of each of many runs as a whole.
final class CommandProducer: FeedProducer, @unchecked Sendable {
  private let command: FeedCommand
  private var process: FeedProcess?
  private var rows: ArrivingRows

  /// The output that was not sent yet, and the errors that were not logged yet.
  private var output = ByteBuffer()
  private var errors = ByteBuffer()

  /// The lines that may still be logged in this second, and the number that was left out.
  private var logRoom = CommandProducer.mostLines
  private var logStart = MonotonicTime.now
  private var unlogged = 0

  /// What arrives within this time is one edit.
  private static let patience = Duration.milliseconds(20)

  /// An edit is not much longer than this, in bytes.
  private static let longEdit = 1 << 20

  /// After the end of a command, its output ends when nothing has arrived for this long: a process that
  /// it has left may keep the pipe open.
  private static let lateOutput = Duration.milliseconds(50)

  /// The number of lines that are logged in a second, and their length in bytes.
  private static let mostLines = 100
  private static let longestLine = 1 << 12

  /// Starts the command.
  ///
  /// - Throws: If that fails.
  init(
    _ command: FeedCommand, _ source: FeedSource, _ link: FeedLink
  ) throws(FeedProcess.Problem) {
    self.command = command
    let started = try FeedProcess(command)
    process = started
    rows = ArrivingRows(ComparisonOptions(), name: command.words[0])
    do throws(FeedProcess.Problem) { try super.init(source, link) } catch {
      started.end(isLost: false)
      throw error
    }
    rows.options = rowOptions
  }

  override func finish() {
    process?.end(isLost: false)
    process = nil
  }

  override func run() throws(Ended) {
    while true {
      try readRun()
      guard let interval = command.interval else { return }
      let next = MonotonicTime.now.advanced(by: .milliseconds(interval))
      while MonotonicTime.now < next { _ = try wait(for: [], until: next) }
      do throws(FeedProcess.Problem) { process = try FeedProcess(command) } catch {
        (state.exitCode, state.signal, state.error) = (nil, nil, error.words)
        try report()
      }
    }
  }

  /// Whether rows are sent while they arrive.
  private var sendsParts: Bool { command.interval == nil && rows.areIndependent }

  /// Reads the output of a run, sends its rows, and reports how it has ended.
  private func readRun() throws(Ended) {
    guard let process else { return }
    let status = try readOutput(of: process)
    process.end(isLost: status == nil)
    self.process = nil
    (state.exitCode, state.signal, state.error) = (nil, nil, nil)
    if let status {
      if status & 0x7F == 0 {
        state.exitCode = Int(status >> 8 & 0xFF)
      } else {
        state.signal = System.name(ofSignal: status & 0x7F)
      }
    } else {
      state.error = "the command was lost"
    }
    if let code = state.exitCode, code != 0 { state.error = "exit code \(code)" }
    if let signal = state.signal { state.error = "ended by \(signal)" }
    if sendsParts {
      try sendRows(isLast: true)
      state.error = rows.note ?? state.error
    } else {
      var content = ByteBuffer()
      swap(&content, &output)
      if command.interval == nil || state.error == nil {
        let failure = try replace(content.shared(), &rows)
        state.error = failure ?? rows.note ?? state.error
      }
    }
    state.isRunning = command.interval != nil
    try report()
  }

  /// Reads what a run prints until it ends, and sends rows if they are sent in parts. Returns its status;
  /// `nil` if that is lost.
  private func readOutput(of process: FeedProcess) throws(Ended) -> Int32? {
    var (isPrinting, isReporting) = (true, true)
    var status: Int32??
    var sending: MonotonicTime?
    var ending: MonotonicTime?
    while status == nil || isPrinting || isReporting {
      let ready = try wait(
        for: [
          isPrinting ? process.output : -1, isReporting ? process.errors : -1,
          status == nil ? process.reports : -1,
        ], until: [sending, ending].compactMap { $0 }.min())
      if ready[0] {
        isPrinting = Self.read(process.output, into: &output)
        if sendsParts, sending == nil { sending = .now.advanced(by: Self.patience) }
        guard output.count <= ComparedFile.largestSize else {
          (state.isRunning, state.error) = (false, "\(command.words[0]) prints more than 2 GiB")
          try report()
          throw Ended()
        }
      }
      if ready[1] { isReporting = Self.read(process.errors, into: &errors) }
      if ready[2] {
        status = .some(nil)
        if case .ended(let code) = process.nextReport() { status = .some(code) }
      }
      if let time = sending, time <= .now || output.count >= Self.longEdit {
        sending = nil
        try sendRows(isLast: false)
      }
      if !errors.isEmpty { try logErrors(isLast: !isReporting) }
      if status != nil {
        if ready[0] || ready[1] || ending == nil { ending = .now.advanced(by: Self.lateOutput) }
        if let time = ending, time <= .now { break }
      }
    }
    return status ?? nil
  }

  /// Reads the available bytes. Returns false at the end.
  private static func read(_ number: Int32, into buffer: inout ByteBuffer) -> Bool {
    buffer.withTail(minimum: 1 << 16) { max(0, Descriptor(number: number).read(into: $0)) } > 0
  }

  /// Sends the complete rows of the output.
  private func sendRows(isLast: Bool) throws(Ended) {
    guard !output.isEmpty else { return }
    let content = output.withUnsafeBytes { SharedBytes(copying: $0) }
    var items = ByteBuffer()
    let count = rows.append(rowsOf: content, isLast: isLast, to: &items)
    output.removeAll(keepingCapacity: count < Self.longEdit)
    content.withBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[count...])) }
    try append(items, &rows)
  }

  /// Logs the complete lines of the errors.
  private func logErrors(isLast: Bool) throws(Ended) {
    if logStart.duration(to: .now) >= .seconds(1) { (logStart, logRoom) = (.now, Self.mostLines) }
    var lines: [String] = []
    let content = errors.withUnsafeBytes { SharedBytes(copying: $0) }
    errors.removeAll()
    var start = 0
    content.withBytes { bytes in
      while start < bytes.count {
        let feed = Bytes.firstIndex(of: 0x0A, in: bytes, from: start)
        let isLong = bytes.count - start >= Self.longestLine
        guard let end = feed ?? (isLast || isLong ? bytes.count : nil) else { break }
        if logRoom > 0 {
          lines.append(
            String(decoding: bytes[start..<min(end, start + Self.longestLine)], as: UTF8.self))
          logRoom -= 1
        } else {
          unlogged += 1
        }
        start = feed == nil ? end : end + 1
      }
      if start < bytes.count { errors.append(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    }
    if unlogged > 0, logRoom > 0 || isLast {
      lines.append("\(unlogged) more lines were not logged")
      unlogged = 0
    }
    if !lines.isEmpty, case .ended = link.log(lines) { throw Ended() }
  }
}

extension System {
  /// The name of a signal, such as `SIGTERM`.
  static func name(ofSignal number: Int32) -> String {
    let names: [(Int32, String)] = [
      (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGILL, "SIGILL"),
      (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
      (SIGKILL, "SIGKILL"), (SIGUSR1, "SIGUSR1"), (SIGSEGV, "SIGSEGV"), (SIGUSR2, "SIGUSR2"),
      (SIGPIPE, "SIGPIPE"), (SIGALRM, "SIGALRM"), (SIGTERM, "SIGTERM"), (SIGXCPU, "SIGXCPU"),
      (SIGXFSZ, "SIGXFSZ"), (SIGSYS, "SIGSYS"),
    ]
    return names.first { $0.0 == number }?.1 ?? "signal \(number)"
  }
}
