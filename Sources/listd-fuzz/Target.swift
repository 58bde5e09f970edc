/// What is fuzzed.
enum Target: String, CaseIterable {
  /// Bytes in frames, cut in any way.
  case frames
  /// Bytes as JSON, beside a plain parser and Foundation.
  case json
  /// Requests, a line each, with every answer checked, recorded, replayed and restored.
  case session
  /// Lists that change as the bytes say, in a session, beside a plain model of them.
  case changes
  /// Lists that are composed of each other as the bytes say, beside a plain model of them.
  case composites
  /// Views and outlines of lists that change as the bytes say, beside a plain model of them.
  case views
  /// Lists that change as the bytes say, without a session.
  case diff
  /// Bytes as a journal.
  case journal
  /// Requests, a line each, whose journal is cut and spoilt.
  case keeping
  /// Rows that are searched by queries, beside a plain search.
  case match

  /// Whether its input is lines that are changed as a client might err.
  var isLines: Bool {
    switch self {
    case .json, .session, .journal, .keeping: true
    case .frames, .changes, .composites, .views, .diff, .match: false
    }
  }

  /// Gives the bytes to the target, which traps where something is wrong.
  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .frames: FrameTarget.run(bytes)
    case .json: JSONTarget.run(bytes)
    case .session: SessionTarget.run(bytes)
    case .changes: ChangesTarget.run(bytes)
    case .composites: CompositesTarget.run(bytes)
    case .views: ViewsTarget.run(bytes)
    case .diff: DiffTarget.run(bytes)
    case .journal: JournalTarget.run(bytes)
    case .keeping: KeepingTarget.run(bytes)
    case .match: MatchTarget.run(bytes)
    }
  }
}
