// The state that the signal handlers use.
nonisolated(unsafe) private var screenIsOpen = false
nonisolated(unsafe) private var runningChild: pid_t = 0
nonisolated(unsafe) private var hasNewSize = false

/// Restores the terminal and ends the running command when a signal ends `listd watch`.
enum WatchSignals {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Starts a command. A signal that arrives meanwhile ends the command, too.
  static func startChild(_ start: () -> pid_t?) -> pid_t? {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in ending { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &before)
    let process = start()
    let why = errno
    runningChild = process ?? 0
    sigprocmask(SIG_SETMASK, &before, nil)
    errno = why
    return process
  }

  /// Records that the command has ended.
  static func forgetChild() { runningChild = 0 }

  /// Installs the signal handlers. With a screen, switches the terminal to its alternate screen.
  static func begin(hasScreen: Bool) {
    for number in ending {
      signal(number) { number in
        WatchSignals.endScreen()
        if runningChild > 0 { kill(runningChild, SIGTERM) }
        // The signal is delivered again when this handler returns.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    guard hasScreen else { return }
    for number in [SIGWINCH, SIGCONT] { signal(number) { _ in hasNewSize = true } }
    screenIsOpen = true
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Switches back to the terminal's main screen. Signal handlers may call it.
  static func endScreen() {
    guard screenIsOpen else { return }
    screenIsOpen = false
    write("\u{1B}[?25h\u{1B}[?1049l")
  }

  /// Returns whether the size of the terminal has changed since the last call.
  static func takeResizing() -> Bool {
    defer { hasNewSize = false }
    return hasNewSize
  }

  private static func write(_ codes: StaticString) {
    _ = System.writeBytes(
      Descriptor.output.number,
      UnsafeRawBufferPointer(start: codes.utf8Start, count: codes.utf8CodeUnitCount))
  }
}

extension System {
  /// The local time of day.
  static var localTime: String {
    var seconds = time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
