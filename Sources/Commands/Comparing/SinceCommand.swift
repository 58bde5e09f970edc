import ByteBuffers
import ListCompare

/// `listd since NAME`: compares rows with those of the last run, and keeps them for the next one.
package struct SinceCommand: Sendable {
  private var options = DiffOptions()
  private var name = ""
  private var file = "-"
  private var program: [String] = []
  private var action: String?
  private var keepsOld = false
  private var forgets = false

  package static let help = CommandHelp(
    name: "since", summary: "compares rows with those of the last run",
    usage: ["since NAME [OPTION]... [FILE]", "since NAME [OPTION]... -- COMMAND [ARGUMENT]..."],
    options: [
      .init("--exec", "COMMAND", "run a shell command on a change, with it as input"),
      .init("--peek", "keep the rows of the last run"),
      .init("--forget", "forget the rows, and end"),
    ] + DiffOptions.help.filter { $0.name != "--label" },
    notes: """
      FILE, standard input, or what COMMAND prints is compared with what it was in the last run with
      the same NAME, as listd diff compares files, and kept for the next run. The first run only keeps
      it. If COMMAND fails, or something cannot be read or written, the rows of the last run remain.
      A COMMAND of one word is run by sh.

        0 7 * * *  listd since prices --key sku -- curl -sf https://example.org/prices.csv
        df -P | listd since disks --key-field 6 --exec 'mail -s "disks: $LISTD_CHANGE" root'

      Rows are kept in $XDG_STATE_HOME/listd/since/NAME, by default in ~/.local/state, with mode 0600.
      The command of --exec reads the changes, each a JSON object on a line; $LISTD_CHANGE is their
      number. If it fails, the rows of the last run remain, too.

      listd since exits with 0 if nothing differs or it is the first run, with 1 if something does,
      and with 2 if rows cannot be read, compared or kept.
      """)

  /// Reads the words after `since`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(ShortOptions.expanded(words), of: Self.help)
    var operands: [String] = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        if arguments.takesOptions { operands.append(word) } else { program.append(word) }
      case .option("--peek"): keepsOld = true
      case .option("--forget"): forgets = true
      case .value(let command, of: "--exec"): action = command
      default: try options.read(argument)
      }
    }
    let isProgram = !arguments.takesOptions
    guard operands.count == 1 || operands.count == 2 && !isProgram, !isProgram || !program.isEmpty
    else {
      throw CommandProblem(
        words: "listd since takes a name, and at most one file, or a command after --")
    }
    name = operands[0]
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0x2F), name.utf8.count <= 200
    else {
      throw CommandProblem(words: "\(name.isEmpty ? "an empty name" : name) cannot name a file")
    }
    if operands.count == 2 { file = operands[1] }
    try options.complete()
  }

  /// Compares the rows; returns the exit code.
  package func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    do throws(CommandProblem) { return try compare() } catch {
      Descriptor.report(error.words)
      return DiffCommand.ExitCode.trouble
    }
  }

  private func compare() throws(CommandProblem) -> Int32 {
    let path = try Self.folder() + "/" + name
    // Two runs at the same time would both compare with the same rows.
    let lock = try LockedFile.open(path + ".lock", "cannot lock")
    defer { _ = System.closeFile(lock.descriptor.number) }
    if forgets {
      unlink(path)
      return DiffCommand.ExitCode.same
    }
    let new = try read()
    let isFirst = access(path, F_OK) != 0
    var code = DiffCommand.ExitCode.same
    if !isFirst {
      let old = ComparedFile(name: new.name, content: try FileContents.read(path))
      do throws(ComparisonFailure) {
        code = try DiffCommand(options).write(old, new)
        if let action { try run(action, old, new) }
      } catch {
        throw CommandProblem(words: "\(error.words); --forget begins anew")
      }
    } else {
      // What cannot be compared later is not kept.
      do throws(ComparisonFailure) { _ = try Comparison(new, new, options.comparison) } catch {
        throw CommandProblem(words: error.words)
      }
    }
    if !keepsOld, isFirst || code != DiffCommand.ExitCode.same {
      // A run that was killed may have left it.
      unlink(path + ".new")
      try FileContents.write(new.content.withBytes { Array($0) }, to: path)
    }
    return code
  }

  private func run(
    _ action: String, _ old: ComparedFile, _ new: ComparedFile
  ) throws(ComparisonFailure) {
    let action = ChangeAction(action, options.comparison, isSilent: false)
    action.add(old)
    action.add(new)
    if let problem = action.end() { throw ComparisonFailure(problem) }
  }

  /// Returns the present rows.
  private func read() throws(CommandProblem) -> ComparedFile {
    guard !program.isEmpty else {
      do throws(ComparisonFailure) {
        var found = try PairReader.read(file)
        if file == "-" { found.name = name }
        return found
      } catch { throw CommandProblem(words: error.words) }
    }
    let feed = ProgramFeed(
      program.count == 1 ? ["/bin/sh", "-c", program[0]] : program, every: .seconds(1),
      capturesErrors: false, reportsFirstRows: false)
    let reading = try WatchCommand.first(of: feed)
    if let problem = reading.problem { throw CommandProblem(words: "\(program[0]): \(problem)") }
    return ComparedFile(name: name, content: reading.file.content)
  }

  /// Returns the folder of the rows that are kept. Creates it if necessary.
  private static func folder() throws(CommandProblem) -> String {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" })
    else {
      throw CommandProblem(words: "neither XDG_STATE_HOME nor HOME is the path of a folder")
    }
    let folder = state + "/listd/since"
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      if mkdir(path, 0o700) != 0, errno != EEXIST, access(path, F_OK) != 0 {
        throw CommandProblem(words: "cannot make the folder \(path): \(Descriptor.problem)")
      }
    }
    return folder
  }
}
