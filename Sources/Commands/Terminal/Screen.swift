import ByteBuffers
import Terminals

/// A terminal whose screen, or a part of it, this program draws, and whose keys it reads, until the value
/// is deinitialized or the program ends.
struct Screen: ~Copyable {
  let output: Descriptor

  /// Where keys are read; nil if there are none.
  private(set) var keys: Descriptor?
  private let wakeReading: Int32
  private let wakeWriting: Int32
  private var parser = InputParser()
  private var writer: FrameWriter

  /// The size of the terminal, and the number of its rows that are drawn.
  private(set) var terminal = (width: 80, height: 24)
  private var rows: Int?
  private let tracksMouse: Bool

  /// The first row of the terminal that is drawn; nil if the terminal has not said it yet.
  private var firstRow: Int?

  /// The row of the cursor in what is drawn when the terminal was asked for its position.
  private var askedRow = 0

  let colors: TerminalColors

  /// When a sequence that nothing follows is an Escape key; nil if none has begun.
  private(set) var escapeDeadline: MonotonicTime?

  /// The time after which an Escape that nothing follows is a key.
  static let escapeDelay = Duration.milliseconds(40)

  /// Opens the screen of the terminal at a descriptor, or as many of its rows as `rows` returns for its
  /// height. Keys are read from the controlling terminal, if there is one; also those that otherwise
  /// send signals, if it `takesAllKeys`.
  ///
  /// - Throws: If the process has no descriptor left.
  init(
    on output: Descriptor = .output, isColoured: Bool = true, takesAllKeys: Bool = false,
    tracksMouse: Bool = true, rows: ((Int) -> Int)? = nil
  ) throws(CommandProblem) {
    let pipe = try Pipe()
    (wakeReading, wakeWriting) = pipe.takeEnds()
    for end in [wakeReading, wakeWriting] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    self.output = output
    colors = TerminalColors.environment(isColoured: isColoured)
    writer = FrameWriter(colors: colors, isRelative: rows != nil)
    self.tracksMouse = tracksMouse
    let input = System.openFile("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    let candidates = input >= 0 ? [input] : [Descriptor.input.number, output.number]
    let number = candidates.first { isatty($0) == 1 }
    var cooked = termios()
    if let number, tcgetattr(number, &cooked) == 0 { keys = Descriptor(number: number) }
    var raw = cooked
    raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN | (takesAllKeys ? ISIG : 0))
    measure()
    self.rows = rows.map { $0(terminal.height) }
    TerminalSignals.open(
      keys?.number ?? -1, output: output.number, cooked: cooked, raw: raw, wake: wakeWriting,
      region, tracksMouse: tracksMouse)
  }

  private var region: TerminalSignals.Region { rows.map { .rows($0) } ?? .whole }

  /// The size of what is drawn.
  var size: (width: Int, height: Int) { (terminal.width, rows ?? terminal.height) }

  /// Whether there is a terminal whose keys can be read.
  var hasKeys: Bool { keys != nil }

  deinit { TerminalSignals.close() }

  /// Whether standard output is a terminal that can move its cursor.
  static var isPossible: Bool {
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(Descriptor.output.number) == 1 && !term.isEmpty && term != "dumb"
  }

  /// Reads the size of the terminal. Sizes that no terminal has are replaced.
  private mutating func measure() {
    var found = winsize()
    guard ioctl(output.number, UInt(TIOCGWINSZ), &found) == 0, found.ws_col > 0, found.ws_row > 0
    else { return }
    terminal = (min(Int(found.ws_col), 2000), min(Int(found.ws_row), 1000))
  }

  /// Descriptors that have events for this program when they can be read.
  var polled: [Int32] { [wakeReading] + (keys.map { [$0.number] } ?? []) }

  /// Whether an Escape key may have been pressed.
  var isWaiting: Bool { parser.isWaiting }

  /// Reads what has arrived. Returns what the user has done, and whether everything must be drawn
  /// again.
  mutating func read() -> (events: [InputEvent], isResized: Bool) {
    var isResized = false
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
      let wakes = Descriptor(number: wakeReading).readNow(into: buffer) > 0
      if wakes { isResized = true }
      guard let keys, Waiting.isReady(keys.number) else { return }
      let count = System.readBytes(keys.number, buffer)
      if count > 0 {
        parser.add(buffer.prefix(count))
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        // The terminal was closed, or belongs to another program.
        self.keys = nil
      }
    }
    if isResized {
      measure()
      forget()
    }
    return (events(), isResized)
  }

  /// Reads what has arrived, as ``read()``, or an Escape that nothing has followed in time.
  mutating func readInTime() -> (events: [InputEvent], isResized: Bool) {
    var (events, isResized) = read()
    if events.isEmpty, !isResized, isWaiting, escapeDeadline.map({ $0 <= .now }) ?? false {
      events = endWaiting()
    }
    escapeDeadline =
      isWaiting ? escapeDeadline ?? MonotonicTime.now.advanced(by: Self.escapeDelay) : nil
    return (events, isResized)
  }

  /// The events that were read. Positions are those in what is drawn.
  private mutating func events() -> [InputEvent] {
    var events: [InputEvent] = []
    for event in parser.takeEvents() {
      switch event {
      case .cursor(_, let y): firstRow = max(0, y - askedRow)
      case .mouse(let action, let x, let y, let modifiers) where rows != nil:
        if let firstRow { events.append(.mouse(action, x: x, y: y - firstRow, modifiers)) }
      default: events.append(event)
      }
    }
    return events
  }

  /// Draws another number of rows of the terminal.
  mutating func setRows(_ rows: Int) {
    guard self.rows != nil else { return }
    self.rows = max(1, min(rows, terminal.height))
    TerminalSignals.reopen(region, tracksMouse: tracksMouse)
    forget()
  }

  /// Leaves the terminal, and its keys that send signals, to another program while `body` runs.
  mutating func leave(_ body: () -> Void) {
    TerminalSignals.close()
    let handlers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    body()
    for (number, handler) in handlers { signal(number, handler) }
    TerminalSignals.reopen()
    measure()
    forget()
  }

  /// Ends a sequence that nothing has followed. Returns the keys.
  mutating func endWaiting() -> [InputEvent] {
    parser.flush()
    return events()
  }

  /// Draws everything anew the next time.
  mutating func forget() {
    writer.forget(at: TerminalSignals.row)
    firstRow = nil
  }

  /// Shows a frame. Returns false if the terminal was closed.
  mutating func show(_ frame: Frame) -> Bool {
    var bytes = ByteBuffer()
    writer.append(frame, to: &bytes)
    if rows != nil, firstRow == nil, tracksMouse, keys != nil, !parser.awaitsCursor {
      parser.awaitsCursor = true
      askedRow = writer.row
      bytes.append("\u{1B}[6n")
    }
    guard !bytes.isEmpty else { return true }
    var isWritten = false
    let (output, row) = (output, writer.row)
    TerminalSignals.draw {
      isWritten = bytes.withUnsafeBytes { output.write($0) }
      return row
    }
    return isWritten
  }
}

extension TerminalColors {
  /// The colours that the environment names; none if output is not coloured.
  static func environment(isColoured: Bool) -> TerminalColors {
    guard isColoured else { return .none }
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    return TerminalColors(term: variable("TERM"), colorTerm: variable("COLORTERM"))
  }
}
