import ByteBuffers
import JSONBytes
import ListCompare

/// `listd feed`: lets a daemon fill a list with the rows of a command or a file, or the files of a folder.
package struct FeedListCommand: Sendable {
  private var options = DiffOptions()
  private var name = ""
  private var path: String?
  private var program: [String] = []
  private var interval: Double?
  private var depth: String?
  private var socket: String?

  /// The options without a value that were given.
  private var given: Set<String> = []

  private static let ofPrograms = CommandHelp.Option(
    "-n", "SECONDS", "run COMMAND again this long after each run, and show its last rows")
  private static let depth = CommandHelp.Option(
    "--depth", "LEVELS", "of DIR: a number, all, or lazy: the folders that outlines expand (all)")

  package static let help = CommandHelp(
    name: "feed",
    summary: "fills a list of a daemon with the rows of a command, a file or a folder",
    usage: [
      "feed [OPTION]... NAME -- COMMAND [ARGUMENT]...", "feed [OPTION]... NAME FILE | DIR",
      "feed --end NAME",
    ],
    options: [
      ofPrograms, .init("--follow", "of FILE: append what is appended, as tail -F does"), depth,
      .init("--hidden", "of DIR: with names that begin with a dot"),
      .init("--ignored", "of DIR: with what .gitignore and .ignore leave out"),
      .init("--edits", "of DIR: edits of the list rename, make and delete files"),
    ]
      + DiffOptions.help("--key", "--key-field") + [
        .init(
          "--input", oneOf: ["text", "csv", "tsv", "json", "ndjson"],
          "what the rows are (of FILE: by its name, else text)"),
        .init("--end", "end the feed of the list, which stays as it is"), ListClient.option,
        ListClient.start,
      ],
    notes: """
      The daemon runs COMMAND or reads FILE or DIR itself, and goes on when listd feed has ended, until
      the list gets another feed or is removed. COMMAND runs in the current folder, with the daemon's
      environment; one of one word is run by sh. listd lists shows how feeds are doing.

        listd feed log --start -- journalctl -f
        listd feed processes -n 2 --key-field 1 -- ps -eo pid,pcpu,args
        listd feed orders orders.csv --key id

      listd feed exits with 0 if the feed has begun or ended, with 1 if the daemon refuses it or does
      not answer, and with 2 if the command line is wrong.
      """)

  /// Reads the words after `feed`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    var operands: [String] = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        if arguments.takesOptions { operands.append(word) } else { program.append(word) }
      case .option(let name): given.insert(name)
      case .value(let value, of: let option):
        given.insert(option)
        switch option {
        case Self.ofPrograms.name: interval = try Self.seconds(value)
        case Self.depth.name: depth = try Self.levels(value)
        case ListClient.option.name: socket = value
        default: try options.read(argument)
        }
      }
    }
    let ends = given.contains("--end")
    guard operands.count == (program.isEmpty && !ends ? 2 : 1), !ends || program.isEmpty else {
      throw CommandProblem(
        words: "listd feed takes the name of a list, and a file, a folder, or a command after --")
    }
    name = operands[0]
    path = operands.count == 2 ? operands[1] : nil
    try check()
  }

  private static func seconds(_ value: String) throws(CommandProblem) -> Double {
    guard let seconds = Double(value), seconds >= 0.1, seconds <= 1e6 else {
      throw CommandProblem(words: "-n is a number of seconds from 0.1, not \(value)")
    }
    return seconds
  }

  private static func levels(_ value: String) throws(CommandProblem) -> String {
    if value == "all" || value == "lazy" { return "\"\(value)\"" }
    guard let number = Int(value), number > 0 else {
      throw CommandProblem(words: "--depth is a number from 1, all or lazy, not \(value)")
    }
    return "\(number)"
  }

  private static let ofFolders = ["--depth", "--hidden", "--ignored", "--edits"]
  private static let ofRows = ["--key", "--key-field", "--input"]

  /// Throws if an option would have no effect.
  private func check() throws(CommandProblem) {
    let (source, others): (String, [String]) =
      if let path {
        FolderDiff.isFolder(path)
          ? ("a folder", ["-n", "--follow"] + Self.ofRows) : ("a file", ["-n"] + Self.ofFolders)
      } else if program.isEmpty {
        ("--end", ["-n", "--follow"] + Self.ofFolders + Self.ofRows)
      } else {
        ("a command", ["--follow"] + Self.ofFolders)
      }
    if let option = others.first(where: { given.contains($0) }) {
      throw CommandProblem(words: "\(option) has no effect with \(source)")
    }
  }

  /// Sends the request; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    var client = try ListClient.connected(to: socket, starts: given.contains(ListClient.start.name))
    _ = try client.call("feed") { params in
      params.append(list: name)
      params.append(",\"from\":")
      appendSource(to: &params)
      appendKey(to: &params)
      if given.contains("--edits") { params.append(",\"allowsEdits\":true") }
    }
    return 0
  }

  private func appendSource(to params: inout ByteBuffer) {
    if !program.isEmpty {
      let words = program.count == 1 ? ["/bin/sh", "-c", program[0]] : program
      params.append("{\"command\":[")
      for (index, word) in words.enumerated() {
        if index > 0 { params.append(",") }
        params.append(string: word)
      }
      params.append("]")
      params.append(member: "cwd", string: FileContents.resolved("."))
      if let interval { params.append(member: "every", Int(interval * 1000)) }
      return appendFormat(to: &params)
    }
    guard let path else { return params.append("null") }
    if FolderDiff.isFolder(path) {
      params.append("{\"folder\":")
      params.append(string: FileContents.absolute(path))
      params.append(",\"depth\":")
      params.append(contentsOf: (depth ?? "\"all\"").utf8)
      for option in ["--hidden", "--ignored"] where given.contains(option) {
        params.append(option == "--hidden" ? ",\"hidden\":true" : ",\"ignored\":true")
      }
      return params.append("}")
    }
    params.append("{\"file\":")
    // The file may be another one later, so that its links are not followed here.
    params.append(string: FileContents.absolute(path))
    if given.contains("--follow") { params.append(",\"follow\":true") }
    appendFormat(to: &params)
  }

  /// Appends the format of rows and the end of the source.
  private func appendFormat(to params: inout ByteBuffer) {
    var input = options.comparison.input
    if input == .auto, let path { input = ComparisonOptions.Input(fileName: path) ?? .auto }
    if input != .auto, input != .text { params.append(member: "format", string: input.rawValue) }
    params.append("}")
  }

  private func appendKey(to params: inout ByteBuffer) {
    let names = options.comparison.key
    let fields = options.comparison.keyFields
    guard !names.isEmpty || !fields.isEmpty else { return }
    params.append(",\"key\":[")
    for (index, name) in (names + fields).enumerated() {
      if index > 0 { params.append(",") }
      if names.isEmpty, let number = Int(name) {
        params.append(decimal: number)
      } else {
        params.append(string: name)
      }
    }
    params.append("]")
  }
}
