import Commands
import JSONBytes
import JSONRPC
import ListProtocol
import ListServer

/// The options of the daemon.
struct Options: Sendable {
  var framing = Framing.auto
  var session = SessionOptions()
  var clientProcess: Int?

  /// The file that the session is recorded in.
  var record: String?

  /// The file that the lists are saved in.
  var journal: String?

  /// The path of the socket for other clients.
  var listen: String?

  /// The daemon ends when no client has been connected for this long.
  var exitWhenIdle: Duration?

  /// Whether a change is answered only when the journal is on the disk.
  var syncsJournal = false

  /// Whether the protocol is to be printed, and of which name only the shapes.
  private(set) var asksForSchema = false
  private(set) var shape: String?

  /// The options that influence answers, as they were given.
  private(set) var answering: [String] = []

  static let version = CommandHelp.Option("--version", "print the version and the protocol's")
  static let schema = CommandHelp.Option(
    "--schema", "print the protocol as an OpenRPC document, or the shapes of a NAME")

  /// The options that are written to a record because they influence answers.
  private static let answeringNames = [
    "--max-message-bytes", "--history-bytes", "--total-history-bytes", "--log-level",
    "--self-check", "--no-feeds",
  ]

  static let help = CommandHelp(
    name: "", summary: "keeps named lists and computes what changed in them",
    usage: [
      "[OPTION]...", "connect [--start] [PATH] [OPTION]...", "set NAME [FILE]", "get NAME",
      "watch FILE | NAME", "pick [OPTION]...", "feed NAME -- COMMAND...", "files [DIR]", "lists",
      "rm NAME...", "page [FILE | DIR]", "diff OLD NEW", "since NAME [FILE]",
      "git-diff ARGUMENT...",
      "git-merge BASE OURS THEIRS", "replay FILE...", "help [COMMAND]",
    ],
    options: [
      .init("--framing", "auto|ndjson|lsp", "how messages are separated (auto: by the first byte)"),
      .init("--max-message-bytes", "N", "refuse larger messages (256M)"),
      .init("--history-bytes", "N", "keep older revisions of a list within N bytes (64M)"),
      .init("--total-history-bytes", "N", "keep those of all lists within N bytes (256M)"),
      .init("--log-level", "error|warning|info|debug", "the least severe log messages (warning)"),
      .init("--client-process-id", "PID", "exit when that process has ended"),
      .init("--record", "FILE", "write the session to a new file or over an older record"),
      .init("--journal", "FILE", "keep the lists in a file, and restore them from it"),
      .init("--journal-sync", "answer a change only when it is on the disk"),
      .init("--self-check", "verify every result and notification before it is sent"),
      .init("--no-feeds", "refuse the request feed: run no commands and read no files for clients"),
      .init("--listen", "PATH", "serve several clients at a Unix socket"),
      .init(
        "--exit-when-idle", "SECONDS", "with --listen: exit after this time without a client"),
      schema, version,
    ],
    notes: """
      Without a command listd serves JSON-RPC 2.0 on standard input and output. A number of bytes
      may end in K, M or G. The methods are described in listd-protocol(7); listd --schema compose
      prints the shapes of one in TypeScript. A first conversation:

        printf '%s\\n' \\
          '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"a","items":["x","y"]}}' \\
          '{"jsonrpc":"2.0","id":2,"method":"applySnapshot","params":{"list":"a","items":["y","x"]}}' \\
          | listd

      A daemon that listens is for the user whose it is: the socket has mode 0600, its folder must
      belong to the user and not be writable by others, and connections of other users are refused.
      A socket that a killed daemon has left is replaced; if another daemon listens there, or the
      file is not a socket, listd exits with 1. It ends on SIGTERM, on SIGINT and by
      --exit-when-idle, removes the socket and exits with 0; so it does without a client if somebody
      has removed or replaced the socket, and with clients it makes a removed one again.

      Each change is written to the journal before it is answered; if that fails, the request fails
      and has changed nothing. A daemon that is started with the same file restores lists, revisions,
      selections, cursors, templates and compositions, but perhaps not older revisions. The file is
      locked: a second daemon exits with 1. When it is more than twice as large as the lists, and
      1M, it is replaced by FILE.new, which is written in pieces; a kill at any time leaves a whole
      journal. A last line that was cut short is removed. If a line was altered, or lines are missing,
      duplicate or in another order, listd reports the byte where the damage begins, exits with 1 and
      leaves the file as it is: head -c BYTE FILE prints what is before it. --journal-sync has no
      effect without --journal. Sessions that --record has recorded are for listd replay.

      In what is printed for people, control characters except tabs and line ends, and invisible
      ones, are escaped as in JSON. Standard input, output and error that are closed are opened as
      /dev/null.

      listd exits with 0 at the end of its input, with 1 if the input ends inside a message, or the
      output or a file cannot be written, and with 2 if the command line is wrong.
      """)

