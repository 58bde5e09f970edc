import ByteBuffers
import Terminals

/// `listd pick`: shows the lines that match a query, and prints those that a user chooses.
package struct PickCommand: Sendable {
  private let options: PickOptions

  package static let help = PickHelp.command

  /// Reads the words after `pick`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    options = try PickOptions(words)
  }

  /// The exit codes of fzf.
  private enum ExitCode {
    static let noMatch: Int32 = 1
    static let problem: Int32 = 2
    static let aborted: Int32 = 130
  }

  /// Returns the exit code.
  package func run() throws(CommandProblem) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    if options.printsVersion {
      try Descriptor.print(OwnDaemon.shared.title + "\n")
      return 0
    }
    if options.printsHelp {
      try Descriptor.print(Self.help.text)
      return 0
    }
    if let shell = options.shell {
      try Descriptor.print(shell.text)
      return 0
    }
    let waker = try Waker()
    let source = try PickSource(options, waker)
    if let filter = options.filter {
      return try printMatches(of: filter, source.search, waker)
    }
    return try choose(source, waker)
  }

  /// Waits until all lines were read, or standard output has no reader any more.
  ///
  /// - Throws: If there is no memory for them.
  private func waitForLines(_ search: PickSearch, _ waker: Waker) throws(CommandProblem) {
    while !search.hasEnded, search.wait(waker) {
      guard !search.isFull else {
        throw CommandProblem(
          words: "there is no memory for all lines: --tail N keeps the last ones",
          exitCode: ExitCode.problem, isOfCommandLine: false)
      }
    }
  }

  private func printMatches(
    of query: String, _ search: PickSearch, _ waker: Waker
  ) throws(CommandProblem) -> Int32 {
    try waitForLines(search, waker)
    let request = PickSearch.Request(
      query: options.query(query), ranking: options.ranking, count: .max)
    let result = search.await(request, PickSearch.Place(text: query))
    if let problem = search.problem { throw problem }
    let first = options.printsQuery ? [query] : []
    try write(first, (0..<result.count).lazy.map { result.bytes(of: result[$0]) })
    return result.count > 0 ? 0 : ExitCode.noMatch
  }

  private func choose(_ source: PickSource, _ waker: Waker) throws(CommandProblem) -> Int32 {
    if options.isSynchronous { try waitForLines(source.search, waker) }
    if options.selectsOne || options.endsWithoutMatch,
      let result = try settledResult(source.search, waker)
    {
      if result.count == 0, options.endsWithoutMatch {
        source.end()
        try write(options.printsQuery ? [options.query] : [], [])
        return ExitCode.noMatch
      }
      if result.count == 1, options.selectsOne {
        source.end()
        let line = result.bytes(of: result[0])
        let choice = Choice(query: options.query, printed: [], lines: [line])
        try accept(key: "", choice)
        return 0
      }
    }
    let term = PickOptions.variable("TERM")
    guard let term, term != "dumb" else {
      throw CommandProblem(
        words: "the terminal cannot be used: TERM is \(term ?? "not set")",
        exitCode: ExitCode.problem, isOfCommandLine: false)
    }
    let number = System.openFile("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      throw CommandProblem(
        words: "there is no terminal to choose in: \(Descriptor.problem)",
        exitCode: ExitCode.problem, isOfCommandLine: false)
    }
    let (end, last) = try show(source, waker, on: Descriptor(number: number))
    TemporaryFiles.remove()
    switch end {
    case .aborted: return ExitCode.aborted
    case .failed(let problem): throw problem
    case .query:
      try write([last.query], [])
      return last.lines.isEmpty ? ExitCode.noMatch : 0
    case .become(let command):
      dup2(number, Descriptor.input.number)
      var words = (System.shell + [command]).map { strdup($0) } + [nil]
      execvp(words[0]!, &words)
      throw CommandProblem(
        words: "cannot run \(System.shell[0]): \(Descriptor.problem)", exitCode: 126,
        isOfCommandLine: false)
    case .accepted(let key):
      try accept(key: key, last)
      return last.lines.isEmpty ? ExitCode.noMatch : 0
    }
  }

  /// What was chosen.
  private struct Choice {
    var query: String
    var printed: [String]
    var lines: [ArraySlice<UInt8>]
  }

  /// Shows the lines until the user has chosen. The terminal is as it was before when it returns.
  private func show(
    _ source: PickSource, _ waker: Waker, on terminal: Descriptor
  ) throws(CommandProblem) -> (Picker.End, Choice) {
    let screen = try Picker.openScreen(options, on: terminal)
    let picker = Picker(options, source, waker, on: terminal, screen: screen)
    let end = picker.run()
    let lines =
      picker.marks.count > 0 ? picker.marks.lines : picker.currentLine.map { [$0] } ?? []
    let choice = Choice(
      query: picker.field.text, printed: picker.printed, lines: lines.map { picker.bytes(of: $0) })
    return (end, choice)
  }

  /// Waits until it is known whether there is more than one match. Returns the result; nil if there is
  /// more than one.
  private func settledResult(
    _ search: PickSearch, _ waker: Waker
  ) throws(CommandProblem) -> PickSearch.Result? {
    search.search(
      PickSearch.Request(query: options.query(options.query), ranking: options.ranking, count: 2),
      PickSearch.Place(text: options.query))
    while true {
      search.update()
      if let problem = search.problem { throw problem }
      if let result = search.takeResult() {
        if result.count > (options.selectsOne ? 1 : 0) { return nil }
        if result.isFinal { return result }
      }
      guard !search.isFull, search.wait(waker) else { return nil }
    }
  }

  private func accept(key: String, _ choice: Choice) throws(CommandProblem) {
    var first = options.printsQuery ? [choice.query] : []
    if options.printsKey { first.append(key) }
    try write(first + choice.printed, choice.lines)
  }

  /// Prints texts and lines.
  private func write(
    _ texts: [String], _ lines: some Sequence<ArraySlice<UInt8>>
  ) throws(CommandProblem) {
    var buffer = ByteBuffer()
    for text in texts {
      buffer.append(contentsOf: text.utf8)
      buffer.append(options.outputSeparator)
    }
    for line in lines {
      var bytes = line
      if options.form.readsColors { bytes = StyledLine.read(bytes).text[...] }
      if let accepted = options.accepted {
        bytes = accepted.printedText(of: bytes, options.form.delimiter)[...]
      }
      buffer.append(contentsOf: bytes)
      buffer.append(options.outputSeparator)
      if buffer.count >= 1 << 16 { guard try flush(&buffer) else { return } }
    }
    _ = try flush(&buffer)
  }

  /// Writes a buffer, and empties it. Returns false if standard output has no reader.
  private func flush(_ buffer: inout ByteBuffer) throws(CommandProblem) -> Bool {
    defer { buffer.removeAll() }
    if buffer.isEmpty || buffer.withUnsafeBytes({ Descriptor.output.write($0) }) { return true }
    if let problem = Descriptor.outputProblem { throw problem }
    return false
  }
}
