/// What is fuzzed.
enum Target: String, CaseIterable {
  /// Bytes in frames, cut in any way.
  case frames
  /// Bytes as JSON, beside a plain parser.
  case json
  /// Requests, a line each, with every answer checked, recorded, replayed and restored.
  case session
  /// Lists that change, made of the bytes, with every answer checked.
  case changes
  /// Bytes as a journal.
  case journal

  /// Gives the bytes to the target, which traps where something is wrong.
  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .frames: FrameTarget.run(bytes)
    case .json: JSONTarget.run(bytes)
    case .session: SessionTarget.run(bytes)
    case .changes: ChangesTarget.run(bytes)
    case .journal: JournalTarget.run(bytes)
    }
  }
}
