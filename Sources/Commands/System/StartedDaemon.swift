// The environment is a variable of the C library.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Darwin
#endif

/// A daemon that is started because none listens at a path.
package struct StartedDaemon {
  private let path: SocketPath
  private let process: pid_t

  /// The daemon's standard error.
  private let messages: Descriptor

  /// The longest time until the daemon listens, including the restoring of its journal.
  private static let patience = Duration.seconds(60)

  /// Starts a daemon in a session of its own.
  ///
  /// - Throws: If that fails.
  package init(at path: SocketPath, _ options: [String]) throws(CommandProblem) {
    self.path = path
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) {
      pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) == 0
    }
    guard isMade else { throw Self.problem(Descriptor.problem) }
    _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.1, F_SETFD, FD_CLOEXEC)
    messages = Descriptor(number: ends.0)
    let words = [System.programPath, "--listen=\(path.path)"] + options
    let started = System.start(words, output: nil, errors: ends.1, inOwnSession: true)
    close(ends.1)
    guard let started else { throw Self.problem(Descriptor.problem) }
    process = started
  }

  /// Waits until this daemon or another one listens, and connects to it.
  ///
  /// - Throws: If this daemon ends and no other one listens.
  package func connection() throws(CommandProblem) -> Descriptor {
    defer { close(messages.number) }
    let start = MonotonicTime.now
    var hasEnded = false
    while true {
      if let descriptor = path.connect() { return descriptor }
      guard !hasEnded, start.duration(to: .now) < Self.patience else { break }
      // Checked before the last attempt to connect.
      hasEnded = waitpid(process, nil, WNOHANG) != 0
      if !hasEnded { usleep(2_000) }
    }
    let words = report().split(separator: "\n").map {
      $0.hasPrefix("listd: ") ? String($0.dropFirst("listd: ".count)) : String($0)
    }
    throw Self.problem(words.isEmpty ? "it does not listen" : words.joined(separator: "; "))
  }

  /// The daemon's error messages so far.
  private func report() -> String {
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
      let count = messages.readNow(into: buffer)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
  }

  private static func problem(_ words: String) -> CommandProblem {
    CommandProblem(words: "the daemon cannot be started: \(words)", exitCode: 1)
  }
}

extension SocketPath {
  /// Connects to the daemon that listens at the path, or to one that is started with some options.
  ///
  /// - Throws: If none listens, and none can be started or is to be.
  package func connected(starting options: [String]?) throws(CommandProblem) -> Descriptor {
    if let descriptor = connect() { return descriptor }
    guard let options else {
      throw CommandProblem(
        words: "no listd listens at \(path): \(Descriptor.problem)", exitCode: 1)
    }
    return try StartedDaemon(at: self, options).connection()
  }
}

extension System {
  /// The file of the running program.
  package static var programPath: String {
    #if os(Linux)
      let path = FileContents.resolved("/proc/self/exe")
      if path != "/proc/self/exe" { return path }
    #endif
    return ProgramStart.arguments.first ?? "listd"
  }

  /// The path of a file or a folder of the clients: installed beside the folder of this program, or in the
  /// checkout in which it was built; nil if there is none.
  static func sharedPath(_ name: String) -> String? {
    let parts = programPath.split(separator: "/", omittingEmptySubsequences: false)
    let checkout = parts.firstIndex(of: ".build").map { parts[..<$0] }
    return [parts.dropLast(2) + ["share", "listd"], checkout.map { $0 + ["clients"] }]
      .compactMap { $0.map { "\($0.joined(separator: "/"))/\(name)" } }
      .first { access($0, R_OK) == 0 }
  }

  /// Starts a program without input. If that fails, returns `nil` and sets `errno`.
  ///
  /// Without `input`, the program reads nothing; without `output`, its output is dropped. Without `errors`, it shares the standard
  /// error of this process. `more` are its descriptors from 3 on; `plain` are signals that it does not
  /// ignore even if this process does.
  package static func start(
    _ words: [String], input: Int32? = nil, output: Int32?, errors: Int32?,
    inOwnSession: Bool = false, inOwnGroup: Bool = false, more: [Int32] = [], plain: [Int32] = []
  ) -> pid_t? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let newSession: Int16 = 0x0400
      let plainSignals: Int16 = 0x0004 | 0x0008
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let newSession: Int16 = 0x80
      let plainSignals: Int16 = 0x04 | 0x08
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    for (index, number) in more.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, number, Int32(truncatingIfNeeded: 3 + index))
    }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
    // What is ignored or blocked here is not so there.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGINT, SIGQUIT] + plain { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let newGroup: Int16 = 0x02
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      plainSignals | (inOwnSession ? newSession : 0) | (inOwnGroup ? newGroup : 0))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    errno = failure
    return failure == 0 ? process : nil
  }
}
