import JSONBytes

/// What two files are, and their rows where these are not lines.
enum RowSource {
  case lines
  case snapshots(SnapshotFile, SnapshotFile)
  case records(RecordTable, RecordTable)

  /// Chooses by the options, else by how the files look: with a key by their names and first
  /// characters, without one only a snapshot is not text.
  ///
  /// - Throws: if a file cannot be read as what it is.
  init(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) {
    var options = options
    if !options.keyFields.isEmpty {
      guard options.input == .auto || options.input == .text, options.key.isEmpty else {
        throw ComparisonFailure("--key-field is for text; of other files --key names the columns")
      }
      self = .records(try .columns(old, options), try .columns(new, options))
      return
    }
    if options.input == .auto {
      if options.key.isEmpty {
        self = try Self.linesOrSnapshots(old, new)
        return
      }
      options.input = try Self.guess(Self.isMissing(old) ? new : old)
    }
    switch options.input {
    case .auto, .text:
      guard options.key.isEmpty else {
        throw ComparisonFailure("lines of text have no members: use --key-field")
      }
      self = .lines
    case .snapshot:
      guard options.key.isEmpty else {
        throw ComparisonFailure("the items of a snapshot have identifiers: leave --key out")
      }
      self = .snapshots(try Self.snapshot(old), try Self.snapshot(new))
    case .json, .ndjson:
      // NDJSON is guessed, too.
      if options.input == .json { options.input = .auto }
      self = .records(
        try Self.table(old, .json) { (file) throws(ComparisonFailure) in try .json(file, options) },
        try Self.table(new, .json) { (file) throws(ComparisonFailure) in try .json(file, options) })
    case .csv, .tsv:
      let delimiter =
        options.input == .tsv ? 0x09 : Self.delimiter(of: Self.isMissing(old) ? new : old)
      self = .records(
        try Self.table(old, .delimited(by: delimiter)) { (file) throws(ComparisonFailure) in
          try .delimited(file, by: delimiter, options)
        },
        try Self.table(new, .delimited(by: delimiter)) { (file) throws(ComparisonFailure) in
          try .delimited(file, by: delimiter, options)
        })
    }
  }

  /// A file that is not there: git compares with it what was added and deleted.
  private static func isMissing(_ file: ComparedFile) -> Bool {
    file.content.count == 0 && file.name == "/dev/null"
  }

  private static func table(
    _ file: ComparedFile, _ form: RecordTable.Form,
    _ read: (ComparedFile) throws(ComparisonFailure) -> RecordTable
  ) throws(ComparisonFailure) -> RecordTable {
    isMissing(file) ? RecordTable(file, form) : try read(file)
  }

  private static func linesOrSnapshots(
    _ old: ComparedFile, _ new: ComparedFile
  ) throws(ComparisonFailure) -> RowSource {
    let before = try SnapshotFile(old)
    let after = try SnapshotFile(new)
    // Beside a snapshot, the lines of a text are items; a document of another kind is no list.
    let isLines = before == nil && after == nil
    if isLines || before == nil && isObject(old) || after == nil && isObject(new) { return .lines }
    return .snapshots(before ?? SnapshotFile(linesOf: old), after ?? SnapshotFile(linesOf: new))
  }

  private static func isObject(_ file: ComparedFile) -> Bool {
    file.content.withBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[start...].first { $0 > 0x20 } == 0x7B
    }
  }

  private static func snapshot(_ file: ComparedFile) throws(ComparisonFailure) -> SnapshotFile {
    guard let snapshot = try SnapshotFile(file) else {
      throw ComparisonFailure("\(file.name): not a snapshot: an object of items or sections alone")
    }
    return snapshot
  }

  private static func guess(
    _ file: ComparedFile
  ) throws(ComparisonFailure) -> ComparisonOptions.Input {
    let ends: [(String, ComparisonOptions.Input)] = [
      (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".json", .json), (".ndjson", .ndjson),
      (".jsonl", .ndjson),
    ]
    if let known = ends.first(where: { file.name.lowercased().hasSuffix($0.0) }) { return known.1 }
    return try file.content.withBytes { bytes throws(ComparisonFailure) in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let first = bytes[start...].first { $0 > 0x20 }
      if first == 0x7B || first == 0x5B { return .json }
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      if bytes[..<end].contains(0x09) { return .tsv }
      if bytes[..<end].contains(where: { $0 == 0x2C || $0 == 0x3B }) { return .csv }
      throw ComparisonFailure(
        "\(file.name): cannot see whether this is JSON, CSV or TSV: use --input")
    }
  }

  /// A semicolon if the first line of CSV has those and no commas.
  private static func delimiter(of file: ComparedFile) -> UInt8 {
    file.content.withBytes { bytes in
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      return bytes[..<end].contains(0x3B) && !bytes[..<end].contains(0x2C) ? 0x3B : 0x2C
    }
  }
}
