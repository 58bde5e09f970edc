/// The kind of two files, and their rows if they are not lines.
enum RowSource {
  case lines
  case snapshots(SnapshotFile, SnapshotFile)
  case records(RecordTable, RecordTable)

  /// Uses the kind that the options name. Without one, files with a key are of the kind that their
  /// names and first characters mean, and other files are snapshots or text.
  ///
  /// - Throws: If a file is not of its kind.
  init(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) {
    var options = options
    let model = old.isMissing ? new : old
    if options.rows != nil {
      guard options.input == .auto || options.input == .json else {
        throw ComparisonFailure("--rows is for JSON documents")
      }
      options.input = .json
    }
    let isGuess = options.input == .auto && options.keyFields.isEmpty
    let found = isGuess && options.key.isEmpty ? try Self.linesOrSnapshots(old, new, options) : nil
    if case .snapshots = found {
      self = found!
      return
    }
    if options.findsKey, !options.hasKey, let tables = AutomaticKey.tables(old, new, options) {
      self = .records(tables.0, tables.1)
      return
    }
    if let found {
      self = found
      return
    }
    if isGuess {
      options.input = try ComparisonOptions.Input(guessedOf: model, separator: options.separator)
    }
    let before = try FileRows(old, options, like: model)
    if case .records(let table) = before, old.content === new.content {
      self = .records(table, table.named(new.name))
      return
    }
    switch (before, try FileRows(new, options, like: model)) {
    case (.lines, .lines): self = .lines
    case (.snapshot(let before), .snapshot(let after)): self = .snapshots(before, after)
    case (.records(var before), .records(var after)):
      // Lines have names of columns only if both files have them.
      if before.form == .columns, before.columns != after.columns {
        before.columns = []
        after.columns = []
      }
      self = .records(before, after)
    default: preconditionFailure("files that were read differently by the same options")
    }
  }

  private static func linesOrSnapshots(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RowSource {
    let before = try SnapshotFile(old)
    let after = try SnapshotFile(new)
    // If one file is a snapshot, the lines of a text are items, unless it is not UTF-8, but another
    // JSON document is not a list.
    let texts = [before == nil ? old : nil, after == nil ? new : nil].compactMap { $0 }
    let isLines = texts.count == 2 || texts.contains { !$0.isUTF8 }
    if isLines || before == nil && old.firstByte == 0x7B || after == nil && new.firstByte == 0x7B {
      guard options.ignoresOrder || options.equality.ignoresText else { return .lines }
      return .records(try .columns(old, options), try .columns(new, options))
    }
    return .snapshots(before ?? SnapshotFile(linesOf: old), after ?? SnapshotFile(linesOf: new))
  }
}
