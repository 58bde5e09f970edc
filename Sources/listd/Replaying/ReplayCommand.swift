import ByteBuffers
import Commands
import JSONBytes
import ListCompare
import ListServer

/// `listd replay`: sends recorded requests to a new session and compares every answer.
struct ReplayCommand {
  private var files: [String] = []
  private var shows = false
  private var rerecords = false
  private var checks = false
  private var printsStory = false
  private var serves = false
  private var filter = StoryFilter()

  /// The output files of `--html` and `--redact`.
  private var page: String?

  /// The numbers of the first and the last request of the page.
  private var first: Int?
  private var last: Int?

  /// The size from which the message about a page names the options that cut it.
  private static let largeSize = 20 << 20

  private var redacted: String?

  static let help = CommandHelp(
    name: "replay", summary: "runs recorded sessions again and compares every answer",
    usage: ["replay [OPTION]... FILE..."],
    options: [
      .init("--show", "print the sessions for people to read"),
      .init("--story", "print a line for each request, and below it what it changed"),
      .init("--list", "NAME", "with --story: only the requests about a list"),
      .init("--id", "ID", "with --story: only the request with an id"),
      .init("--errors", "with --story: only requests that failed"),
      .init("--html", "OUT", "write a page that steps through the requests"),
      .init("--from", "N", "with --html: only from the Nth request on"),
      .init("--to", "N", "with --html: only up to the Nth request"),
      .init("--redact", "OUT", "write a record without the identifiers and strings of the lists"),
      .init("--serve", "answer a client on standard input as the recorded daemon did"),
      .init("--self-check", "check every answer by a second implementation, too"),
      .init("--rerecord", "replace the recorded answers with the present ones, and exit with 1"),
    ],
    notes: """
      --redact keeps the words of the protocol, the names of the members of items and sections,
      templates with their texts and groups, numbers that are not identifiers, times, options, line
      ends, slashes, and the lengths of texts between these, rounded up to a multiple of 8.

      A record has a JSON object on each line: {"at", "from", "message"} with milliseconds since the
      start, "client" or "server", and the message, or "raw" in Base64 for input that was not one.
      The first line may have a "title", the "options" of the daemon, and the lists of its "journal".
      Lines of further clients have a "connection"; an "event" is that a client "stops" reading,
      "reads" again or "leaves". A cancellation is where it took effect. Its file has mode 0600; an
      older record in it is replaced, and a file that is neither empty nor a record is refused.

      Not compared are times, versions, and the words of errors and log messages. Of a record that
      ends inside a line, the whole lines are replayed. The page of --html opens at the first change;
      a slider and the arrow keys step through the requests. --redact refuses a record that begins
      with the lists of a journal. --serve answers with the ids of the client; if a message of the
      client differs from the recorded one in more than ids, the order of members, clientInfo,
      processId and the client's own members, or if the client ends too early, it reports the line
      and a JSON pointer, and exits with 1. It serves the first connection.

      Sessions are recorded by listd --record FILE; - is standard input. listd replay exits with 0 if
      all answers are the same, and with 1 if one differs (it prints that one and its request), or if
      a file is not a record or has no answers.
      """)

