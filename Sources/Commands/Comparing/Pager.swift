import ByteBuffers

/// The terminal of standard output.
package enum Terminal {
  /// Whether output is coloured. `wish` is the value of `--color`; `auto` means on a terminal,
  /// unless the environment forbids it.
  package static func isColoured(_ wish: String) -> Bool {
    guard wish == "auto" else { return wish == "always" }
    // git's pager shows colours.
    guard isatty(1) == 1 || getenv("GIT_PAGER_IN_USE") != nil else { return false }
    if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? true
  }

  /// The number of columns; nil if standard output is not a terminal.
  package static var width: Int? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of rows, or 24 if it is unknown.
  static var rows: Int {
    var size = winsize()
    return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }
}

/// A program that shows text page by page.
struct Pager {
  let input: Descriptor
  private let process: pid_t

  /// The command in `$LISTD_PAGER` or `$PAGER`; nil if neither is set.
  private static var wish: String? {
    let names = ["LISTD_PAGER", "PAGER"]
    return names.lazy.compactMap { getenv($0) }.first.map { String(cString: $0) }
  }

  /// Whether a pager is wanted.
  static var isWanted: Bool { wish != "" && wish != "cat" }

  /// Starts `$LISTD_PAGER`, `$PAGER` or `less`. Returns nil if that fails or no pager is wanted.
  ///
  /// From then on this process ignores the signals of the keys Ctrl-C and Ctrl-\, which are for the
  /// pager.
  ///
  /// In `less` the keys `n` and `N` find the lines that match a pattern.
  static func start(finding pattern: String?) -> Pager? {
    guard isWanted, let pipe = try? Pipe() else { return nil }
    // `less` ends at once if the text fits on the screen, and shows colours.
    setenv("LESS", "FRX", 0)
    let process = System.start(
      ["/bin/sh", "-c", command(wish ?? "less", pattern)], input: pipe.reading,
      output: Descriptor.output.number, errors: nil, inOwnSession: false)
    close(pipe.reading)
    let input = Descriptor(number: pipe.takeWriting())
    guard let process else {
      close(input.number)
      return nil
    }
    for key in [SIGINT, SIGQUIT] { signal(key, SIG_IGN) }
    return Pager(input: input, process: process)
  }

  /// Returns what the shell runs. If the pager is missing, the text is printed without one. `less`
  /// shows colours whatever its options are.
  private static func command(_ wish: String, _ pattern: String?) -> String {
    let words = wish.split(separator: " ")
    let isPlain = wish.utf8.allSatisfy {
      $0 >= 0x80 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x2B && $0 <= 0x39 || $0 == 0x20
        || $0 == 0x5F
    }
    guard isPlain, let program = words.first else { return wish }
    var options = ""
    if program.split(separator: "/").last == "less" {
      options = " -R" + (pattern.map { " -p'\($0)'" } ?? "")
    }
    return "command -v \(program) >/dev/null || exec cat; exec \(wish)\(options)"
  }

  /// Closes the pager's input and waits until the pager ends.
  package func end() {
    close(input.number)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

/// Writes to standard output, or to a pager if the output is longer than the screen.
package struct OutputSink: ~Copyable {
  private var pager: Pager?

  /// Output that may fit on the screen; nil after it was written.
  private var held: ByteBuffer?

  /// Whether the reader has taken all output so far.
  private var isOpen = true

  /// Why output was lost; nil if the reader ended.
  package private(set) var problem: String?

  /// The pattern of the lines that a reader jumps to.
  private let pattern: String?

  package init(mayPage: Bool = false, finds pattern: String? = nil) {
    held = mayPage ? ByteBuffer() : nil
    self.pattern = pattern
  }

  /// Writes bytes, or keeps them while they may fit on the screen.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) {
    guard held == nil else {
      held!.append(bytes)
      let rows = Terminal.rows
      if held!.withUnsafeBytes({ Bytes.count(of: 0x0A, in: $0, before: $0.count) }) >= rows {
        pager = Pager.start(finding: pattern)
        release()
      }
      return
    }
    guard isOpen else { return }
    if Descriptor.wasClosed(.output) {
      problem = "standard output is closed"
    } else if (pager?.input ?? .output).write(bytes) {
      return
    } else {
      problem = Descriptor.outputProblem?.words
    }
    isOpen = false
  }

  private mutating func release() {
    guard let text = held.take() else { return }
    text.withUnsafeBytes { write($0) }
  }

  /// Writes a text as ``write(_:)`` writes bytes.
  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes and empties a buffer if it is large enough for a system call.
  mutating func takeLarge(_ buffer: inout ByteBuffer) {
    if buffer.count >= 1 << 16 { take(&buffer) }
  }

  /// Writes and empties a buffer.
  package mutating func take(_ buffer: inout ByteBuffer) {
    buffer.withUnsafeBytes { write($0) }
    buffer.removeAll()
  }

  /// Writes what is kept, and waits until a pager has ended.
  package mutating func end() {
    release()
    pager?.end()
  }
}
