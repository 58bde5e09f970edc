import JSONBytes

/// The terminal that standard output is.
enum Terminal {
  /// Whether people see the output and have not asked for it to be plain; `wish` is the value of
  /// `--color`.
  static func isColoured(_ wish: String) -> Bool {
    guard wish == "auto" else { return wish == "always" }
    // git's pager shows colours.
    guard isatty(1) == 1 || getenv("GIT_PAGER_IN_USE") != nil else { return false }
    if let wish = getenv("NO_COLOR"), wish.pointee != 0 { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? true
  }

  /// Its number of columns; nil if there is none.
  static var width: Int? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Its number of rows, or what a terminal has that does not say.
  static var rows: Int {
    var size = winsize()
    return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }
}

/// A program that shows text page by page.
struct Pager {
  let input: Descriptor
  private let process: pid_t

  /// Starts `$LISTD_PAGER`, `$PAGER` or `less`; nil if that cannot be done, or is not wanted.
  static func start() -> Pager? {
    let names = ["LISTD_PAGER", "PAGER"]
    let wish = names.lazy.compactMap { getenv($0) }.first.map { String(cString: $0) }
    let command = wish ?? "less"
    guard !command.isEmpty, command != "cat" else { return nil }
    // What fits on the screen needs no pager, and colours are shown as such.
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
    // A pager that is not there is replaced by no pager.
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

  /// Ends the text and waits until it was read.
  func end() {
    close(input.number)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

/// Standard output, or a pager for what is longer than the screen, and what went wrong there.
struct OutputSink: ~Copyable {
  private var pager: Pager?

  /// What may fit on the screen; nil once it went out.
  private var held: ByteBuffer?

  /// Whether everything was read so far.
  private var isOpen = true

  /// Why output was lost, unless nobody wanted it any more.
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

  /// Writes what is in a buffer and empties it, if it is worth a call of the system.
  mutating func takeLarge(_ buffer: inout ByteBuffer) {
    if buffer.count >= 1 << 16 { take(&buffer) }
  }

  /// Writes what is in a buffer and empties it.
  mutating func take(_ buffer: inout ByteBuffer) {
    buffer.withUnsafeBytes { write($0) }
    buffer.removeAll()
  }

  mutating func end() {
    release()
    pager?.end()
  }
}
