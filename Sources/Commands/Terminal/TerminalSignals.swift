// The state that the signal handlers use.
nonisolated(unsafe) private var modes = (terminal: Int32(-1), output: Int32(-1), isRaw: false)
nonisolated(unsafe) private var cookedMode = termios()
nonisolated(unsafe) private var rawMode = termios()
nonisolated(unsafe) private var isOpen = false
nonisolated(unsafe) private var wakePipe: Int32 = -1
// The running commands; 0 where there is none, and a negative number for a group.
nonisolated(unsafe) private let children: UnsafeMutableBufferPointer<pid_t> = {
  let memory = UnsafeMutableBufferPointer<pid_t>.allocate(capacity: 8)
  memory.initialize(repeating: 0)
  return memory
}()
// What is written to begin and to end, which is never freed.
nonisolated(unsafe) private var opening = UnsafeRawBufferPointer(start: nil, count: 0)
nonisolated(unsafe) private var closing = UnsafeRawBufferPointer(start: nil, count: 0)
// In a part of the terminal, the row of the cursor in it.
nonisolated(unsafe) private var cursorRow: Int?

/// Switches a terminal between its screen for lines and one that a program draws, and back if a signal
/// ends, stops or crashes the program.
enum TerminalSignals {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let crashing = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  /// The part of a terminal that a program draws.
  enum Region: Equatable {
    /// All of it: another screen than that of the shell.
    case whole
    /// So many rows from that of the cursor on.
    case rows(Int)
  }

  /// Makes what is written to begin and to end: the alternate screen or empty rows, a hidden cursor, no
  /// wrapping at the last column, bracketed paste, and mouse reports of presses and of the wheel.
  private static func setSequences(_ region: Region, tracksMouse: Bool) {
    let mouse =
      tracksMouse
      ? (on: "\u{1B}[?1000h\u{1B}[?1006h", off: "\u{1B}[?1006l\u{1B}[?1000l") : (on: "", off: "")
    var (begin, end) = ("\u{1B}[?1049h", "\u{1B}[?1049l")
    cursorRow = nil
    if case .rows(let rows) = region {
      let below = String(repeating: "\n", count: rows - 1)
      begin = "\r\u{1B}[J\(below)" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
      end = "\u{1B}[J"
      cursorRow = 0
    }
    opening = copy("\(begin)\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\(mouse.on)")
    closing = copy("\u{1B}[0m\(mouse.off)\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\(end)")
  }

  /// The row of the cursor in the part of the terminal.
  static var row: Int { cursorRow ?? 0 }

  private static func copy(_ text: String) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    memory.copyBytes(from: text.utf8)
    return UnsafeRawBufferPointer(memory)
  }

  /// Blocks all signals of this thread, so that the main thread handles them.
  static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Draws a frame, between two signals. `draw` returns the row of the cursor afterwards.
  static func draw(_ draw: () -> Int) {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in ending + [SIGTSTP, SIGCONT] { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let row = draw()
    if cursorRow != nil { cursorRow = row }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Ends the running commands and restores the terminal when a signal ends this program.
  static func begin() {
    // The memory is there before a signal needs it.
    _ = children
    for number in ending {
      signal(number) { number in
        TerminalSignals.close()
        for child in children where child != 0 { kill(child, SIGTERM) }
        // The signal is delivered again when this handler returns.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Starts a command, which may be that of a new group. A signal that arrives meanwhile ends the
  /// command, too.
  static func startChild(inOwnGroup: Bool = false, _ start: () -> pid_t?) -> pid_t? {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in ending { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &before)
    let process = start()
    let why = errno
    if let process, let free = children.firstIndex(of: 0) {
      children[free] = inOwnGroup ? -process : process
    }
    sigprocmask(SIG_SETMASK, &before, nil)
    errno = why
    return process
  }

  /// Records that a command has ended, or soon will. Waits for that on a thread unless it `isReaped`.
  static func forgetChild(_ process: pid_t, isReaped: Bool = false) {
    for index in children.indices where abs(children[index]) == process { children[index] = 0 }
    guard !isReaped, waitpid(process, nil, WNOHANG) == 0 else { return }
    System.startThread {
      blockSignals()
      waitpid(process, nil, 0)
    }
  }

  /// Opens a region. `wake` is written to when the size of the terminal has changed or this program
  /// was continued.
  static func open(
    _ terminal: Int32, output: Int32, cooked: termios, raw: termios, wake: Int32, _ region: Region,
    tracksMouse: Bool
  ) {
    modes = (terminal, output, terminal >= 0)
    setSequences(region, tracksMouse: tracksMouse)
    (cookedMode, rawMode, wakePipe) = (cooked, raw, wake)
    begin()
    for number in crashing {
      signal(number) { number in
        TerminalSignals.close()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    signal(SIGTSTP) { _ in TerminalSignals.stop() }
    signal(SIGWINCH) { _ in TerminalSignals.wake() }
    // A program that SIGSTOP has stopped could not leave its screen, and the shell has changed modes.
    signal(SIGCONT) { _ in
      if isOpen { TerminalSignals.enter() }
      TerminalSignals.wake()
    }
    enter()
  }

  /// Opens the region again, maybe another one.
  static func reopen(_ region: Region? = nil, tracksMouse: Bool = false) {
    if let region {
      moveToFirstRow()
      setSequences(region, tracksMouse: tracksMouse)
    }
    enter()
  }

  private static func enter() {
    if modes.isRaw { tcsetattr(modes.terminal, TCSADRAIN, &rawMode) }
    isOpen = true
    write(opening)
    if cursorRow != nil { cursorRow = 0 }
  }

  /// Moves the cursor to the first row of a part of the terminal. Signal handlers may call it.
  private static func moveToFirstRow() {
    guard let row = cursorRow else { return }
    cursorRow = 0
    write("\r")
    for _ in 0..<row { write("\u{1B}[A") }
  }

  /// Restores the terminal. Signal handlers may call it.
  static func close() {
    guard isOpen else { return }
    isOpen = false
    moveToFirstRow()
    write(closing)
    // Input that was typed for this program is not for the next one.
    if modes.isRaw { tcsetattr(modes.terminal, TCSAFLUSH, &cookedMode) }
  }

  /// Stops the program, with its terminal restored until it is continued.
  private static func stop() {
    let (before, wasOpen) = (errno, isOpen)
    close()
    signal(SIGTSTP, SIG_DFL)
    var (set, old) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    raise(SIGTSTP)
    // The process stops here.
    sigprocmask(SIG_UNBLOCK, &set, &old)
    sigprocmask(SIG_SETMASK, &old, nil)
    signal(SIGTSTP) { _ in TerminalSignals.stop() }
    if wasOpen, !isOpen { enter() }
    wake()
    errno = before
  }

  private static func wake() {
    let before = errno
    var byte: UInt8 = 0
    _ = withUnsafeMutableBytes(of: &byte) {
      System.writeBytes(wakePipe, UnsafeRawBufferPointer($0))
    }
    errno = before
  }

  private static func write(_ codes: StaticString) {
    write(UnsafeRawBufferPointer(start: codes.utf8Start, count: codes.utf8CodeUnitCount))
  }

  private static func write(_ codes: UnsafeRawBufferPointer) {
    _ = System.writeBytes(modes.output, codes)
  }
}
