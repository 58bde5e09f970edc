import ByteBuffers

extension RecordTable {
  /// Reads the lines of a text. Some of their columns identify them, or their whole text if the
  /// options name no columns.
  ///
  /// Columns are separated by blanks, or by the separator that the options name. A line without
  /// these columns is identified by its whole text. If the first line has only words in capitals,
  /// these are the names of the columns, and the last column extends to the end of the line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func columns(
    _ file: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RecordTable {
    var table = RecordTable(file, .columns)
    table.separator = options.separator
    let bytes = file.content.bytes
    defer { withExtendedLifetime(file) {} }
    if !options.keyFields.isEmpty { try table.readNames(bytes, options) }
    var builder = Builder()
    var missing: (line: Int, count: Int)?
    var offset = 0
    while offset < bytes.count {
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: offset)
      let line = offset..<(end ?? bytes.count)
      let fields = table.keyColumns.isEmpty ? [] : table.fields(of: line)
      if table.keyColumns.contains(where: { $0 >= fields.count }) {
        if !fields.isEmpty, missing == nil { missing = (builder.rows.count + 1, fields.count) }
        builder.append(keyOfText: table.bytes(line))
      } else if table.keyColumns.isEmpty {
        if options.equality.ignoresText {
          options.equality.normalized(table.bytes(line)).withUnsafeBytes {
            builder.append(keyOfText: $0)
          }
        } else {
          builder.append(keyOfText: table.bytes(line))
        }
      } else {
        for column in table.keyColumns {
          builder.keys.append(table.bytes(fields[column]))
          builder.endKeyPart()
        }
      }
      builder.add(line)
      offset = line.upperBound + 1
    }
    table.set(builder)
    guard let missing, let column = table.keyColumns.max() else { return table }
    let words = "line \(missing.line) has no column \(column + 1), only \(missing.count)"
    guard table.rows.indices.contains(where: { table.hasKey($0) }) else {
      throw table.failure(words)
    }
    table.note = "\(words); such lines are paired as text is"
    return table
  }

  /// Reads the names of the columns, and finds the key columns.
  private mutating func readNames(
    _ bytes: UnsafeRawBufferPointer, _ options: ComparisonOptions
  ) throws(ComparisonFailure) {
    let line = 0..<(Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) ?? bytes.count)
    let words = fields(of: line).map { DisplayText.string(self.bytes($0)) }
    let isHeader = words.count > 1 && words.allSatisfy { Self.isName($0) }
    for field in options.keyFields {
      let named = isHeader ? words.firstIndex(of: field) : nil
      guard let column = named ?? Int(field).map({ $0 - 1 }) else {
        throw failure("there is no column \"\(field)\" in the first line")
      }
      keyColumns.append(column)
    }
    if isHeader { columns = words }
  }

  /// Whether a word looks like the name of a column: capitals, and signs as in `%CPU` or `I/O`.
  private static func isName(_ word: String) -> Bool {
    word.utf8.contains { $0 &- 0x41 < 26 }
      && word.utf8.allSatisfy { $0 &- 0x41 < 26 || "%_-/+#()".utf8.contains($0) }
  }

  /// Whether a row has its key. Other rows are identified by their whole text.
  func hasKey(_ row: Int) -> Bool { key(ofRow: row).last != Builder.endOfText }

  /// Returns the ranges between blanks in a line, at most `limit`.
  static func columns(
    of line: Range<Int>, in bytes: UnsafeRawBufferPointer, limit: Int = .max
  ) -> [Range<Int>] {
    var columns: [Range<Int>] = []
    var start: Int?
    var end = line.lowerBound
    for offset in line {
      let isBlank = bytes[offset] == 0x20 || bytes[offset] == 0x09 || bytes[offset] == 0x0D
      if !isBlank {
        end = offset + 1
        start = start ?? offset
      } else if let first = start, columns.count < limit - 1 {
        columns.append(first..<offset)
        start = nil
      }
    }
    if let start { columns.append(start..<end) }
    return columns
  }

  /// Returns the ranges between separators in a line.
  static func columns(
    of line: Range<Int>, in bytes: UnsafeRawBufferPointer, by separator: UInt8
  ) -> [Range<Int>] {
    let hasReturn = !line.isEmpty && bytes[line.upperBound - 1] == 0x0D
    let end = hasReturn ? line.upperBound - 1 : line.upperBound
    if line.lowerBound == end { return [] }
    var columns: [Range<Int>] = []
    var start = line.lowerBound
    for offset in line.lowerBound..<end where bytes[offset] == separator {
      columns.append(start..<offset)
      start = offset + 1
    }
    columns.append(start..<end)
    return columns
  }
}
