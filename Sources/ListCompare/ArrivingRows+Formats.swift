import ByteBuffers
import JSONBytes

extension ArrivingRows {
  /// Appends lines, each as its text.
  mutating func append(
    lines range: Range<Int>, of bytes: UnsafeRawBufferPointer, isLast: Bool,
    to out: inout ByteBuffer
  ) -> Int {
    let all = UnsafeRawBufferPointer(rebasing: bytes[range])
    let isText = Bytes.firstInvalidUTF8(in: all) == nil
    out.reserve(range.count + range.count / 4)
    return forEachLine(range, of: bytes, isLast: isLast) { _, range in
      let line = UnsafeRawBufferPointer(rebasing: bytes[range])
      out.appendComma()
      if isText || Bytes.firstInvalidUTF8(in: line) == nil {
        out.append(string: line)
      } else {
        let start = out.count
        var text = ByteBuffer()
        text.append(escapingInvalidUTF8In: line)
        text.withUnsafeBytes { out.append(string: $0) }
        out.add(bytes: line, toItemFrom: start)
      }
    }
  }

  /// Appends lines with a key that is some of their fields. The first one may name these.
  mutating func append(
    keyedLines range: Range<Int>, of bytes: UnsafeRawBufferPointer, isLast: Bool,
    to out: inout ByteBuffer
  ) -> Int {
    var batch = RowBatch(after: header)
    let end = forEachLine(range, of: bytes, isLast: isLast) { rows, range in
      batch.append(UnsafeRawBufferPointer(rebasing: bytes[range]), line: rows.lines)
    }
    guard !batch.lines.isEmpty else { return end }
    let file = ComparedFile(name: name, content: batch.text.shared())
    let first = header == nil ? 0 : 1
    if header == nil {
      header = file.content.withBytes { Array($0.prefix { $0 != 0x0A }) } + [0x0A]
    }
    var table: RecordTable?
    do throws(ComparisonFailure) { table = try RecordTable.columns(file, options) } catch {
      if options.keyFields.contains(where: { Int($0) == nil }) { problem = error.words }
      // No line has the fields of the key: each is identified by its text.
      var options = options
      options.keyFields = []
      table = try? RecordTable.columns(file, options)
    }
    if let table { append(table, from: first, batch.lines, raw: batch.raw, to: &out) }
    return end
  }

  /// Appends the rows of a table as items, unless their identifiers came before.
  private mutating func append(
    _ table: RecordTable, from first: Int, _ lines: [Int], raw: [Int: [UInt8]],
    to out: inout ByteBuffer
  ) {
    var items = ListItems(table)
    for row in table.rows.indices.dropFirst(first) {
      let end = out.count
      out.appendComma()
      let start = out.count
      let line = row - first < lines.count ? lines[row - first] : row + 1
      do throws(ComparisonFailure) { try items.append(row: row, to: &out) } catch {
        out.truncate(to: end)
        omit("line \(line): \(error.words)")
        continue
      }
      let kind = out.withUnsafeBytes { $0[start] }
      if kind == 0x7B || kind == 0x22 || kind == 0x2D || kind &- 0x30 < 10 {
        keep(itemFrom: start, of: &out, line: line)
      } else {
        out.truncate(to: start)
        omit("item \(line) is not a string, an integer or an object")
      }
      if out.count == start {
        out.truncate(to: end)
      } else if let bytes = raw[line] {
        bytes.withUnsafeBytes { out.add(bytes: $0, toItemFrom: start) }
      }
    }
  }

  /// Appends the values of NDJSON.
  mutating func append(
    values range: Range<Int>, of bytes: UnsafeRawBufferPointer, isLast: Bool,
    to out: inout ByteBuffer
  ) -> Int {
    var batch = RowBatch(after: nil)
    let search = MemberSearch(options.key)
    let end = forEachLine(range, of: bytes, isLast: isLast) { rows, range in
      guard bytes[range].contains(where: { $0 > 0x20 }) else { return }
      // The reader may look beyond the end of the line.
      let line = SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
      if let problem = rows.problem(ofValue: line, search) {
        rows.omit("line \(rows.lines) \(problem)")
      } else {
        line.withBytes { batch.append($0, line: rows.lines) }
      }
    }
    guard !batch.lines.isEmpty else { return end }
    let file = ComparedFile(name: name, content: batch.text.shared())
    do throws(ComparisonFailure) {
      append(try RecordTable.json(file, options), from: 0, batch.lines, raw: [:], to: &out)
    } catch { problem = error.words }
    return end
  }

