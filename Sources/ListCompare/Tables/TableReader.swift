import ByteBuffers
import JSONBytes

/// Reads files, one after the other, as rows with columns whose identity is kept from one file to the
/// next.
///
/// Records of CSV have the columns of their first record, lines below a header those of the header,
/// items of JSON their members. Without a key in the options, the first file decides what identifies
/// its rows: a column or member that usually does, else a column whose values differ.
package struct TableReader: Sendable {
  private var options: ComparisonOptions

  /// The titles of the columns that identify rows; nil before that is decided.
  private var keys: [String]?

  /// The columns of the last file.
  package private(set) var columns: [TableColumn] = []

  /// What was noticed in the last file, as a message for people; nil if nothing.
  package private(set) var note: String?

  package init(_ options: ComparisonOptions) { self.options = options }

  /// Titles that often identify rows, in lower case, the best ones first.
  private static let candidates = [
    ["id"], ["pid"], ["container id"], ["image id"], ["uuid"], ["namespace", "name"], ["name"],
    ["unit"], ["key"], ["code"], ["path"],
  ]

  /// Returns the member `items` or `sections` of a snapshot with the rows of a file, in an object.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  /// - Throws: If the file is not of the kind that the options name; then nothing has changed.
  package mutating func read(_ file: ComparedFile) throws(ComparisonFailure) -> SharedBytes {
    try file.checkText()
    note = nil
    var out = ByteBuffer()
    out.append("{")
    if file.firstByte == nil {
      out.append("\"items\":[]")
    } else if isDelimited(file) {
      try append(delimited: file.withoutMark(), to: &out)
    } else if isText(file) {
      try append(lines: file, to: &out)
    } else {
      do throws(ComparisonFailure) { return try json(file) } catch {
        // Lines of text may begin with a bracket.
        guard options.input == .auto, options.key.isEmpty, options.rows == nil else { throw error }
        append(texts: Self.lines(of: file), to: &out)
        withExtendedLifetime(file) {}
      }
    }
    out.append("}")
    return out.shared()
  }

  /// The content of a list, given as `"items":[…]` or `"sections":[…]` in an object.
  private mutating func json(_ file: ComparedFile) throws(ComparisonFailure) -> SharedBytes {
    var out = ByteBuffer()
    out.append("{")
    try append(json: file, to: &out)
    out.append("}")
    let content = out.shared()
    let found = content.withBytes { TableColumn.all(ofItems: $0) }
    for column in found where !columns.contains(column) { columns.append(column) }
    return content
  }

  private func isDelimited(_ file: ComparedFile) -> Bool {
    switch options.input {
    case .csv, .tsv: true
    case .auto:
      options.keyFields.isEmpty && !file.beginsAsJSON
        && (ComparisonOptions.Input(nameOf: file) == .csv
          || ComparisonOptions.Input(nameOf: file) == .tsv || !options.key.isEmpty)
    default: false
    }
  }

  private func isText(_ file: ComparedFile) -> Bool {
    switch options.input {
    case .text: true
    case .auto: !options.keyFields.isEmpty || !file.beginsAsJSON
    default: false
    }
  }

  // MARK: JSON

  private mutating func append(
    json file: ComparedFile, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var options = options
    let isSnapshot = options.input == .snapshot
    if !isSnapshot, options.key.isEmpty, try SnapshotFile(file) == nil {
      let found = keys ?? AutomaticKey.tables(file, file, options)?.0.keyFields
      keys = keys ?? found
      options.key = found ?? []
    }
    try ListContent.append(file, options, to: &out)
  }

  // MARK: Delimited text

  private mutating func append(
    delimited file: ComparedFile, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var options = options
    if options.input == .auto {
      options.input = try .init(guessedOf: file, separator: options.separator)
    }
    guard case .records(let table) = try FileRows(file, options, like: file) else { return }
    note = table.note
    let hasHeader = !table.columns.isEmpty
    let rows = table.rows.indices.dropFirst(hasHeader ? 1 : 0)
    defer { withExtendedLifetime(table) {} }
    let fields = rows.map { row in
      table.fields(of: table.rows[row]).map { Array(table.value($0).utf8) }
    }
    let count = fields.reduce(0) { max($0, $1.count) }
    let titles = hasHeader ? table.columns : (0..<count).map { "\($0 + 1)" }
    append(
      fields, titles, keyed: options.key.isEmpty ? nil : table.keyColumns, whole: { _ in nil },
      to: &out)
  }

  // MARK: Lines

  private static func lines(of file: ComparedFile) -> [UnsafeRawBufferPointer] {
    var lines = file.content.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { line in
        UnsafeRawBufferPointer(rebasing: line.last == 0x0D ? line.dropLast() : line)
      }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Appends lines as items that are texts.
  private mutating func append(texts lines: [UnsafeRawBufferPointer], to out: inout ByteBuffer) {
    columns = [TableColumn("", member: "text")]
    out.append("\"items\":[")
    for (index, line) in lines.enumerated() {
      if index > 0 { out.append(",") }
      out.append(string: line)
    }
    out.append("]")
  }

  private mutating func append(
    lines file: ComparedFile, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    defer { withExtendedLifetime(file) {} }
    var lines = Self.lines(of: file)
    let header = options.separator == nil ? HeaderColumns(lines) : nil
    guard header != nil || !options.keyFields.isEmpty || options.separator != nil else {
      append(texts: lines, to: &out)
      return
    }
    if header != nil { lines.removeFirst() }
    lines.removeAll { line in header != nil && !line.contains { $0 > 0x20 } }
    let separator = options.separator
    let fields = lines.map { line -> [[UInt8]] in
      let ranges =
        header?.fields(of: line)
        ?? separator.map { RecordTable.columns(of: 0..<line.count, in: line, by: $0) }
        ?? RecordTable.columns(of: 0..<line.count, in: line)
      return ranges.map { Array(line[$0]) }
    }
    let count = fields.reduce(0) { max($0, $1.count) }
    let titles = header?.titles ?? (0..<count).map { "\($0 + 1)" }
    var keyed: [Int]?
    if !options.keyFields.isEmpty {
      keyed = []
      for field in options.keyFields {
        guard let column = titles.firstIndex(of: field) ?? Int(field).map({ $0 - 1 }) else {
          throw ComparisonFailure("\(file.name): there is no column \"\(field)\" in the first line")
        }
        keyed!.append(column)
      }
      let wanted = keyed!.max() ?? 0
      if let short = fields.firstIndex(where: { $0.count <= wanted }) {
        let words =
          "line \(short + 1) has no column \(wanted + 1), only \(fields[short].count)"
        guard fields.contains(where: { $0.count > wanted }) else {
          throw ComparisonFailure("\(file.name): \(words)")
        }
        note = words
      }
    }
    append(fields, titles, keyed: keyed, whole: { lines[$0] }, to: &out)
  }

  // MARK: Rows of fields

  /// Appends rows as items whose members are the numbers of columns. A row without the key is its
  /// whole text, if it has one.
  private mutating func append(
    _ rows: [[[UInt8]]], _ titles: [String], keyed: [Int]?,
    whole: (Int) -> UnsafeRawBufferPointer?, to out: inout ByteBuffer
  ) {
    columns = titles.enumerated().map { index, title in TableColumn(title, member: "\(index + 1)") }
    let key = keyed ?? automaticKey(rows, titles)
    var counts: [[UInt8]: Int] = [:]
    counts.reserveCapacity(rows.count)
    out.append("\"items\":[")
    for (index, row) in rows.enumerated() {
      if index > 0 { out.append(",") }
      out.append("{")
      let hasKey = !key.isEmpty && key.allSatisfy { $0 < row.count }
      if hasKey {
        var id = row[key[0]]
        for column in key.dropFirst() { id += [0x00] + row[column] }
        // Rows with the same key are paired in their order.
        let count = counts[id, default: 0]
        counts[id] = count + 1
        if count > 0 { id += [0x00, 0x00] + Array("\(count)".utf8) }
        out.append("\"id\":")
        id.withUnsafeBytes { out.append(string: $0) }
      }
      let isWhole = !hasKey && !key.isEmpty
      if isWhole, let line = whole(index) {
        out.append("\"1\":")
        out.append(string: line)
      } else {
        for (column, field) in row.enumerated() where !field.isEmpty {
          out.appendSeparator()
          out.append("\"")
          out.append(decimal: column + 1)
          out.append("\":")
          field.withUnsafeBytes { field in
            if Self.isNumber(field) { out.append(field) } else { out.append(string: field) }
          }
        }
      }
      out.append("}")
    }
    out.append("]")
  }

  /// The columns that identify rows, as the first rows decide.
  private mutating func automaticKey(_ rows: [[[UInt8]]], _ titles: [String]) -> [Int] {
    let names = titles.map { $0.lowercased() }
    func columns(_ key: [String]) -> [Int]? {
      let found = key.compactMap { names.firstIndex(of: $0) }
      return found.count == key.count ? found : nil
    }
    if let keys { return columns(keys) ?? [] }
    guard !rows.isEmpty, !titles.isEmpty else { return [] }
    let usual = Self.candidates.compactMap { columns($0) }
    let found = (usual + [[0], [titles.count - 1]]).first { key in Self.isKey(key, rows) } ?? []
    keys = found.map { names[$0] }
    return found
  }

  private static func isKey(_ key: [Int], _ rows: [[[UInt8]]]) -> Bool {
    var known: Set<[UInt8]> = []
    return rows.allSatisfy { row in
      guard key.allSatisfy({ $0 < row.count && !row[$0].isEmpty }) else { return false }
      return known.insert(Array(key.map { row[$0] }.joined(separator: [0x00]))).inserted
    }
  }

  /// Whether a text is a decimal number as JSON writes it, without an exponent.
  static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    var digits = text[...]
    if digits.first == 0x2D { digits.removeFirst() }
    guard (1...30).contains(digits.count), let first = digits.first, first &- 0x30 < 10 else {
      return false
    }
    let parts = digits.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ part in
        !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 }
      })
    else { return false }
    return first != 0x30 || parts[0].count == 1
  }
}
