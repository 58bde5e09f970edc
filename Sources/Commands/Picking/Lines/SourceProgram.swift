/// A command whose output is the lines.
final class SourceProgram {
  private let process: pid_t

  init(
    _ words: [String], separator: UInt8, into store: LineStore, _ waker: Waker
  ) throws(CommandProblem) {
    let pipe = try Pipe()
    let started = TerminalSignals.startChild(inOwnGroup: true) {
      System.start(words, output: pipe.writing, errors: nil, inOwnGroup: true)
    }
    _ = System.closeFile(pipe.takeWriting())
    guard let started else {
      let words = "cannot run \(words[0]): \(Descriptor.problem)"
      _ = System.closeFile(pipe.reading)
      throw CommandProblem(words: words, isOfCommandLine: false)
    }
    process = started
    LineReader.start(pipe.reading, separator: separator, into: store) { waker.wake() }
  }

  /// Ends the command, if it still runs, and the processes of its group.
  func end() {
    kill(-process, SIGTERM)
    TerminalSignals.forgetChild(process)
  }
}
