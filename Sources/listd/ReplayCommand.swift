import Glibc
import JSONBytes
import ListServer

/// `listd replay`: runs recorded sessions through a fresh daemon and compares every answer.
struct ReplayCommand {
  private var files: [String] = []
  private var shows = false
  private var rerecords = false

  /// Follows the words after `replay`.
  init(_ words: ArraySlice<String>) throws(Options.Problem) {
    for word in words {
      switch word {
      case "--show": shows = true
      case "--rerecord": rerecords = true
      default:
        guard !word.hasPrefix("-") || word == "-" else {
          let hint = word.nearest(among: ["--show", "--rerecord"]).map { "; did you mean \($0)?" }
          throw Options.Problem(words: "unknown option \(word) of listd replay\(hint ?? "")")
        }
        files.append(word)
      }
    }
    if files.isEmpty { throw Options.Problem(words: "listd replay needs a recorded session") }
  }

  /// Runs all sessions; returns 1 where an answer differs, or where answers were recorded anew.
  func run() throws(Options.Problem) -> Int32 {
    var failures = 0
    var answers = 0
    for file in files {
      let session: RecordedSession
      do {
        session = try RecordedSession(
          file == "-" ? WholeFile.read(Descriptor.input, file) : WholeFile.read(file))
      } catch let problem as RecordedSession.Problem {
        throw Options.Problem(words: "\(file):\(problem.line): \(problem.words)", exitCode: 1)
      } catch let problem as Options.Problem {
        throw problem
      } catch { preconditionFailure("\(error)") }
      if session.isTorn { Descriptor.error.write("listd: \(file) ends inside a line\n") }
      if shows {
        Descriptor.output.write(session.description())
        continue
      }
      let replay = Replay(session, try Options(session.options).session)
      answers += replay.answers
      if replay.endsUnanswered {
        Descriptor.error.write("listd: \(file) ends before its last message is answered\n")
      }
      if rerecords { try rewrite(file, session, replay) }
      guard let difference = replay.difference else { continue }
      failures += 1
      let title = session.title.map { ": \($0)" } ?? ""
      Descriptor.output.write("\(file):\(difference.line)\(title)\n\(difference.description)\n")
    }
    if shows { return 0 }
    if rerecords { Descriptor.output.write("recorded anew; look at what has changed\n") }
    let sessions = files.count == 1 ? "1 session" : "\(files.count) sessions"
    Descriptor.output.write(
      failures == 0
        ? "\(sessions), \(answers) answers: all the same\n"
        : "\(failures) of \(sessions) answered otherwise\n")
    return failures > 0 || rerecords ? 1 : 0
  }

  private func rewrite(
    _ file: String, _ session: RecordedSession, _ replay: Replay
  ) throws(Options.Problem) {
    guard file != "-" else { throw Options.Problem(words: "standard input cannot be rewritten") }
    try WholeFile.write(session.story + replay.rewritten, to: file)
  }
}
