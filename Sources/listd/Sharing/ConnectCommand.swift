import Commands
import JSONBytes
import JSONRPC
import ListServer

/// `listd connect`: connects standard input and output to a daemon that listens at a path.
struct ConnectCommand {
  private var path = ""
  private var starts = false

  /// The options of the daemon that `--start` starts.
  private var options: [String] = []

  /// The daemon's options that `--start` accepts.
  private static let daemonOptions = Options.help.options.filter {
    !["--listen", Options.version.name, Options.schema.name].contains($0.name)
  }

  static let help = CommandHelp(
    name: "connect", summary: "joins standard input and output to a daemon",
    usage: ["connect [PATH]", "connect --start [PATH] [OPTION]..."],
    options: [ListClient.start] + daemonOptions,
    notes: """
      PATH is the socket of a daemon that runs with --listen PATH; without it, $LISTD_SOCKET, or
      $XDG_RUNTIME_DIR/listd.socket, the socket of the user. The other options are for the
      daemon that --start starts; if one listens there already, they are ignored. listd connect
      exits as a daemon of its own would: with 0 at the end of its input, when all answers are
      printed, and with 1 if the input ends inside a message, or the daemon ends before it.

      A daemon that --start starts has a session of its own; two of them at the same time start one.
      What it later reports on standard error is not shown. If it has another version than listd
      connect, this is reported on standard error.
      """)

  /// Reads the words after `connect`.
  init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    var paths: [String] = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): paths.append(word)
      case .option(ListClient.start.name): starts = true
      case .option(let name): options.append(name)
      case .value(let value, of: let name): options.append("\(name)=\(value)")
      }
    }
    guard paths.count < 2 else {
      throw CommandProblem(words: "listd connect takes the path of one socket")
    }
    let path = if let path = paths.first { path } else { try ListClient.defaultPath("") }
    guard starts || options.isEmpty else {
      throw CommandProblem(words: "the options of the daemon need --start")
    }
    _ = try Options(options + ["--listen=\(path)"])
    self.path = path
  }

  /// Copies bytes in both directions until both ends are closed. Returns the exit code.
  func run() throws(CommandProblem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let socket = try SocketPath(path).connected(starting: starts ? options : nil)
    _ = Descriptor.input.enlargePipe()
    _ = Descriptor.output.enlargePipe()
    let end = ConnectionEnd()
    let path = path
    System.startThread { Self.copyOutput(of: socket, at: path, end) }
    Self.copyInput(to: socket, end)
    // The other thread ends the process.
    while true { _ = pause() }
  }

  /// Copies standard input to the daemon.
  private static func copyInput(to socket: Descriptor, _ end: ConnectionEnd) {
    let size = 1 << 18
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = max(0, Descriptor.input.read(into: buffer))
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      // Recorded first, so that the end is known when the daemon answers.
      end.append(bytes)
      guard count > 0, socket.write(bytes) else { break }
    }
    System.endSending(socket.number)
  }

  /// Copies the daemon's output to standard output, and ends the process at its end.
  private static func copyOutput(of socket: Descriptor, at path: String, _ end: ConnectionEnd) {
    let size = 1 << 18
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    var greeting = GreetingReader()
    while true {
      let count = socket.read(into: buffer)
      guard count > 0 else { break }
      if let other = greeting.read(.init(rebasing: buffer[..<count])), !other.isOwn {
        Descriptor.report(other.difference(at: path))
      }
      guard Descriptor.output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
        if let problem = Descriptor.outputProblem { Descriptor.report(problem.words) }
        exit(Descriptor.outputProblem == nil ? 0 : 1)
      }
    }
    guard let code = end.exitCode else {
      Descriptor.report("the daemon has closed the connection")
      exit(1)
    }
    exit(Int32(code))
  }
}

/// Reads the daemon's reply to `initialize`.
private struct GreetingReader: ~Copyable {
  private var reader = FrameReader()
  private var count = 0

  /// The longest reply to `initialize`, in bytes.
  private static let longest = 1 << 16

  /// Reads the next bytes. Returns the greeting once, when it is complete.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> DaemonGreeting? {
    guard count < Self.longest else { return nil }
    count += bytes.count
    reader.feed(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.longest)))
    guard let frame = reader.next() else { return nil }
    count = Self.longest
    guard case .message(let message) = frame,
      case .single(let envelope)? = try? Message.read(message.bytes), let result = envelope.result
    else { return nil }
    let part = MessagePart(message, result)
    return part.text("serverInfo.name") == nil ? nil : DaemonGreeting(part)
  }
}
