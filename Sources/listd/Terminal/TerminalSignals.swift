// The state that the signal handlers use.
nonisolated(unsafe) private var modes = (terminal: Int32(-1), output: Int32(-1), isRaw: false)
nonisolated(unsafe) private var cookedMode = termios()
nonisolated(unsafe) private var rawMode = termios()
nonisolated(unsafe) private var isOpen = false
nonisolated(unsafe) private var wakePipe: Int32 = -1
nonisolated(unsafe) private var child: pid_t = 0

/// Switches a terminal between its screen for lines and one that a program draws, and back if a signal
/// ends, stops or crashes the program.
enum TerminalSignals {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let crashing = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  /// The alternate screen, hidden cursor, no wrapping at the last column, bracketed paste, and mouse
  /// reports of presses and of the wheel.
  private static let opening: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
  private static let closing: StaticString =
    "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Ends the running command and restores the terminal when a signal ends this program.
  static func begin() {
    for number in ending {
      signal(number) { number in
        TerminalSignals.close()
        if child > 0 { kill(child, SIGTERM) }
        // The signal is delivered again when this handler returns.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Starts a command. A signal that arrives meanwhile ends the command, too.
  static func startChild(_ start: () -> pid_t?) -> pid_t? {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in ending { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &before)
    let process = start()
    let why = errno
    child = process ?? 0
    sigprocmask(SIG_SETMASK, &before, nil)
    errno = why
    return process
  }

  /// Records that the command has ended.
  static func forgetChild() { child = 0 }

  /// Opens the screen. `wake` is written to when the size of the terminal has changed or this program
  /// was continued.
  static func open(_ terminal: Int32, output: Int32, cooked: termios, raw: termios, wake: Int32) {
    modes = (terminal, output, terminal >= 0)
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

  private static func enter() {
    if modes.isRaw { tcsetattr(modes.terminal, TCSADRAIN, &rawMode) }
    isOpen = true
    write(opening)
  }

  /// Restores the terminal. Signal handlers may call it.
  static func close() {
    guard isOpen else { return }
    isOpen = false
    write(closing)
    // Input that was typed for this program is not for the next one.
    if modes.isRaw { tcsetattr(modes.terminal, TCSAFLUSH, &cookedMode) }
  }

  /// Stops the program, with its terminal restored until it is continued.
  private static func stop() {
    let before = errno
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
    if !isOpen { enter() }
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
    _ = System.writeBytes(
      modes.output, UnsafeRawBufferPointer(start: codes.utf8Start, count: codes.utf8CodeUnitCount))
  }
}
