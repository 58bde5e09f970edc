import ByteBuffers

/// `listd get`: prints a list of a daemon.
package struct GetCommand: Sendable {
  private var name = ""
  private var socket: String?
  private var printsText = false

  package static let help = CommandHelp(
    name: "get", summary: "prints a list of a daemon", usage: ["get [OPTION]... NAME"],
    options: [
      .init("--text", "print the lines that the list's templates make of it"), ListClient.option,
    ],
    notes: """
      The list is printed as a snapshot, {"sections": [...]}, which listd set and listd diff read. The
      daemon runs with --listen PATH.

      listd get exits with 0 if the list was printed, with 1 if there is no such list, the daemon does
      not answer, or the output cannot be written, and with 2 if the command line is wrong.
      """)

  /// Reads the words after `get`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    var names: [String] = []
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word): names.append(word)
      case .option: printsText = true
      case .value(let value, of: _): socket = value
      }
    }
    guard names.count == 1 else {
      throw CommandProblem(words: "listd get takes the name of one list")
    }
    name = names[0]
  }

  /// Prints the list; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    var client = try ListClient.connected(to: socket)
    let name = name
    var out = ByteBuffer()
    if printsText {
      // `getText` succeeds for a list that does not exist; `getSnapshot` fails.
      _ = try client.call("getSnapshot") {
        $0.append(list: name)
        $0.append(",\"window\":{\"start\":0,\"count\":0}")
      }
      let reply = try client.call("getText") { $0.append(list: name) }
      out.append(contentsOf: (reply.text("text") ?? "").utf8)
    } else {
      let reply = try client.call("getSnapshot") { $0.append(list: name) }
      out.append(snapshot: reply, "sections")
      out.append("\n")
    }
    guard out.withUnsafeBytes({ Descriptor.output.write($0) }) else {
      if let problem = Descriptor.outputProblem { throw problem }
      return 0
    }
    return 0
  }
}

extension ByteBuffer {
  /// Appends a snapshot whose sections are the value of a member.
  mutating func append(snapshot part: MessagePart, _ name: String) {
    append("{\"sections\":")
    part.with(name) { sections in
      if let sections { append(sections) } else { append("[]") }
    }
    append("}")
  }
}
