import JSONBytes
import ListServer

/// `listd replay`: runs recorded sessions through a fresh daemon and compares every answer.
struct ReplayCommand {
  private var files: [String] = []
  private var shows = false
  private var rerecords = false

  static let help = CommandHelp(
    name: "replay", summary: "runs recorded sessions again and compares every answer",
    usage: ["replay [OPTION]... FILE..."],
    options: [
      .init("--show", "print the sessions for people to read"),
      .init("--rerecord", "replace the recorded answers by the present ones, and exit with 1"),
    ],
    notes: """
      Sessions are recorded by listd --record FILE; - is standard input. listd replay exits with 0 if
      all answers are the same, with 1 if one differs, which it shows with its request, or if a file
      is not a record.
      """)

  /// Reads the words after `replay`.
  init(_ words: ArraySlice<String>) throws(Options.Problem) {
    var arguments = Arguments(words, of: Self.help)
    while let argument = try arguments.next() {
      switch argument {
      case .operand(let path): files.append(path)
      case .option(let name), .value(_, of: let name):
        shows = shows || name == "--show"
        rerecords = rerecords || name == "--rerecord"
      }
    }
    if files.isEmpty { throw Options.Problem(words: "listd replay needs a recorded session") }
  }

  /// Runs all sessions; returns 1 where an answer differs, or where answers were recorded anew.
  func run() throws(Options.Problem) -> Int32 {
    // A file at its largest size is an error of the write, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    var failures = 0
    var answers = 0
    for file in files {
      let bytes =
        file == "-" ? try WholeFile.read(Descriptor.input, file) : try WholeFile.read(file)
      let session = try blaming(file) { () throws(RecordedSession.Problem) in
        try RecordedSession(bytes)
      }
      if let line = session.tornLine {
        Descriptor.report("\(file) ends inside line \(line), which is passed over")
      }
      if shows {
        try Descriptor.print(session.description())
        continue
      }
      let options = try Options(session.options).session
      let replay = try blaming(file) { () throws(RecordedSession.Problem) in
        try Replay(session, options)
      }
      answers += replay.answers
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
    if shows { return 0 }
    if rerecords { try Descriptor.print("recorded anew; look at what has changed\n") }
    let sessions = files.count == 1 ? "1 session" : "\(files.count) sessions"
    try Descriptor.print(
      failures == 0
        ? "\(sessions), \(answers == 1 ? "1 answer" : "\(answers) answers"): all the same\n"
        : "\(failures) of \(sessions) answered otherwise\n")
    return failures > 0 || rerecords ? 1 : 0
  }

  /// Tells in which file a problem is.
  private func blaming<R>(
    _ file: String, _ body: () throws(RecordedSession.Problem) -> R
  ) throws(Options.Problem) -> R {
    do throws(RecordedSession.Problem) { return try body() } catch {
      throw Options.Problem(words: "\(file):\(error.line): \(error.words)", exitCode: 1)
    }
  }

  private func rewrite(
    _ file: String, _ session: RecordedSession, _ replay: Replay
  ) throws(Options.Problem) {
    guard file != "-" else { throw Options.Problem(words: "standard input cannot be rewritten") }
    try WholeFile.write(session.story + replay.rewritten, to: file)
  }
}
