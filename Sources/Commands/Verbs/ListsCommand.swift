import ByteBuffers
import JSONBytes
import ListText

/// `listd lists`: prints the lists of a daemon.
package struct ListsCommand: Sendable {
  private var socket: String?
  private var form: String?

  package static let help = CommandHelp(
    name: "lists", summary: "prints the lists of a daemon", usage: ["lists [OPTION]..."],
    options: [
      .init("--names", "print only the names"),
      .init("--json", "print a JSON object for each list"),
      ListClient.option,
    ],
    notes: """
      A line has the name of a list, the number of its items, and what it is made of: other lists, or
      the command, the file or the folder that the daemon fills it with, and what is wrong with that.

      listd lists exits with 0, with 1 if the daemon does not answer, and with 2 if the command line is
      wrong.
      """)

  /// Reads the words after `lists`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand: throw CommandProblem(words: "listd lists takes no operand")
      case .option(let name): form = name
      case .value(let value, of: _): socket = value
      }
    }
  }

  /// Prints the lists; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    var client = try ListClient.connected(to: socket)
    let lists = try client.call("getLists") { _ in }["lists"]?.elements ?? []
    let rows = lists.map { list in
      [(list.text("list") ?? "").printable, "\(list.integer("items") ?? 0)", Self.source(of: list)]
    }
    let widths = (0..<2).map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
    var out = ""
    for (list, row) in zip(lists, rows) {
      switch form {
      case "--json": out += list.json + "\n"
      case "--names": out += (list.text("list") ?? "") + "\n"
      default:
        let (name, items) = (row[0], row[1])
        let gap = String(repeating: " ", count: widths[0] - Self.width(name) + 2)
        let margin = String(repeating: " ", count: widths[1] - items.count)
        out += name + gap + margin + items + (row[2].isEmpty ? "" : "  " + row[2]) + "\n"
      }
    }
    try Descriptor.print(out)
    return 0
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) }
  }

  /// What a list is made of, for people.
  private static func source(of list: MessagePart) -> String {
    if let sources = list["sources"]?.elements {
      return "of " + sources.map { $0.plain.printable }.joined(separator: ", ")
    }
    guard let feed = list["feed"] else { return "" }
    var text =
      feed["command"].map { $0.elements.map { $0.plain }.joined(separator: " ") }
      ?? feed["file"]?.plain ?? feed["folder"].map { $0.plain + "/" } ?? ""
    if list["state"]?["running"]?.json == "false" { text += " (ended)" }
    if let error = list["state"]?["error"] { text += " (\(error.plain))" }
    return text.printable
  }
}

/// `listd rm`: removes lists of a daemon.
package struct RemoveCommand: Sendable {
  private var names: [String] = []
  private var socket: String?

  package static let help = CommandHelp(
    name: "rm", summary: "removes lists of a daemon", usage: ["rm [OPTION]... NAME..."],
    options: [ListClient.option],
    notes: """
      What the daemon fills a list with ends. listd rm exits with 0 if all lists were removed, with 1 if
      there is no list with one of the names, or the daemon does not answer, and with 2 if the command
      line is wrong.
      """)

  /// Reads the words after `rm`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): names.append(word)
      case .option: break
      case .value(let value, of: _): socket = value
      }
    }
    guard !names.isEmpty else { throw CommandProblem(words: "listd rm takes names of lists") }
  }

  /// Removes the lists; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    var client = try ListClient.connected(to: socket)
    var code: Int32 = 0
    for name in names {
      do throws(CommandProblem) {
        _ = try client.call("removeList") { $0.append(list: name) }
      } catch {
        Descriptor.report(error.words)
        code = 1
      }
    }
    return code
  }
}
