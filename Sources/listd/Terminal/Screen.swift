import ByteBuffers
import Terminals

/// A terminal whose whole screen this program draws, and whose keys it reads, until the value is
/// deinitialized or the program ends.
struct Screen: ~Copyable {
  private let output: Descriptor

  /// Where keys are read; nil if there are none.
  private var keys: Descriptor?
  private let wakeReading: Int32
  private let wakeWriting: Int32
  private var parser = InputParser()
  private var writer: FrameWriter
  private(set) var size = (width: 80, height: 24)

  let colors: TerminalColors

  /// The time after which an Escape that nothing follows is a key.
  static let escapeDelay = Duration.milliseconds(40)

  /// Opens the screen of the terminal at a descriptor. Keys are read from the controlling terminal,
  /// if there is one.
  ///
  /// - Throws: If the process has no descriptor left.
  init(on output: Descriptor = .output, isColoured: Bool = true) throws(Options.Problem) {
    let pipe = try Pipe()
    (wakeReading, wakeWriting) = pipe.takeEnds()
    for end in [wakeReading, wakeWriting] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    self.output = output
    colors = TerminalColors.environment(isColoured: isColoured)
    writer = FrameWriter(colors: colors)
    let input = System.openFile("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    let candidates = input >= 0 ? [input] : [Descriptor.input.number, output.number]
    let terminal = candidates.first { isatty($0) == 1 }
    var cooked = termios()
    if let terminal, tcgetattr(terminal, &cooked) == 0 { keys = Descriptor(number: terminal) }
    var raw = cooked
    raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP)
    // The keys of signals remain.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    TerminalSignals.open(
      keys?.number ?? -1, output: output.number, cooked: cooked, raw: raw, wake: wakeWriting)
    measure()
  }

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
    size = (min(Int(found.ws_col), 2000), min(Int(found.ws_row), 1000))
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
      writer.forget()
    }
    return (parser.takeEvents(), isResized)
  }

  /// Ends a sequence that nothing has followed. Returns the keys.
  mutating func endWaiting() -> [InputEvent] {
    parser.flush()
    return parser.takeEvents()
  }

  /// Draws everything anew the next time.
  mutating func forget() { writer.forget() }

  /// Shows a frame. Returns false if the terminal was closed.
  mutating func show(_ frame: Frame) -> Bool {
    var bytes = ByteBuffer()
    writer.append(frame, to: &bytes)
    return bytes.isEmpty || bytes.withUnsafeBytes { output.write($0) }
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
