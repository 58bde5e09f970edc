import JSONBytes

/// What a file is, and its rows if these are not lines.
enum FileRows {
  case lines
  case snapshot(SnapshotFile)
  case records(RecordTable)

  /// Reads a file as the options say; `auto` needs key fields here.
  ///
  /// CSV has the delimiter of another file, `model`. A file that is missing has no rows.
  ///
  /// - Throws: if the file cannot be read as what it is.
  init(
    _ file: ComparedFile, _ options: ComparisonOptions, like model: ComparedFile
  ) throws(ComparisonFailure) {
    guard options.keyFields.isEmpty else {
      guard options.input == .auto || options.input == .text, options.key.isEmpty else {
        throw ComparisonFailure("--key-field is for text; of other files --key names the columns")
      }
      self = .records(try .columns(file, options))
      return
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
      guard let snapshot = try SnapshotFile(file) else {
        throw ComparisonFailure(
          "\(file.name): not a snapshot: an object of items or sections alone")
      }
      self = .snapshot(snapshot)
    case .json, .ndjson:
      var options = options
      // NDJSON is guessed, too.
      if options.input == .json { options.input = .auto }
      self = .records(file.isMissing ? RecordTable(file, .json) : try .json(file, options))
    case .csv, .tsv:
      let delimiter = options.input == .tsv ? 0x09 : Self.delimiter(of: model)
      self = .records(
        file.isMissing
          ? RecordTable(file, .delimited(by: delimiter))
          : try .delimited(file, by: delimiter, options))
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

extension ComparisonOptions.Input {
  /// What the end of a file's name says; nil if it says nothing.
  init?(nameOf file: ComparedFile) {
    let ends: [(String, ComparisonOptions.Input)] = [
      (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".json", .json), (".ndjson", .ndjson),
      (".jsonl", .ndjson),
    ]
    let name = file.name.lowercased()
    guard let known = ends.first(where: { name.hasSuffix($0.0) }) else { return nil }
    self = known.1
  }

  /// What a file with keys is, by its name and its first characters.
  ///
  /// - Throws: if these do not say.
  init(guessedOf file: ComparedFile) throws(ComparisonFailure) {
    if let known = Self(nameOf: file) {
      self = known
      return
    }
    if file.beginsAsJSON {
      self = .json
      return
    }
    let guess: Self? = file.content.withBytes { bytes in
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      if bytes[..<end].contains(0x09) { return .tsv }
      return bytes[..<end].contains(where: { $0 == 0x2C || $0 == 0x3B }) ? .csv : nil
    }
    guard let guess else {
      throw ComparisonFailure(
        "\(file.name): cannot see whether this is JSON, CSV or TSV: use --input")
    }
    self = guess
  }
}

extension ComparedFile {
  /// Whether the file is missing. Git compares files that were added or deleted with such a file.
  var isMissing: Bool { content.count == 0 && name == Self.missingName }

  private static let missingName = "/dev/null"

  /// A file that is missing.
  package static let missing = ComparedFile(
    name: missingName, content: SharedBytes(copying: EmptyCollection<UInt8>()))

  /// The first byte that is not white space, behind a byte-order mark.
  var firstByte: UInt8? {
    content.withBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[start...].first { $0 > 0x20 }
    }
  }

  /// Whether it begins as an object or an array does.
  var beginsAsJSON: Bool { firstByte == 0x7B || firstByte == 0x5B }
}
