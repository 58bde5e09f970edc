import Foundation

/// A daemon that runs as a child process and communicates over pipes.
struct Daemon: ~Copyable {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)

  /// The bytes of the buffer that were read and not received yet.
  private var unread = 0..<0

  /// Why a daemon cannot be measured.
  enum Problem: Error {
    case notStarted(String)
    case ended
  }

  /// The path of the daemon in this program's directory.
  static let builtPath: String = {
    let own = CommandLine.arguments[0]
    return own.lastIndex(of: "/").map { own[...$0] + "listd" } ?? "listd"
  }()

  /// Starts a program that serves a session on its standard input and output.
  init(_ path: String, _ arguments: [String] = []) throws(Problem) {
    signal(SIGPIPE, SIG_IGN)
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw .notStarted(path) }
    // Without this the child would inherit other ends of the pipes and never see the end of its
    // input.
    for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var child = pid_t()
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    let failure = posix_spawnp(&child, path, &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(toChild[0])
    close(fromChild[1])
    guard failure == 0 else { throw .notStarted(path) }
    process = child
    input = toChild[1]
    output = fromChild[0]
  }

  /// Sends a framed request and reads the reply. Returns the length of the reply.
  mutating func ask(_ request: [UInt8]) throws(Problem) -> Int {
    guard Self.write(request, to: input) else { throw .ended }
    return try receive()
  }

  /// Sends framed requests while it reads the replies.
  mutating func ask(pipelined requests: [[UInt8]]) throws(Problem) {
    let bytes = Array(requests.joined())
    let input = input
    let thread = Thread { _ = Self.write(bytes, to: input) }
    thread.start()
    for _ in requests { _ = try receive() }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress! + sent, $0.count - sent)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Receives a framed message. Returns the length of its body.
  mutating func receive() throws(Problem) -> Int {
    while true {
      guard let (body, end) = header() else {
        try read()
        continue
      }
      unread = end..<unread.upperBound
      var rest = body
      while rest > unread.count {
        rest -= unread.count
        unread = 0..<0
        try read()
      }
      unread.removeFirst(rest)
      return body
    }
  }

  /// Reads more bytes behind those that are unread.
  private mutating func read() throws(Problem) {
    let rest = buffer[unread]
    buffer.replaceSubrange(0..<rest.count, with: Array(rest))
    let count = buffer.withUnsafeMutableBytes {
      Foundation.read(output, $0.baseAddress! + rest.count, $0.count - rest.count)
    }
    guard count > 0 else { throw .ended }
    unread = 0..<rest.count + count
  }

  /// Returns the length of the body and the end of the header that is unread; `nil` if it is not
  /// complete.
  private func header() -> (body: Int, end: Int)? {
    var length = 0
    for index in unread {
      switch buffer[index] {
      case 0x30...0x39: length = length * 10 + Int(buffer[index] - 0x30)
      case 0x0A where index >= unread.lowerBound + 3 && buffer[index - 2] == 0x0A:
        return (length, index + 1)
      default: break
      }
    }
    return nil
  }

  /// The peak memory of the process, in bytes.
  var peakMemory: Int { status("VmHWM:") }

  /// The present memory of the process, in bytes.
  var memory: Int { status("VmRSS:") }

  /// Returns a size that the system reports, in bytes; 0 if it is unknown.
  private func status(_ name: String) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
      )
      .split(whereSeparator: \.isWhitespace)
      if words.first == name[...], words.count > 1 { return (Int(words[1]) ?? 0) << 10 }
    }
    return 0
  }

  /// The processor time of the process, in milliseconds; 0 if it is unknown.
  var processorTime: Double {
    #if canImport(Darwin)
      return 0
    #else
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return 0
      }
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    #endif
  }

  deinit {
    close(input)
    close(output)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}
