import ListCompare
import ListProtocol

/// `listd watch`: shows a list of a daemon, or the output of a command, and its changes.
struct WatchCommand: Sendable {
  private var options = DiffOptions()
  private var name: String?
  private var socket: String?
  private var program: [String] = []
  private var interval = 2.0
  private var printsMessages = false
  private var scrolls = false

  /// The format of messages.
  private var format: String?

  private static let interval = CommandHelp.Option(
    "-n", "SECONDS", "the time from one run of COMMAND to the next (2)")
  private static let format = CommandHelp.Option(
    "--format", Format.allCases.map(\.rawValue).joined(separator: "|"),
    "with --json: the format of changes (ops)")

  static let help = CommandHelp(
    name: "watch", summary: "shows a list of a daemon or the output of a command, and its changes",
    usage: ["watch [OPTION]... NAME", "watch [-n SECONDS] [OPTION]... -- COMMAND [ARGUMENT]..."],
    options: [interval]
      + DiffOptions.help(
        "--key", "--key-field", "--separator", "--input", "--ignore", "--context", "--moves",
        "--whole", "--color",
        "--width")
      + [
        .init("--scroll", "print changes one below the other, also on a terminal"),
        .init("--json", "print the daemon's messages about the list, each on a line"), format,
        ListClient.option,
      ],
    notes: """
      On a terminal the rows are shown as they are, with what the last change did to them: marks are
      those of listd diff. If they do not fit, it shows the change and a few rows around it. Elsewhere,
      and with --scroll, every change is printed below the one before.

      NAME is a list of a daemon that runs with --listen PATH. COMMAND needs no daemon; its rows are
      identified as those of the files of listd diff are: by --key or --key-field, or by all that they
      contain. A COMMAND of one word is run by sh.

        listd watch inbox --socket ~/.listd/socket
        listd watch -n 5 --key-field 1 -- ps -eo pid,pcpu,args
        listd watch --key id --input csv -- 'sqlite3 -csv -header shop.db "select * from orders"'

      listd watch runs until a signal ends it. It exits with 0 if its output has no reader any more,
      with 1 if the daemon does not answer or ends, and with 2 if the command line is wrong or the
      first output of COMMAND cannot be read.
      """)

  /// Reads the words after `watch`.
  init(_ words: ArraySlice<String>) throws(Options.Problem) {
    var arguments = Arguments(words, of: Self.help)
    var names: [String] = []
    var given: Set<String> = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        if arguments.takesOptions { names.append(word) } else { program.append(word) }
      case .option(let name):
        given.insert(name)
        if name == "--json" { printsMessages = true }
        if name == "--scroll" { scrolls = true }
        try options.read(argument)
      case .value(let value, of: let name):
        given.insert(name)
        switch name {
        case Self.interval.name: interval = try Self.seconds(value)
        case Self.format.name: format = value
        case ListClient.option.name: socket = value
        default: try options.read(argument)
        }
      }
    }
    let isProgram = !arguments.takesOptions
    guard isProgram ? names.isEmpty && !program.isEmpty : names.count == 1 else {
      throw Options.Problem(
        words: "listd watch takes the name of one list, or a command after --")
    }
    name = names.first
    // Options that would have no effect are errors.
    let others =
      isProgram ? ["--json", "--format", "--socket"] : ["-n", "--key", "--key-field", "--input"]
    if let option = others.first(where: { given.contains($0) }) {
      throw Options.Problem(
        words: isProgram
          ? "\(option) is for lists of a daemon, not for a command"
          : "\(option) is for a command after --: the items of a list have identifiers")
    }
    guard printsMessages || format == nil else {
      throw Options.Problem(words: "--format needs --json")
    }
  }

  private static func seconds(_ value: String) throws(Options.Problem) -> Double {
    guard let seconds = Double(value), seconds >= 0.1, seconds <= 1e6 else {
      throw Options.Problem(words: "-n is a number of seconds from 0.1, not \(value)")
    }
    return seconds
  }

  /// Shows the list or the command's output until standard output has no reader. Returns the exit
  /// code.
  func run() throws(Options.Problem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    if let name, printsMessages {
      var list = try WatchedList.following(name, at: socket)
      return try list.printMessages(format ?? Format.ops.rawValue)
    }
    let isScreen = !scrolls && isatty(Descriptor.output.number) == 1
    if let name {
      var list = try WatchedList.following(name, at: socket)
      return try list.show(
        in: WatchView(options, title: name, isScreen: isScreen, input: .snapshot))
    }
    let title =
      "Every \(Self.shortest(interval)) s: \(program.joined(separator: " "))"
    let watched = WatchedProgram(
      words: program.count == 1 ? ["/bin/sh", "-c", program[0]] : program,
      interval: .milliseconds(Int64(interval * 1000)), capturesErrors: isScreen)
    return try watched.show(in: WatchView(options, title: title, isScreen: isScreen))
  }

  /// A number without a zero fraction.
  private static func shortest(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
