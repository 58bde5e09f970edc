import ByteBuffers

/// The terminal of standard output.
enum Terminal {
  /// Whether output is coloured. `wish` is the value of `--color`; `auto` means on a terminal,
  /// unless the environment forbids it.
  static func isColoured(_ wish: String) -> Bool {
    guard wish == "auto" else { return wish == "always" }
    // git's pager shows colours.
    guard isatty(1) == 1 || getenv("GIT_PAGER_IN_USE") != nil else { return false }
    if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? true
  }

  /// The number of columns; nil if standard output is not a terminal.
  static var width: Int? {
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

  /// Starts `$LISTD_PAGER`, `$PAGER` or `less`. Returns nil if that fails or no pager is wanted.
  static func start() -> Pager? {
    let names = ["LISTD_PAGER", "PAGER"]
    let wish = names.lazy.compactMap { getenv($0) }.first.map { String(cString: $0) }
    let command = wish ?? "less"
    guard !command.isEmpty, command != "cat" else { return nil }
    // `less` ends at once if the text fits on the screen, and shows colours.
    setenv("LESS", "FRX", 0)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var process: pid_t = 0
    // If `less` is missing, the text is printed without a pager.
    let words = wish == nil ? "exec less || exec cat" : command
    let result = "-c".withCString { option in
      words.withCString { words in
        "sh".withCString { name in
          var arguments: [UnsafeMutablePointer<CChar>?] = [name, option, words, nil].map {
            UnsafeMutablePointer(mutating: $0)
          }
          return posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        }
      }
    }
    close(ends[0])
    guard result == 0 else {
      close(ends[1])
      return nil
    }
    return Pager(input: Descriptor(number: ends[1]), process: process)
  }

  /// Closes the pager's input and waits until the pager ends.
  func end() {
    close(input.number)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

/// Writes to standard output, or to a pager if the output is longer than the screen.
struct OutputSink: ~Copyable {
  private var pager: Pager?

  /// Output that may fit on the screen; nil after it was written.
  private var held: ByteBuffer?

  /// Whether the reader has taken all output so far.
  private var isOpen = true

  /// Why output was lost; nil if the reader ended.
  private(set) var problem: String?

  init(mayPage: Bool = false) { held = mayPage ? ByteBuffer() : nil }

  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    guard held == nil else {
      held!.append(bytes)
      let rows = Terminal.rows
      if held!.withUnsafeBytes({ Bytes.count(of: 0x0A, in: $0, before: $0.count) }) >= rows {
        pager = Pager.start()
        release()
      }
      return
    }
    guard isOpen, !(pager?.input ?? .output).write(bytes) else { return }
    isOpen = false
    problem = Descriptor.outputProblem?.words
  }

  private mutating func release() {
    guard let text = held.take() else { return }
    text.withUnsafeBytes { write($0) }
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes and empties a buffer if it is large enough for a system call.
  mutating func takeLarge(_ buffer: inout ByteBuffer) {
    if buffer.count >= 1 << 16 { take(&buffer) }
  }

  /// Writes and empties a buffer.
  mutating func take(_ buffer: inout ByteBuffer) {
    buffer.withUnsafeBytes { write($0) }
    buffer.removeAll()
  }

  mutating func end() {
    release()
    pager?.end()
  }
}
