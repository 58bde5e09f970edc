import ByteBuffers
import JSONBytes
import ListCompare

/// `listd set`: replaces the content of a daemon's list by the rows of a file.
package struct SetCommand: Sendable {
  private var options = DiffOptions()
  private var name = ""
  private var file = "-"
  private var socket: String?
  private var starts = false

  package static let help = CommandHelp(
    name: "set", summary: "stores the rows of a file in a list of a daemon",
    usage: ["set [OPTION]... NAME [FILE]"],
    options: DiffOptions.help("--key", "--key-field", "--separator", "--input") + [
      ListClient.option, ListClient.start,
    ],
    notes: """
      FILE, or standard input, is read as listd diff reads files: with --key an item is a record of
      CSV or TSV, or an item of JSON, and its id is its key; with --key-field it is a line of text.
      Without either, a file is a snapshot, or has the type of its name's extension, or is JSON if it
      begins with a brace or a bracket, or is text: each line is an item. The daemon runs with
      --listen PATH.

        ps -eo pid,pcpu,args | listd set processes --key-field 1 --socket ~/.listd/socket
        listd set prices prices.csv --key sku

      A line is an item by itself, with --key-field {"id", "text"}. A record of CSV or TSV is {"id",
      "text"} with its key and its text, and its columns by their names, of which one named text is
      the text. An item of JSON is that item, with --key and its key as id; a member of a JSON object
      is its value with its name as id, or {"id", "text", "value"} if the value is not an object. The
      id of a key of several members is their JSON array as a string, that of a key that is neither
      a string nor an integer its JSON text. What is around the rows of a JSON document is left out.

      listd set exits with 0 if the list has that content, with 1 if the daemon refuses it or does
      not answer, and with 2 if the command line is wrong or the file cannot be read.
      """)

  /// Reads the words after `set`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    var operands: [String] = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): operands.append(word)
      case .value(let value, of: ListClient.option.name): socket = value
      case .option(ListClient.start.name): starts = true
      default: try options.read(argument)
      }
    }
    guard (1...2).contains(operands.count) else {
      throw CommandProblem(words: "listd set takes the name of a list, and at most one file")
    }
    name = operands[0]
    if operands.count == 2 { file = operands[1] }
  }

  /// Sends the rows; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    var content = ByteBuffer()
    do throws(ComparisonFailure) {
      try ListContent.append(try PairReader.read(file), options.comparison, to: &content)
    } catch {
      throw CommandProblem(words: error.words, isOfCommandLine: false)
    }
    var client = try ListClient.connected(to: socket, starts: starts)
    let name = name
    _ = try client.call("applySnapshot") { params in
      params.append(list: name)
      params.append(",\"format\":\"none\",")
      params.append(contentsOf: content)
    } failing: {
      // Without `/params`, the pointers in the message are pointers into the file.
      "the daemon refuses the list \(name): " + $0.removing("/params")
    }
    return 0
  }
}

extension ByteBuffer {
  /// Appends the member `list` of params.
  mutating func append(list name: String) {
    append("\"list\":")
    append(string: name)
  }
}
