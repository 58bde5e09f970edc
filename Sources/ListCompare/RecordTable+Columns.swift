import ByteBuffers

extension RecordTable {
  /// Reads the lines of a text. Some of their columns, which are separated by blanks, identify
  /// them, or their whole text if the options name no columns.
  ///
  /// A blank line is identified by its whole text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func columns(
    _ file: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RecordTable {
    var table = RecordTable(file, .columns)
    table.keyColumns = options.keyFields.map { $0 - 1 }
    var builder = Builder()
    let bytes = file.content.bytes
    defer { withExtendedLifetime(file) {} }
    var offset = 0
    while offset < bytes.count {
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: offset)
      let line = offset..<(end ?? bytes.count)
      let start = builder.keys.count
      let fields = Self.columns(of: line, in: bytes)
      if table.keyColumns.isEmpty {
        builder.keys.append(table.bytes(line))
      } else if fields.isEmpty {
        builder.keys.append(0x20)
      }
      for column in fields.isEmpty ? [] : table.keyColumns {
        guard column < fields.count else {
          throw table.failure(
            "line \(builder.rows.count + 1) has \(fields.count) columns, and no column \(column + 1)"
          )
        }
        builder.keys.append(table.bytes(fields[column]))
        builder.endKeyPart()
      }
      builder.add(line, keyFrom: start)
      offset = line.upperBound + 1
    }
    table.set(builder)
    return table
  }

  /// Returns the ranges between blanks in a line.
  static func columns(of line: Range<Int>, in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var columns: [Range<Int>] = []
    var start: Int?
    for offset in line {
      let isBlank = bytes[offset] == 0x20 || bytes[offset] == 0x09 || bytes[offset] == 0x0D
      if isBlank, let first = start {
        columns.append(first..<offset)
        start = nil
      } else if !isBlank, start == nil {
        start = offset
      }
    }
    if let start { columns.append(start..<line.upperBound) }
    return columns
  }
}
