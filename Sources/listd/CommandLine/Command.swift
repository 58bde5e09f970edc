import ListProtocol
import ListServer

/// The command that a command line asks for.
enum Command {
  case serve(Options)
  case connect(ConnectCommand)
  case set(SetCommand)
  case get(GetCommand)
  case watch(WatchCommand)
  case page(PageCommand)
  case diff(DiffCommand)
  case gitDiff(GitDiffCommand)
  case gitMerge(GitMergeCommand)
  case replay(ReplayCommand)
  case help(CommandHelp)
  case schema
  case version

  /// The descriptions of all commands. The daemon's is the first.
  static let all = [
    Options.help, ConnectCommand.help, SetCommand.help, GetCommand.help, WatchCommand.help,
    PageCommand.help, DiffCommand.help, GitDiffCommand.help, GitMergeCommand.help,
    ReplayCommand.help, helpHelp,
  ]

  private static let helpHelp = CommandHelp(
    name: "help", summary: "describes a command", usage: ["help [COMMAND]"])

  /// The output of `--version`.
  static let versionText =
    "listd \(ClientSession.version) (protocol \(Initialize.protocolVersion))\n"

  /// Reads the words after the program's name.
  init(_ words: [String]) throws(Options.Problem) {
    let named = Self.all.dropFirst().first { $0.name == words.first }
    let help = named ?? Options.help
    let words = words[(named == nil ? 0 : 1)...]
    guard !Arguments(words, of: help).asksForHelp else {
      self = .help(help)
      return
    }
    switch help.name {
    case ConnectCommand.help.name: self = .connect(try ConnectCommand(words))
    case SetCommand.help.name: self = .set(try SetCommand(words))
    case GetCommand.help.name: self = .get(try GetCommand(words))
    case WatchCommand.help.name: self = .watch(try WatchCommand(words))
    case PageCommand.help.name: self = .page(try PageCommand(words))
    case DiffCommand.help.name: self = .diff(try DiffCommand(words))
    case GitDiffCommand.help.name: self = .gitDiff(try GitDiffCommand(words))
    case GitMergeCommand.help.name: self = .gitMerge(try GitMergeCommand(words))
    case ReplayCommand.help.name: self = .replay(try ReplayCommand(words))
    case Self.helpHelp.name: self = .help(try Self.described(words))
    default:
      let options = try Options(words)
      if Arguments(words, of: help).contains(Options.version) {
        self = .version
      } else if Arguments(words, of: help).contains(Options.schema) {
        self = .schema
      } else {
        self = .serve(options)
      }
    }
  }

  /// Returns the description of the command that `listd help` is asked for.
  private static func described(_ words: ArraySlice<String>) throws(Options.Problem) -> CommandHelp
  {
    var arguments = Arguments(words, of: helpHelp)
    guard let argument = try arguments.next() else { return Options.help }
    guard case .operand(let name) = argument, try arguments.next() == nil else {
      throw Options.Problem(words: "listd help describes one command")
    }
    guard let help = all.first(where: { $0.name == name }) else {
      throw Options.unknownCommand(name)
    }
    return help
  }
}
