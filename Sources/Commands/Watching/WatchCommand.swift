import ListCompare
import Terminals

/// `listd watch`: shows rows and what changes in them.
package struct WatchCommand: Sendable {
  private var options = DiffOptions()
  private var name: String?
  private var recipe: Recipe?
  private var socket: String?
  private var program: [String] = []
  private var interval = 2.0
  private var printsMessages = false
  private var isPlain = false
  private var isOnce = false

  /// The columns that a table shows; empty for all.
  private var columns: [String] = []

  /// The command that is run on a change.
  private var action: String?

  /// The format of messages or changes.
  private var format: String?

  private static let interval = CommandHelp.Option(
    "-n", "SECONDS", "the time from one run of COMMAND, or look at a file, to the next (2)")
  private static let action = CommandHelp.Option(
    "--exec", "COMMAND", "run a shell command on a change, with it as input")
  private static let format = CommandHelp.Option(
    "--format", (["ndjson"] + OwnDaemon.shared.formats).joined(separator: "|"),
    "ndjson: changes as JSON; with --json that of messages (ops)")

  private static let columns = CommandHelp.Option(
    "--columns", "NAME[,NAME]...",
    "show these columns of the table, by titles, members or numbers from 1")

  package static let help = CommandHelp(
    name: "watch",
    summary: "shows the rows of a command, a file, a folder or a list as they change",
    usage: [
      "watch [OPTION]... NAME", "watch [OPTION]... RECIPE", "watch [OPTION]... FILE | DIR",
      "watch [OPTION]... -- COMMAND [ARGUMENT]...",
    ],
    options: [
      interval, .init("--once", "print the table once, and end"),
      .init("--plain", "print changes one below the other, also on a terminal"), action,
      columns,
    ]
      + DiffOptions.help(
        "--key", "--key-field", "--separator", "--input", "--ignore", "--context", "--moves",
        "--whole", "--color",
        "--width")
      + [
        .init("--json", "print the daemon's messages about the list, each on a line"), format,
        ListClient.option,
      ],
    notes: """
      On a terminal the rows are a table that is always up to date. What changed in a row is coloured
      for three rounds, and so for one are new rows (+), rows that are gone (-), and rows that moved
      up or down (↑3, ↓2). Columns are those of a header, of CSV, or the members of JSON. / shows the
      rows that match a query, s sorts, g groups, Enter shows a row whole, Space marks it, p pauses,
      h and l show earlier and later readings, ? all keys, q ends.

      Elsewhere, with --plain, and if TERM is dumb, every change is printed below the one before, as
      listd diff draws it.

      NAME is a list of a daemon that runs with --listen PATH, unless there is a file or a folder with
      that name; with --socket it is always a list. COMMAND is run again and again, and its rows are
      shown as it prints them; one of one word is run by sh. Rows are identified by --key or
      --key-field, or by a column that identifies them, such as PID or id. Elsewhere than on a
      terminal they are identified as by listd diff.

        listd watch -n 5 -- ps -eo pid,pcpu,args
        listd watch -- kubectl get pods
        listd watch prices.csv --exec 'notify-send "$LISTD_CHANGE"'
        listd watch inbox --socket ~/.listd/socket

      RECIPE is the name of a file recipes/RECIPE.json in ~/.config/listd, or of the package, with
      members "command", "interval", "key" (columns that identify rows), "columns" (that watch shows),
      "header" (lines before the rows), "print" (what listd pick prints), "summary", and "actions"
      of keys, such as
      {"ctrl-t": "execute-silent(kill {1})"}. The package has:

        branches, changes, connections, disks, docker, failed, images, links, log, mail, memory,
        mounts, nodes, packages, pods, ports, ps, sessions, tags, tmux, units, usage

      --exec runs its command with the changes as its standard input, each a JSON object on a line,
      and with their number in $LISTD_CHANGE. Changes while it runs are told to the next run.

      A COMMAND that fails, or whose output cannot be read, is reported, and run again. Changes that
      are faster than they can be drawn are drawn as one. With --json, the reply to subscribe and
      every notification about the list is printed.

      listd watch ends with q or by a signal. It exits with 0 after q or if its output has no reader
      any more, with 1 if the daemon does not answer or ends, and with 2 if the command line is wrong
      or there is nothing that can be read at first.
      """)

  /// Reads the words after `watch`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    var names: [String] = []
    var given: Set<String> = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        if arguments.takesOptions { names.append(word) } else { program.append(word) }
      case .option(let name):
        given.insert(name)
        switch name {
        case "--json": printsMessages = true
        case "--plain": isPlain = true
        case "--once": isOnce = true
        default: try options.read(argument)
        }
      case .value(let value, of: let name):
        given.insert(name)
        switch name {
        case Self.interval.name: interval = try Self.seconds(value)
        case Self.format.name: format = value
        case Self.action.name: action = value
        case Self.columns.name: columns = Self.columns(in: value)
        case ListClient.option.name: socket = value
        default: try options.read(argument)
        }
      }
    }
    let isProgram = !arguments.takesOptions
    guard isProgram ? names.isEmpty && !program.isEmpty : names.count == 1 else {
      throw CommandProblem(
        words: "listd watch takes one file, folder or list, or a command after --")
    }
    name = names.first
    if let name, socket == nil, path == nil, !printsMessages,
      let recipe = try Recipe.named(name)
    {
      self.recipe = recipe
      program = [recipe.command]
      interval = given.contains(Self.interval.name) ? interval : recipe.interval ?? interval
      if columns.isEmpty { columns = recipe.columns.map(Self.columns(in:)) ?? [] }
      if let key = recipe.key, !given.contains("--key"), !given.contains("--key-field") {
        try options.read(.value(key, of: "--key-field"))
      }
    }
    try check(given, isProgram: isProgram || recipe != nil)
  }

  /// Throws if an option would have no effect.
  private func check(_ given: Set<String>, isProgram: Bool) throws(CommandProblem) {
    let ofLists = ["--json", "--socket"]
    let ofFiles = ["-n", "--key", "--key-field", "--separator", "--input"]
    let others = isProgram || path != nil ? ofLists : ofFiles
    if let option = others.first(where: { given.contains($0) }) {
      throw CommandProblem(
        words: isProgram || path != nil
          ? "\(option) is for lists of a daemon, not for a \(isProgram ? "command" : "file")"
          : "\(option) is for files, and for a command after --: "
            + "the items of a list have identifiers")
    }
    guard printsMessages || format == nil || format == ChangeFormat.ndjson.rawValue else {
      throw CommandProblem(words: "--format \(format!) needs --json")
    }
    guard !printsMessages || format != ChangeFormat.ndjson.rawValue else {
      throw CommandProblem(words: "--json prints messages: leave it out, or --format ndjson")
    }
    if isOnce,
      let option = ["--plain", "--exec", "--format", "--json"].first(where: given.contains)
    {
      throw CommandProblem(words: "--once prints the rows once: leave \(option) out")
    }
    if printsMessages || isPlain || format != nil, given.contains(Self.columns.name) {
      throw CommandProblem(words: "--columns is for a table: leave it out, or --plain and --json")
    }
    if printsMessages, action != nil {
      throw CommandProblem(words: "--json prints messages: leave --exec out")
    }
  }

  private static func columns(in value: String) -> [String] {
    value.split(separator: ",").map { String($0) }
  }

  private static func seconds(_ value: String) throws(CommandProblem) -> Double {
    guard let seconds = Double(value), seconds >= 0.1, seconds <= 1e6 else {
      throw CommandProblem(words: "-n is a number of seconds from 0.1, not \(value)")
    }
    return seconds
  }

  /// The path of the file or folder that the name is; nil if it is a list.
  private var path: String? {
    guard let name, socket == nil else { return nil }
    return name.utf8.contains(0x2F) || access(name, F_OK) == 0 ? name : nil
  }

  /// Shows rows until the user ends it or standard output has no reader. Returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    if let name, printsMessages {
      let list = try ListFeed.following(name, at: socket)
      return try list.printMessages(format ?? "ops")
    }
    let isLive = !isOnce && !isPlain && format == nil && Screen.isPossible
    if action == nil, Descriptor.wasClosed(.output) { return 0 }
    let feed = try feed(isLive: isLive)
    var comparison = options.comparison
    if program.isEmpty, path == nil { comparison.input = .snapshot }
    let action = action.map { ChangeAction($0, comparison, isSilent: isLive) }
    if isOnce {
      let reading = try Self.first(of: feed)
      if let problem = reading.problem { Descriptor.report(problem) }
      var table = try PrintedTable(reading.file, options, showing: columns)
      _ = try table.write()
      return reading.problem == nil ? 0 : 1
    }
    if isLive {
      let live = try LiveWatch(
        feed, title: title, options, showing: columns, every: .milliseconds(Int64(interval * 1000)),
        action: action,
        keys: try recipe.map { recipe throws(CommandProblem) in try RowActions(recipe) })
      return try live.run()
    }
    TerminalSignals.begin()
    var plain = PlainWatch(
      options, title: title, comparison: comparison, printsObjects: format != nil)
    return try plain.run(feed, action)
  }

  /// Waits for the first reading.
  static func first(of feed: RowFeed) throws(CommandProblem) -> RowFeed.Reading {
    TerminalSignals.begin()
    while true {
      if let reading = try feed.next() { return reading }
      _ = Waiting.wait(for: feed.polled, feed.deadline.map { MonotonicTime.now.duration(to: $0) })
    }
  }

  private func feed(isLive: Bool) throws(CommandProblem) -> RowFeed {
    let interval = Duration.milliseconds(Int64(interval * 1000))
    guard let name, recipe == nil else {
      return ProgramFeed(
        program.count == 1 ? ["/bin/sh", "-c", program[0]] : program, every: interval,
        capturesErrors: isLive, reportsFirstRows: isLive)
    }
    guard let path else { return try list(name) }
    return FolderDiff.isFolder(path)
      ? FolderFeed(path, every: interval) : FileFeed(path, every: interval)
  }

  private func list(_ name: String) throws(CommandProblem) -> ListFeed {
    do throws(CommandProblem) { return try ListFeed.following(name, at: socket) } catch {
      guard socket == nil else { throw error }
      let words = "there is no file and no recipe \(name)\(Recipe.hint(for: name)); as a list: "
      throw CommandProblem(
        words: words + error.words, exitCode: error.exitCode,
        isOfCommandLine: error.isOfCommandLine)
    }
  }

  private var title: String {
    if let name, recipe == nil { return name }
    let seconds =
      interval == interval.rounded() ? "\(Int(interval))" : "\(interval)"
    let summary = recipe?.summary ?? ""
    return "Every \(seconds) s: "
      + (summary.isEmpty ? program.joined(separator: " ") : summary)
  }
}
