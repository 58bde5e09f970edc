import ByteBuffers

/// `listd files`: prints the files of a folder, which a daemon keeps as a list.
package struct FilesCommand: Sendable {
  private var folder: String?
  private var socket: String?
  private var given: Set<String> = []

  package static let help = CommandHelp(
    name: "files", summary: "prints the files of a folder that a daemon has ready",
    usage: ["files [OPTION]... [DIR]"],
    options: [
      .init("--hidden", "with names that begin with a dot"),
      .init("--ignored", "with what .gitignore and .ignore leave out"),
      .init("--folders", "with folders"), .init("-0", "end each path by a NUL"),
      ListClient.option, ListClient.start,
    ],
    notes: """
      The daemon reads DIR, the current folder if there is no operand, and all folders below it, and
      follows their changes from then on: the next time the files are there at once. It keeps them in
      the list files:DIR, with the absolute path of DIR, until listd rm removes that. The paths are in no
      order.

        listd files --start ~/src | fzf

      listd files exits with 0 if the files were printed, with 1 if the folder cannot be read whole or
      the daemon does not answer, and with 2 if the command line is wrong.
      """)

  /// Reads the words after `files`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let word):
        guard folder == nil else { throw CommandProblem(words: "listd files takes one folder") }
        folder = word
      case .option(let name): given.insert(name)
      case .value(let value, of: _): socket = value
      }
    }
  }

  /// Prints the files; returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    let path = FileContents.resolved(FileContents.absolute(folder ?? "."))
    let shown = ["--hidden", "--ignored"].filter { given.contains($0) }
    let list = "files" + shown.map { $0.dropFirst() }.joined() + ":" + path
    var client = try ListClient.connected(to: socket, starts: given.contains(ListClient.start.name))
    var entry = try Self.entry(of: list, &client)
    if entry?["feed"] == nil || entry?["reading"] != nil {
      // The end of the first reading is notified.
      _ = try client.call("subscribe") {
        $0.append(list: list)
        $0.append(",\"format\":\"none\"")
        if let revision = entry?.integer("revision") { $0.append(member: "since", revision) }
      }
      entry = try Self.entry(of: list, &client)
    }
    if entry?["feed"] == nil {
      _ = try client.call("feed") { params in
        params.append(list: list)
        params.append(",\"from\":{\"folder\":")
        params.append(string: path)
        params.append(",\"depth\":\"all\"")
        if shown.contains("--hidden") { params.append(",\"hidden\":true") }
        if shown.contains("--ignored") { params.append(",\"ignored\":true") }
        params.append("}")
      }
      entry = try Self.entry(of: list, &client)
    }
    while entry?["reading"] != nil {
      guard try Self.waitForNews(&client) else { return 0 }
      entry = try Self.entry(of: list, &client)
    }
    let problem = entry?["state"]?.text("error")
    if let problem { Descriptor.report(problem) }
    try print(list, &client)
    return problem == nil ? 0 : 1
  }

  /// Returns the entry of a list in `getLists`; nil if there is none.
  private static func entry(
    of list: String, _ client: inout ListClient
  ) throws(CommandProblem) -> MessagePart? {
    let reply = try client.call("getLists") { _ in }
    return reply["lists"]?.elements.first { $0.text("list") == list }
  }

  /// Waits until the state of the feed has changed, or the list was removed. Returns false if standard
  /// output has no reader any more.
  private static func waitForNews(_ client: inout ListClient) throws(CommandProblem) -> Bool {
    while true {
      var hasNews = false
      while let method = try client.nextNotification()?.method {
        if method != "didChange" { hasNews = true }
      }
      if hasNews { return true }
      if case .unread = client.wait() { return false }
    }
  }

  /// The numbers of files that are asked for at first, and at most: each time twice as many.
  private static let (few, many) = (1000, 16_000)

  /// Prints the files of a list window by window, so that the first ones are printed at once.
  private func print(_ list: String, _ client: inout ListClient) throws(CommandProblem) {
    var prefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    if prefix == "./" { prefix = "" }
    var files = PrintedFiles(
      prefix: Array(prefix.utf8), end: given.contains("-0") ? 0 : 0x0A,
      printsFolders: given.contains("--folders"))
    var revision: Int?
    var (start, last): (Int, MessagePart?) = (0, nil)
    var count = Self.few
    while true {
      let window = try client.call("getSnapshot") {
        $0.append(list: list)
        $0.append(",\"members\":[\"path\",\"type\",\"bytes\",\"parent\"],\"window\":{")
        $0.append(member: "start", start)
        $0.append(member: "count", count)
        $0.append("}")
      }
      if let before = last, window.integer("revision") != revision {
        (start, revision) = try Self.end(of: before, from: start, list, &client)
        continue
      }
      revision = window.integer("revision")
      start += window.with("rows") { rows in rows.map { files.read($0) } ?? 0 }
      let isLast = start >= window.integer("total") ?? 0
      guard files.write(isLast: isLast) else {
        if let problem = Descriptor.outputProblem { throw problem }
        return
      }
      if isLast { return }
      (last, count) = (window, min(2 * count, Self.many))
    }
  }

  /// Returns where the rows of a window end now, which ended before a row, and the revision in which they do. The
  /// order of files does not change.
  private static func end(
    of window: MessagePart, from start: Int, _ list: String, _ client: inout ListClient
  ) throws(CommandProblem) -> (Int, Int?) {
    let rows = window["rows"]?.elements ?? []
    let found = try client.call("locate") { params in
      params.append(list: list)
      params.append(list: "items", rows.count) { rows[$0]["content"]?["id"]?.append(to: &$1) }
    }
    let places = found["items"]?.elements ?? []
    for place in places.reversed() {
      guard let row = place["at"]?.elements.last.flatMap({ Int($0.plain) }) else { continue }
      return (row + 1, found.integer("revision"))
    }
    return (max(0, start - rows.count), found.integer("revision"))
  }
}
