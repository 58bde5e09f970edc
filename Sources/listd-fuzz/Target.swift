/// The targets of fuzzing.
enum Target: String, CaseIterable {
  /// A byte stream split into frames in several ways.
  case frames
  /// JSON, compared with a simple parser and Foundation.
  case json
  /// Requests, one on each line. Every answer is checked, recorded, replayed and restored.
  case session
  /// Lists of a session that the input changes, compared with a simple model.
  case changes
  /// Lists of a session that the input composes, compared with a simple model.
  case composites
  /// Views and outlines that the input changes, compared with a simple model.
  case views
  /// Changes between lists, without a session.
  case diff
  /// A journal.
  case journal
  /// Requests, one on each line, whose journal is damaged.
  case keeping
  /// Rows that are searched with queries, compared with a simple search.
  case match
  /// A folder that changes, and the list that follows it.
  case folders

  /// Whether the input is lines that are mutated like mistakes of a client.
  var isLines: Bool {
    switch self {
    case .json, .session, .journal, .keeping: true
    case .frames, .changes, .composites, .views, .diff, .match, .folders: false
    }
  }

  /// Runs the target on an input. Traps if something is wrong.
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
    case .keeping: JournalDamageTarget.run(bytes)
    case .match: MatchTarget.run(bytes)
    case .folders: FoldersTarget.run(bytes)
    }
  }
}
