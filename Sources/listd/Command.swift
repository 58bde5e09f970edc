import Commands

/// The command that a command line asks for.
enum Command {
  case serve(Options)
  case connect(ConnectCommand)
  case set(SetCommand)
  case get(GetCommand)
  case watch(WatchCommand)
  case pick(PickCommand)
  case feed(FeedListCommand)
  case files(FilesCommand)
  case lists(ListsCommand)
  case remove(RemoveCommand)
  case page(PageCommand)
  case diff(DiffCommand)
  case since(SinceCommand)
  case gitDiff(GitDiffCommand)
  case gitMerge(GitMergeCommand)
  case replay(ReplayCommand)
  case help(CommandHelp)

  /// The document of the protocol, or the shapes that a name stands for.
  case schema(String?)
  case version

  /// The words that select commands. Without one of them, the daemon is started.
  enum Name: String, CaseIterable {
    case connect, set, get, watch, pick, feed, files, lists
    case remove = "rm"
    case page, diff, since
    case gitDiff = "git-diff"
    case gitMerge = "git-merge"
    case replay, help

    /// The description of the command. Those of others are not made, which would take longer than
    /// many commands do.
    var description: CommandHelp {
      switch self {
      case .connect: ConnectCommand.help
      case .set: SetCommand.help
      case .get: GetCommand.help
      case .watch: WatchCommand.help
      case .pick: PickCommand.help
      case .feed: FeedListCommand.help
      case .files: FilesCommand.help
      case .lists: ListsCommand.help
      case .remove: RemoveCommand.help
      case .page: PageCommand.help
      case .diff: DiffCommand.help
      case .since: SinceCommand.help
      case .gitDiff: GitDiffCommand.help
      case .gitMerge: GitMergeCommand.help
      case .replay: ReplayCommand.help
      case .help:
        CommandHelp(name: "help", summary: "describes a command", usage: ["help [COMMAND]"])
      }
    }
  }

  /// Reads the words after the program's name.
  init(_ words: [String]) throws(CommandProblem) {
    let name = words.first.flatMap { Name(rawValue: $0) }
    let help = name?.description ?? Options.help
    let words = words[(name == nil ? 0 : 1)...]
    guard !Arguments(words, of: help).asksForHelp else {
      self = .help(help)
      return
    }
    switch name {
    case .connect: self = .connect(try ConnectCommand(words))
    case .set: self = .set(try SetCommand(words))
    case .get: self = .get(try GetCommand(words))
    case .watch: self = .watch(try WatchCommand(words))
    case .pick: self = .pick(try PickCommand(words))
    case .feed: self = .feed(try FeedListCommand(words))
    case .files: self = .files(try FilesCommand(words))
    case .lists: self = .lists(try ListsCommand(words))
    case .remove: self = .remove(try RemoveCommand(words))
    case .page: self = .page(try PageCommand(words))
    case .diff: self = .diff(try DiffCommand(words))
    case .since: self = .since(try SinceCommand(words))
    case .gitDiff: self = .gitDiff(try GitDiffCommand(words))
    case .gitMerge: self = .gitMerge(try GitMergeCommand(words))
    case .replay: self = .replay(try ReplayCommand(words))
    case .help: self = .help(try Self.described(words, help))
    case nil:
      let options = try Options(words)
      if Arguments(words, of: help).contains(Options.version) {
        self = .version
      } else if options.asksForSchema {
        self = .schema(options.shape)
      } else {
        self = .serve(options)
      }
    }
  }

  /// Returns the description of the command that `listd help` is asked for.
  private static func described(
    _ words: ArraySlice<String>, _ help: CommandHelp
  ) throws(CommandProblem) -> CommandHelp {
    var arguments = Arguments(words, of: help)
    guard let argument = try arguments.next() else { return Options.help }
    guard case .operand(let word) = argument, try arguments.next() == nil else {
      throw CommandProblem(words: "listd help describes one command")
    }
    guard let name = Name(rawValue: word) else { throw Options.unknownCommand(word) }
    return name.description
  }
}