  /// Returns why a line of NDJSON is not an item, for people; `nil` if it is one.
  private func problem(ofValue line: SharedBytes, _ search: MemberSearch) -> String? {
    let bytes = line.bytes
    defer { withExtendedLifetime(line) {} }
    var reader = JSONReader(bytes)
    let range: Range<Int>
    do throws(JSONError) {
      range = try reader.skip()
      try reader.end()
    } catch { return "is not JSON: \(error)" }
    let expected = "is not a string, an integer or an object"
    switch bytes[range.lowerBound] {
    case 0x22: break
    case 0x2D, 0x30...0x39:
      guard JSONNumber(reader, range).isInteger else { return expected }
    case 0x7B:
      if let id = MemberSearch.value(at: "id", of: range, in: bytes),
        ![0x22, 0x6E].contains(bytes[id.lowerBound]), !JSONNumber(reader, id).isInteger
      {
        return "has an \"id\" that is not a string or an integer"
      }
    default: return expected
    }
    guard !options.key.isEmpty else { return nil }
    var reading = reader.moved(to: range.lowerBound, depth: 1)
    var values: [Range<Int>?] = []
    guard (try? search.read(&reading, into: &values)) != nil else { return expected }
    for (name, value) in zip(options.key, values) {
      guard let value, bytes[value.lowerBound] != 0x6E else { return "has no member \"\(name)\"" }
    }
    return nil
  }

  /// Appends the records of CSV or TSV. The first one has the names of the columns, unless the key is
  /// numbers of columns.
  mutating func append(
    records range: Range<Int>, of bytes: UnsafeRawBufferPointer, isLast: Bool,
    to out: inout ByteBuffer
  ) -> Int {
    let delimiter = delimiter ?? self.delimiter(of: bytes[range])
    var scanner = DelimitedScanner(bytes, delimiter, from: range.lowerBound)
    var batch = RowBatch(after: header)
    let firstLine = lines
    var offset = range.lowerBound
    reading: while offset < range.upperBound {
      do throws(DelimitedScanner.Problem) {
        guard try scanner.next() else { break }
      } catch {
        // The quotation mark may be closed by what has not arrived yet.
        guard isLast else { break reading }
        omit("line \(firstLine + error.line): \(error.words)")
        offset = range.upperBound
        break
      }
      let record = UnsafeRawBufferPointer(rebasing: bytes[scanner.record])
      var end = scanner.record.upperBound
      if end < bytes.count, bytes[end] == 0x0D { end += 1 }
      guard end < bytes.count || isLast else { break }
      offset = min(end + 1, range.upperBound)
      let line = firstLine + scanner.line
      lines = line + Bytes.count(of: 0x0A, in: record, before: record.count)
      if record.isEmpty { continue }
      if width == 0 { width = scanner.fields.count }
      if scanner.fields.count != width {
        omit("line \(line) has \(scanner.fields.count) fields instead of \(width)")
      } else if record.count > Self.longestRow {
        omit("line \(line) has more than \(Self.longestRow) bytes")
      } else {
        batch.append(record, line: line)
      }
    }
    if !batch.lines.isEmpty { append(records: batch, by: delimiter, to: &out) }
    return offset
  }

  private func delimiter(of bytes: Slice<UnsafeRawBufferPointer>) -> UInt8 {
    if options.input == .tsv { return 0x09 }
    let line = bytes.prefix { $0 != 0x0A }
    return line.contains(0x3B) && !line.contains(0x2C) ? 0x3B : 0x2C
  }

  private mutating func append(
    records batch: consuming RowBatch, by delimiter: UInt8, to out: inout ByteBuffer
  ) {
    self.delimiter = delimiter
    var (lines, raw) = (batch.lines, batch.raw)
    let file = ComparedFile(name: name, content: batch.text.shared())
    let table: RecordTable
    do throws(ComparisonFailure) { table = try .delimited(file, by: delimiter, options) } catch {
      problem = error.words
      return
    }
    let hasHeader = !table.columns.isEmpty
    if header == nil {
      header = hasHeader ? Array(table.bytes(table.rows[0])) + [0x0A] : []
      if hasHeader { raw[lines.removeFirst()] = nil }
    }
    append(table, from: hasHeader ? 1 : 0, lines, raw: raw, to: &out)
  }

  /// Appends the content of a JSON document.
  mutating func append(
    documentOf bytes: SharedBytes, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    let file = ComparedFile(name: name, content: bytes)
    try file.checkText()
    guard file.firstByte != nil else {
      out.append("\"items\":[]")
      return
    }
    if options.key.isEmpty, let snapshot = try SnapshotFile(file), snapshot.hasSections {
      var options = options
      options.input = .snapshot
      return try ListContent.append(file, options, to: &out)
    }
    guard case .records(let table) = try FileRows(file, options, like: file) else { return }
    var items = ByteBuffer()
    let rows = ListItems(table).rows
    append(table, from: rows.lowerBound, [], raw: [:], to: &items)
    out.append("\"items\":[")
    out.append(contentsOf: items)
    out.append("]")
  }
}

/// Rows that were read together, as a text of lines.
private struct RowBatch: ~Copyable {
  var text = ByteBuffer()

  /// The line that each row begins at, and the bytes of those that are not UTF-8, by their line.
  var lines: [Int] = []
  var raw: [Int: [UInt8]] = [:]

  /// Begins with the header of all rows, if there is one.
  init(after header: [UInt8]?) {
    if let header { text.append(contentsOf: header) }
  }

  mutating func append(_ row: UnsafeRawBufferPointer, line: Int) {
    let start = text.count
    text.append(escapingInvalidUTF8In: row)
    if text.count - start != row.count { raw[line] = Array(row) }
    text.append(0x0A)
    lines.append(line)
  }
}
