import JSONRPC
import ListProtocol
import ListServer

/// What the command line asks for.
struct Options: Sendable {
  var framing = Framing.auto
  var session = SessionOptions()
  var clientProcess: Int?

  /// The file that the session is recorded in.
  var record: String?

  /// The file that the lists outlive the process in.
  var journal: String?

  /// Whether that file is on the disk before a change is answered.
  var syncsJournal = false

  /// The options that change what is answered, as they were given.
  private(set) var answering: [String] = []
  var command = Command.serve

  enum Command: Sendable {
    case serve
    case diff(DiffCommand)
    case help
    case version
  }

  /// Why a command line cannot be followed.
  struct Problem: Error {
    var words: String
    var exitCode: Int32 = 2
  }

  static let help = """
    listd \(Session.version) keeps named lists and computes what changed in them.

    Usage: listd [options]        serves JSON-RPC 2.0 on standard input and output
           listd diff OLD NEW [--format stages|ops|jsonPatch|textEdits|none]
                                  tells the change between two files, or - for standard input
           listd replay FILE...   runs recorded sessions again and compares every answer

      --framing auto|ndjson|lsp   how messages are told apart (auto: by the first byte)
      --max-message-bytes N       refuse larger messages (268435456)
      --history-bytes N           keep older revisions of a list within N bytes (67108864)
      --log-level LEVEL           error, warning, info or debug (warning)
      --client-process-id PID     end when that process has ended
      --record FILE               write the session to a file, for listd replay
      --journal FILE              keep the lists in a file, and begin with what it holds
      --journal-sync              answer a change when it is on the disk
      --self-check                make every change again before it is told
      --help, --version

    listd replay [--show] [--rerecord] FILE...
      --show                      print the sessions for people to read
      --rerecord                  put the answers of now in the files, and fail

    A number of bytes may end in K, M or G. A first conversation:

      printf '%s\\n' \\
        '{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{"list":"a","items":["x","y"]}}' \\
        '{"jsonrpc":"2.0","id":2,"method":"applySnapshot","params":{"list":"a","items":["y","x"]}}' \\
        | listd

    """

  /// Follows the words after the program's name.
  init(_ words: [String]) throws(Problem) {
    var words = words[...]
    if words.first == "diff" {
      command = .diff(try DiffCommand(words.dropFirst()))
      return
    }
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      var value = parts.count == 2 ? String(parts[1]) : nil
      if Self.takesValue.contains(name), value == nil {
        guard let next = words.popFirst() else {
          throw Problem(words: "\(name) needs a value")
        }
        value = next
      }
      try follow(name, value)
      if let value, Self.answeringNames.contains(name) { answering.append("\(name)=\(value)") }
    }
  }

  private static let answeringNames = ["--max-message-bytes", "--history-bytes", "--log-level"]

  private static let takesValue = [
    "--framing", "--max-message-bytes", "--history-bytes", "--log-level", "--client-process-id",
    "--record", "--journal",
  ]

  private mutating func follow(_ name: String, _ value: String?) throws(Problem) {
    let known = Self.takesValue + ["--journal-sync", "--self-check", "--help", "--version"]
    guard known.contains(name) || name == "-h" else {
      let hint = name.nearest(among: known).map { "; did you mean \($0)?" } ?? ""
      throw Problem(words: "unknown \(name.hasPrefix("-") ? "option" : "command") \(name)\(hint)")
    }
    guard let value else {
      if name == "--self-check" {
        session.checksAnswers = true
        answering.append(name)
        return
      }
      if name == "--journal-sync" {
        syncsJournal = true
        return
      }
      command = name == "--version" ? .version : .help
      return
    }
    switch name {
    case "--framing":
      guard let framing = ["auto": Framing.auto, "ndjson": .ndjson, "lsp": .lsp][value] else {
        throw Problem(words: "--framing is auto, ndjson or lsp, not \(value)")
      }
      self.framing = framing
    case "--max-message-bytes": session.maxMessageBytes = try Self.bytes(name, value)
    case "--record": record = value
    case "--journal": journal = value
    case "--history-bytes": session.historyBytes = try Self.bytes(name, value)
    case "--log-level":
      guard let level = LogLevel(named: value) else {
        throw Problem(words: "--log-level is error, warning, info or debug, not \(value)")
      }
      session.logLevel = level
    case "--client-process-id":
      guard let process = Int(value), process > 0 else {
        throw Problem(words: "--client-process-id is the number of a process, not \(value)")
      }
      clientProcess = process
    default: throw Problem(words: "\(name) takes no value")
    }
  }

  private static func bytes(_ name: String, _ value: String) throws(Problem) -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = value.last.flatMap { units[$0] }
    guard let number = Int(shift == nil ? value : String(value.dropLast())), number >= 0,
      number <= Int(UInt32.max) >> (shift ?? 0)
    else { throw Problem(words: "\(name) is a number of bytes below 4G, not \(value)") }
    return number << (shift ?? 0)
  }
}
