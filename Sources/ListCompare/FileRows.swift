import ByteBuffers

/// The kind of a file, and its rows if they are not lines.
enum FileRows {
  case lines
  case snapshot(SnapshotFile)
  case records(RecordTable)

  /// Reads a file of the kind that the options name. `auto` is allowed only with key fields.
  ///
  /// The delimiter of CSV, unless the options name it, is that of another file, `model`. A missing file has no rows.
  ///
  /// - Throws: If the file is not of that kind.
  init(
    _ file: ComparedFile, _ options: ComparisonOptions, like model: ComparedFile
  ) throws(ComparisonFailure) {
    guard options.keyFields.isEmpty else {
      guard options.input == .auto || options.input == .text, options.key.isEmpty else {
        throw ComparisonFailure("--key-field is for text; --key names the columns of other files")
      }
      self = .records(try .columns(file, options))
      return
    }
    switch options.input {
    case .auto, .text:
      guard options.key.isEmpty else {
        throw ComparisonFailure("lines of text have no members: use --key-field")
      }
      let isExact = !options.ignoresOrder && !options.equality.ignoresText
      self = isExact ? .lines : .records(try .columns(file, options))
    case .snapshot:
      try file.checkText()
      guard options.key.isEmpty else {
        throw ComparisonFailure("the items of a snapshot have identifiers: leave --key out")
      }
      guard let snapshot = try SnapshotFile(file) else {
        throw ComparisonFailure(
          "\(file.name): not a snapshot: an object of items or sections alone")
      }
      self = .snapshot(snapshot)
    case .json, .ndjson:
      try file.checkText()
      var options = options
      // Values on separate lines may be NDJSON, too.
      if options.input == .json { options.input = .auto }
      self = .records(file.isMissing ? RecordTable(file, .json) : try .json(file, options))
    case .csv, .tsv:
      let delimiter =
        options.separator ?? (options.input == .tsv ? 0x09 : Self.delimiter(of: model))
      self = .records(
        file.isMissing
          ? RecordTable(file, .delimited(by: delimiter))
          : try .delimited(file, by: delimiter, options))
    }
  }

  /// The delimiter of CSV: a semicolon if the first line has semicolons and no commas.
  private static func delimiter(of file: ComparedFile) -> UInt8 {
    file.content.withBytes { bytes in
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      return bytes[..<end].contains(0x3B) && !bytes[..<end].contains(0x2C) ? 0x3B : 0x2C
    }
  }
}

extension ComparisonOptions.Input {
  /// The kind that a file's name extension means; nil if it means none.
  init?(nameOf file: ComparedFile) { self.init(fileName: file.name) }

  /// The kind that the extension of a name means; nil if it means none.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[dot...].lowercased() {
    case ".csv": self = .csv
    case ".tsv", ".tab": self = .tsv
    case ".json": self = .json
    case ".ndjson", ".jsonl": self = .ndjson
    default: return nil
    }
  }

  /// Guesses the kind of a file with keys from its name and its first characters.
  ///
  /// - Throws: If the kind cannot be guessed.
  init(
    guessedOf file: ComparedFile, separator: UInt8? = nil
  ) throws(ComparisonFailure) {
    if let known = Self(nameOf: file) {
      self = known
      return
    }
    if file.beginsAsJSON {
      self = .json
      return
    }
    if separator != nil {
      self = .csv
      return
    }
    let guess: Self? = file.content.withBytes { bytes in
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count
      if bytes[..<end].contains(0x09) { return .tsv }
      return bytes[..<end].contains(where: { $0 == 0x2C || $0 == 0x3B }) ? .csv : nil
    }
    guard let guess else {
      throw ComparisonFailure(
        "\(file.name): cannot determine whether this is JSON, CSV or TSV: use --input")
    }
    self = guess
  }
}

extension ComparedFile {
  /// Whether the file is missing. Git compares added and deleted files with such a file.
  var isMissing: Bool { content.count == 0 && name == Self.missingName }

  private static let missingName = "/dev/null"

  /// A file that is missing.
  package static let missing = ComparedFile(
    name: missingName, content: SharedBytes(copying: EmptyCollection<UInt8>()))

  /// The first byte that is not white space, after a byte-order mark.
  package var firstByte: UInt8? {
    content.withBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
  }

  /// Whether the file begins like an object or an array.
  var beginsAsJSON: Bool { firstByte == 0x7B || firstByte == 0x5B }
}