  /// Reads the words after `replay`.
  init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let path): files.append(path)
      case .value(let value, of: let name):
        switch name {
        case "--list": filter.list = value
        case "--id": filter.id = value
        case "--html": page = value
        case "--from", "--to":
          guard let number = Int(value), number > 0, number <= Int(Int32.max) else {
            throw CommandProblem(words: "\(name) must be a number from 1, not \(value)")
          }
          if name == "--from" { first = number } else { last = number }
        default: redacted = value
        }
      case .option("--show"): shows = true
      case .option("--story"): printsStory = true
      case .option("--errors"): filter.onlyErrors = true
      case .option("--serve"): serves = true
      case .option("--rerecord"): rerecords = true
      case .option("--self-check"): checks = true
      case .option: break
      }
    }
    let isFiltered = filter.list != nil || filter.id != nil || filter.onlyErrors
    if page != nil || redacted != nil, files.count != 1 {
      throw CommandProblem(words: "--html and --redact take one record")
    }
    if page == nil, first != nil || last != nil {
      throw CommandProblem(words: "--from and --to need --html")
    }
    if let first, let last, first > last {
      throw CommandProblem(words: "--from \(first) is above --to \(last)")
    }
    if serves, files.count != 1 || files == ["-"] {
      throw CommandProblem(words: "--serve needs one record that is not standard input")
    }
    if isFiltered, !printsStory {
      throw CommandProblem(words: "--list, --id and --errors need --story")
    }
    if files.isEmpty { throw CommandProblem(words: "listd replay needs a recorded session") }
  }

  /// Runs all sessions. Returns 1 if an answer differs or the answers were recorded again.
  func run() throws(CommandProblem) -> Int32 {
    // A file that reaches its largest size is a write error, and does not end the process.
    signal(SIGXFSZ, SIG_IGN)
    var failures = 0
    var answers = 0
    for file in files {
      let bytes =
        file == "-" ? try FileContents.read(Descriptor.input, file) : try FileContents.read(file)
      let session = try locatingProblems(file) { () throws(RecordedSession.Problem) in
        try RecordedSession(bytes)
      }
      if let line = session.tornLine {
        Descriptor.report("\(file) ends inside line \(line), which is ignored")
      }
      if shows {
        try Descriptor.print(session.description())
        continue
      }
      if serves {
        var server = RecordServer(session, try Options(session.options), path: file)
        return try server.run()
      }
      var options = try Options(session.options).session
      if checks { options.checksAnswers = true }
      if printsStory || page != nil || redacted != nil {
        try writeOutputs(session, options, of: file)
        continue
      }
      let replay = try locatingProblems(file) { () throws(RecordedSession.Problem) in
        try Replay(session, options)
      }
      answers += replay.answers
      if replay.answers == 0 {
        failures += 1
        Descriptor.report("\(file) has no answers to compare")
        continue
      }
      if replay.endsUnanswered {
        Descriptor.report("\(file) ends before its last message is answered")
      }
      if rerecords { try rewrite(file, session, replay) }
      guard let difference = replay.difference else { continue }
      failures += 1
      let title = session.title.map { ": \($0)" } ?? ""
      let heading = "\(file):\(difference.line)\(title)".printable
      try Descriptor.print("\(heading)\n\(difference.description)\n")
    }
    if shows || printsStory || page != nil || redacted != nil { return failures > 0 ? 1 : 0 }
    if rerecords { try Descriptor.print("recorded again; review the changes\n") }
    let sessions = files.count == 1 ? "1 session" : "\(files.count) sessions"
    try Descriptor.print(
      failures == 0
        ? "\(sessions), \(answers == 1 ? "1 answer" : "\(answers) answers"): all the same\n"
        : "\(failures) of \(sessions) with different answers\n")
    return failures > 0 || rerecords ? 1 : 0
  }

  /// Writes the story, page or redacted record of a session.
  private func writeOutputs(
    _ session: RecordedSession, _ options: SessionOptions, of file: String
  ) throws(CommandProblem) {
    let isEmpty = !session.entries.contains { entry in
      if case .server = entry.event { true } else { false }
    }
    if isEmpty { throw CommandProblem(words: "\(file) has no answers to compare", exitCode: 1) }
    if let redacted { try redact(session, options, of: file, to: redacted) }
    guard printsStory || page != nil else { return }
    let story = try locatingProblems(file) { () throws(RecordedSession.Problem) in
      try RecordedStory(session, options)
    }
    if let page {
      var output = ByteBuffer()
      var writer = RecordPage()
      do throws(ComparisonFailure) {
        try writer.append(
          story, (first ?? 1)...(last ?? .max), title: session.title ?? file, to: &output)
      } catch {
        throw CommandProblem(words: "\(file): \(error.words)", exitCode: 1)
      }
      if output.count > Self.largeSize {
        Descriptor.report(
          "\(page) has \(output.count >> 20) MB, which browsers open slowly: --from and --to cut it "
            + "to some of the \(story.turns.count) requests")
      }
      try FileContents.write(output.withUnsafeBytes { Array($0) }, to: page)
    }
    if printsStory { try print(story, title: session.title) }
    if let difference = story.difference {
      Descriptor.report("\(file):\(difference.line): the present answers differ")
    }
  }

  private func print(_ story: RecordedStory, title: String?) throws(CommandProblem) {
    signal(SIGPIPE, SIG_IGN)
    var sink = OutputSink(mayPage: isatty(1) == 1)
    var output = ByteBuffer()
    let writer = StoryWriter(
      filter: filter, isColoured: Terminal.isColoured("auto"), width: Terminal.width)
    if let title { sink.write("\(title.printable)\n\n") }
    writer.append(story, to: &output) { sink.take(&$0) }
    sink.end()
    if let problem = sink.problem { throw CommandProblem(words: problem, exitCode: 1) }
  }

  /// Writes a record with redacted requests and the daemon's answers to them.
  private func redact(
    _ session: RecordedSession, _ options: SessionOptions, of file: String, to path: String
  ) throws(CommandProblem) {
    var redaction = RecordRedaction()
    let replay = try locatingProblems(file) { () throws(RecordedSession.Problem) in
      let redacted = try RecordedSession(SharedBytes(copying: redaction.lines(of: session)))
      return (try Replay(redacted, options), redacted.titleLine)
    }
    try FileContents.write(replay.1 + replay.0.rewritten, to: path)
  }

  /// Adds the file and the line to a problem.
  private func locatingProblems<R>(
    _ file: String, _ body: () throws(RecordedSession.Problem) -> R
  ) throws(CommandProblem) -> R {
    do throws(RecordedSession.Problem) { return try body() } catch {
      throw CommandProblem(words: "\(file):\(error.line): \(error.words)", exitCode: 1)
    }
  }

  private func rewrite(
    _ file: String, _ session: RecordedSession, _ replay: Replay
  ) throws(CommandProblem) {
    guard file != "-" else { throw CommandProblem(words: "standard input cannot be rewritten") }
    try FileContents.write(session.titleLine + replay.rewritten, to: file)
  }
}