  /// Reads the words of a command line without a command.
  init(_ words: some Sequence<String>) throws(CommandProblem) {
    var arguments = Arguments(Array(words)[...], of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        guard asksForSchema, shape == nil else { throw Self.unknownCommand(word) }
        shape = try Self.shape(word)
      case .option(let name):
        if name == Self.schema.name { asksForSchema = true }
        if name == "--self-check" { session.checksAnswers = true }
        if name == "--no-feeds" { session.allowsFeeds = false }
        if name == "--journal-sync" { syncsJournal = true }
        if Self.answeringNames.contains(name) { answering.append(name) }
      case .value(let value, let name):
        try set(name, value)
        if Self.answeringNames.contains(name) { answering.append("\(name)=\(value)") }
      }
    }
    if exitWhenIdle != nil, listen == nil {
      throw CommandProblem(words: "--exit-when-idle needs --listen")
    }
  }

  /// The problem that a first word is not a command.
  static func unknownCommand(_ word: String) -> CommandProblem {
    let names = Command.Name.allCases.map { $0.rawValue }
    let hint = word.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
    return CommandProblem(words: "unknown command \(word)\(hint)")
  }

  /// Checks that the protocol has a method, a type or an error with a name.
  private static func shape(_ word: String) throws(CommandProblem) -> String {
    let names = ProtocolDocument.names
    guard !names.contains(word) else { return word }
    let hint = word.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
    throw CommandProblem(words: "the protocol has no \(word)\(hint)")
  }

  private mutating func set(_ name: String, _ value: String) throws(CommandProblem) {
    switch name {
    case "--framing":
      framing = ["ndjson": .ndjson, "lsp": .lsp][value] ?? .auto
    case "--max-message-bytes": session.maxMessageBytes = try Self.bytes(name, value)
    case "--history-bytes": session.historyBytes = try Self.bytes(name, value)
    case "--total-history-bytes": session.totalHistoryBytes = try Self.bytes(name, value)
    case "--log-level": session.logLevel = LogLevel(named: value) ?? session.logLevel
    case "--record": record = value
    case "--journal": journal = value
    case "--listen": listen = value
    case "--exit-when-idle":
      guard let seconds = Double(value), seconds >= 0, seconds <= 1e9 else {
        throw CommandProblem(words: "\(name) must be a number of seconds, not \(value)")
      }
      exitWhenIdle = .milliseconds(Int64(seconds * 1000))
    case "--client-process-id":
      guard let process = Int(value), process > 0 else {
        throw CommandProblem(words: "\(name) must be a process ID, not \(value)")
      }
      clientProcess = process
    default: preconditionFailure("an option without a meaning: \(name)")
    }
  }

  private static func bytes(_ name: String, _ value: String) throws(CommandProblem) -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = value.last.flatMap { units[$0] }
    guard let number = Int(shift == nil ? value : String(value.dropLast())), number >= 0,
      number <= Int(UInt32.max) >> (shift ?? 0)
    else { throw CommandProblem(words: "\(name) must be a number of bytes below 4G, not \(value)") }
    return number << (shift ?? 0)
  }
}
