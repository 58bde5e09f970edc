import ByteBuffers
import JSONBytes

/// Formats a file as lines, one for each member of each row, for programs that compare lines.
package enum FlatText {
  /// Appends the rows of a file: for each member the row's label, the member's path, and its value.
  /// Text is appended unchanged.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the number of bytes and *d* the depth of a member.
  ///
  /// - Throws: If the file is not of the kind that the options name.
  package static func append(
    _ file: ComparedFile, _ options: ComparisonOptions, to output: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var options = options
    if options.input == .auto, options.key.isEmpty {
      let first = file.withoutMark().content.withBytes { $0.first { $0 > 0x20 } }
      options.input = first == 0x7B || first == 0x5B ? .json : .text
    }
    guard case .records(let table, _) = try RowSource(file, file, options), table.form != .columns
    else {
      file.content.withBytes { output.append($0) }
      return
    }
    defer { withExtendedLifetime(table) {} }
    let labels = RecordLabels(table)
    for (row, range) in table.rows.enumerated() {
      let label = labels.label(ofRow: row) ?? "\(row + 1)"
      if table.form == .json {
        appendMembers(of: range, table, "\(label)  ", "", to: &output)
        continue
      }
      for (column, field) in table.fields(of: range).enumerated() {
        append("\(label)  \(table.columnName(column)): \(table.value(field))", to: &output)
      }
    }
  }

  private static func appendMembers(
    of value: Range<Int>, _ table: RecordTable, _ label: String, _ path: String,
    to output: inout ByteBuffer
  ) {
    let bytes = table.bytes(value)
    if bytes[0] == 0x7B {
      for member in table.members(of: value) {
        let inside = path.isEmpty ? member.name : path + "." + member.name
        appendMembers(of: member.value, table, label, inside, to: &output)
      }
    } else if bytes[0] == 0x5B {
      for (index, element) in table.elements(of: value).enumerated() {
        appendMembers(of: element, table, label, "\(path)[\(index)]", to: &output)
      }
    } else {
      append(label + (path.isEmpty ? "" : path + ": ") + JSONText.plain(bytes), to: &output)
    }
  }

  /// Appends a line. Line breaks in it are replaced by spaces.
  private static func append(_ line: String, to output: inout ByteBuffer) {
    output.append(contentsOf: line.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    output.append("\n")
  }
}
