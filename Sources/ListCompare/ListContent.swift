import ByteBuffers
import JSONBytes

/// Formats the rows of a file as the content of a list.
package enum ListContent {
  /// Appends the member `sections` or `items` of an `applySnapshot` request for the rows of a file.
  ///
  /// Without options, a file is a snapshot, or of the kind that its name means, or JSON if it
  /// begins like JSON, or text. The key of a row becomes its `id`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  /// - Throws: If the file is not of its kind, or an item has an `id` that is not its key.
  package static func append(
    _ file: ComparedFile, _ options: ComparisonOptions, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var options = options
    try file.checkText()
    if options.input == .auto, options.keyFields.isEmpty {
      guard file.firstByte != nil else {
        out.append("\"items\":[]")
        return
      }
      options.input = try guess(file, options)
    }
    switch try FileRows(file, options, like: file) {
    case .lines: append(SnapshotFile(linesOf: file, keepsReturns: false), to: &out)
    case .snapshot(let snapshot): append(snapshot, to: &out)
    case .records(let table):
      if let note = table.note, table.form != .columns { throw table.failure(note) }
      var items = ListItems(table)
      out.append("\"items\":[")
      try items.append(to: &out)
      out.append("]")
    }
  }

  private static func guess(
    _ file: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> ComparisonOptions.Input {
    if !options.key.isEmpty {
      return try ComparisonOptions.Input(guessedOf: file, separator: options.separator)
    }
    if try SnapshotFile(file) != nil { return .snapshot }
    if let known = ComparisonOptions.Input(nameOf: file) { return known }
    guard file.beginsAsJSON else { return .text }
    return hasItem(file) ? .ndjson : .json
  }

  /// Whether a file is one object with an `id`: then it is an item, not an object of items.
  private static func hasItem(_ file: ComparedFile) -> Bool {
    file.withoutMark().content.withBytes { bytes in
      var reader = JSONReader(bytes)
      guard file.firstByte == 0x7B, let range = try? reader.skip() else { return false }
      return MemberSearch.value(at: "id", of: range, in: bytes).map {
        bytes[$0.lowerBound] == 0x22 || JSONNumber(reader, $0).isInteger
      } ?? false
    }
  }

  private static func append(_ snapshot: SnapshotFile, to out: inout ByteBuffer) {
    out.append(snapshot.hasSections ? "\"sections\":" : "\"items\":")
    snapshot.file.content.withBytes {
      out.append(UnsafeRawBufferPointer(rebasing: $0[snapshot.value]))
    }
  }
}

/// The rows of a table as items.
struct ListItems {
  private let table: RecordTable
  private var count = 0

  init(_ table: RecordTable) { self.table = table }

  /// The rows that are items. The row for the text around the rows, and the column names, are not.
  var rows: Range<Int> {
    let first = table.hasPreface || !table.columns.isEmpty && table.form != .columns ? 1 : 0
    return min(first, table.rows.count)..<table.rows.count
  }

  mutating func append(to out: inout ByteBuffer) throws(ComparisonFailure) {
    defer { withExtendedLifetime(table) {} }
    for row in rows {
      if count > 0 { out.append(",") }
      try append(row: row, to: &out)
    }
  }

  /// Appends a row, which is not the first if the first is not an item.
  mutating func append(row: Int, to out: inout ByteBuffer) throws(ComparisonFailure) {
    count += 1
    switch table.form {
    case .json: try append(json: row, to: &out)
    case .delimited: try append(delimited: row, to: &out)
    case .columns: append(columns: row, to: &out)
    }
  }

  private func append(json row: Int, to out: inout ByteBuffer) throws(ComparisonFailure) {
    let value = table.bytes(table.rows[row])
    let isNamed = row < table.names.count
    guard isNamed || !table.keyFields.isEmpty, table.keyFields != ["id"] else {
      out.append(value)
      return
    }
    guard value.first == 0x7B else {
      // Only values of an object's members can be something other than objects.
      let name = table.names[row]
      out.append("{\"id\":")
      out.append(string: name)
      out.append(member: "text")
      out.append(string: "\(name): \(JSONText.plain(value))")
      out.append(member: "value")
      out.append(value)
      out.append("}")
      return
    }
    let own = MemberSearch.value(at: "id", of: table.rows[row], in: table.content.bytes)
    if let own, table.content.bytes[own.lowerBound] != 0x6E {
      let location = isNamed ? "the member \"\(table.names[row])\"" : "item \(count)"
      throw table.failure("\(location) has an \"id\" besides its key: use --key id, or rename it")
    }
    // An `id` that is null counts as absent. If a name occurs twice, the last member counts.
    let members = UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast())
    out.append("{")
    if own != nil {
      out.append(members)
      out.append(",")
    }
    append(idOf: row, to: &out)
    if own == nil, members.contains(where: { $0 > 0x20 }) {
      out.append(",")
      out.append(members)
    }
    out.append("}")
  }

  /// Appends the member `id` of a JSON row.
  private func append(idOf row: Int, to out: inout ByteBuffer) {
    out.append("\"id\":")
    if row < table.names.count { return out.append(string: table.names[row]) }
    let values = table.keyFields.compactMap { field in
      MemberSearch.value(at: field, of: table.rows[row], in: table.content.bytes).map(table.bytes)
    }
    if values.count == 1, let value = values.first {
      if value.first == 0x22 || JSONNumber(value).isInteger {
        out.append(value)
      } else {
        out.append(string: JSONText.written(value))
      }
      return
    }
    out.append(string: "[" + values.map { JSONText.written($0) }.joined(separator: ",") + "]")
  }

  /// Appends a record: its columns, and the whole record as its text.
  private func append(delimited row: Int, to out: inout ByteBuffer) throws(ComparisonFailure) {
    let fields = table.fields(of: table.rows[row])
    let values = fields.map { table.value($0) }
    guard table.keyColumns.isEmpty || table.hasKey(row) else {
      return out.append(string: table.bytes(table.rows[row]))
    }
    out.append("{")
    var members = 0
    func append(_ name: String, _ value: UnsafeRawBufferPointer) {
      if members > 0 { out.append(",") }
      members += 1
      out.append(string: name)
      out.append(":")
      out.append(string: value)
    }
    if !table.keyColumns.isEmpty {
      self.append(idOf: table.keyColumns.map { values[$0] }, to: &out)
      members += 1
    }
    if !table.columns.contains("text") { append("text", table.bytes(table.rows[row])) }
    for (column, name) in zip(values.indices, table.columns)
    where !(name == "id" && isKey(column)) {
      if name == "id", !table.keyColumns.isEmpty {
        throw table.failure("there is a column \"id\" besides the key: use --key id, or rename it")
      }
      Array(values[column].utf8).withUnsafeBytes { append(name, $0) }
    }
    out.append("}")
  }

  /// Whether a column is the whole key.
  private func isKey(_ column: Int) -> Bool { table.keyColumns == [column] }

  /// Appends a line. One without the key is an item that is identified by its whole text.
  private func append(columns row: Int, to out: inout ByteBuffer) {
    var line = table.bytes(table.rows[row])
    if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    let fields = table.fields(of: table.rows[row])
    guard table.hasKey(row) else { return out.append(string: line) }
    out.append("{")
    append(idOf: table.keyColumns.map { table.value(fields[$0]) }, to: &out)
    out.append(member: "text")
    out.append(string: line)
    out.append("}")
  }

  /// Appends the member `id` of a row: its only key value, or the JSON array of all key values.
  private func append(idOf values: [String], to out: inout ByteBuffer) {
    out.append("\"id\":")
    if values.count == 1 { return out.append(string: values[0]) }
    var array = ByteBuffer()
    array.append("[")
    for (index, value) in values.enumerated() {
      if index > 0 { array.append(",") }
      array.append(string: value)
    }
    array.append("]")
    array.withUnsafeBytes { out.append(string: $0) }
  }
}
