import ByteBuffers

extension RecordTable {
  /// Reads CSV (RFC 4180) or other text with delimited fields.
  ///
  /// If key columns are names, the first record holds the names of the columns. If they are
  /// numbers, counted from 1, every record is a row.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func delimited(
    _ file: ComparedFile, by delimiter: UInt8, _ options: ComparisonOptions
  ) throws(ComparisonFailure) -> RecordTable {
    let file = file.withoutMark()
    var table = RecordTable(file, .delimited(by: delimiter))
    var builder = Builder()
    let bytes = file.content.bytes
    defer { withExtendedLifetime(file) {} }
    builder.reserveCapacity(Bytes.count(of: 0x0A, in: bytes, before: bytes.count) + 1)
    var scanner = DelimitedScanner(bytes, delimiter)
    var width: Int?
    while true {
      do throws(DelimitedScanner.Problem) {
        guard try scanner.next() else { break }
      } catch { throw table.failure("line \(error.line): \(error.words)") }
      if scanner.record.isEmpty { continue }
      if width == nil { try table.readHeader(scanner, options) }
      let fields = scanner.fields.count
      if let width, fields != width, table.note == nil {
        table.note = "line \(scanner.line) has \(fields) fields instead of \(width)"
      }
      width = width ?? fields
      if builder.rows.isEmpty, !table.columns.isEmpty {
        // The key of the column names must differ from the keys of all rows.
        builder.endKeyPart()
      } else if table.keyColumns.isEmpty {
        for field in scanner.fields.indices { table.append(field, of: scanner, to: &builder) }
      } else if table.keyColumns.contains(where: { $0 >= fields }) {
        builder.append(keyOfText: table.bytes(scanner.record))
      } else {
        for field in table.keyColumns { table.append(field, of: scanner, to: &builder) }
      }
      builder.add(scanner.record)
    }
    table.set(builder)
    return table
  }

  private func append(
    _ field: Int, of scanner: borrowing DelimitedScanner, to builder: inout Builder
  ) {
    Self.append(bytes(scanner.fields[field]), to: &builder.keys)
    builder.endKeyPart()
  }

  /// Appends the value of a field, without its quotation marks and with doubled ones replaced by
  /// one.
  static func append(_ field: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    guard field.first == 0x22 else {
      buffer.append(field)
      return
    }
    var start = 1
    while let mark = Bytes.firstIndex(of: 0x22, in: field, from: start) {
      let isDoubled = mark + 1 < field.count && field[mark + 1] == 0x22
      buffer.append(UnsafeRawBufferPointer(rebasing: field[start..<(isDoubled ? mark + 1 : mark)]))
      start = isDoubled ? mark + 2 : mark + 1
      if !isDoubled { break }
    }
    // What follows the quotation mark that ends the field is part of it, too.
    if start < field.count {
      buffer.append(UnsafeRawBufferPointer(rebasing: field[start...]))
    }
  }

  static func value(_ field: UnsafeRawBufferPointer) -> String {
    var buffer = ByteBuffer()
    append(field, to: &buffer)
    return buffer.withUnsafeBytes { DisplayText.string($0) }
  }

  private mutating func readHeader(
    _ scanner: borrowing DelimitedScanner, _ options: ComparisonOptions
  ) throws(ComparisonFailure) {
    let numbers = options.key.map { Int($0) ?? 0 }
    let count = scanner.fields.count
    if !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) {
      if let number = numbers.first(where: { $0 > count }) {
        throw failure("there is no column \(number), only \(count)")
      }
      keyColumns = numbers.map { $0 - 1 }
      return
    }
    var names: [String] = []
    for field in 0..<count { names.append(Self.value(bytes(scanner.fields[field]))) }
    columns = names
    for key in options.key {
      guard let column = names.firstIndex(of: key) else {
        throw failure("there is no column \"\(key)\", only \(names.joined(separator: ", "))")
      }
      keyColumns.append(column)
    }
  }
}

/// Reads the records of delimited text one by one.
struct DelimitedScanner: ~Copyable {
  struct Problem: Error {
    var line: Int
    var words: String
  }

  private let bytes: UnsafeRawBufferPointer
  private let delimiter: UInt8
  private var offset = 0
  private var nextLine = 1

  /// The current record without its line end, its fields, and the number of its first line.
  private(set) var record = 0..<0
  private(set) var fields: [Range<Int>] = []
  private(set) var line = 0

  init(_ bytes: UnsafeRawBufferPointer, _ delimiter: UInt8, from start: Int = 0) {
    offset = start
    self.bytes = bytes
    self.delimiter = delimiter
    fields.reserveCapacity(16)
  }

  /// Moves to the next record. Returns false at the end.
  mutating func next() throws(Problem) -> Bool {
    guard offset < bytes.count else { return false }
    let start = offset
    line = nextLine
    var count = 0
    // Most bytes are above all that are searched for.
    let highest = max(delimiter, 0x22)
    while true {
      let fieldStart = offset
      if offset < bytes.count, bytes[offset] == 0x22 { try skipQuoted() }
      var end = offset
      var byte: UInt8 = 0x0A
      while end < bytes.count {
        byte = bytes[end]
        if byte <= highest {
          if byte == delimiter || byte == 0x0A { break }
        }
        end &+= 1
      }
      offset = min(bytes.count, end + 1)
      if end < bytes.count, byte == delimiter {
        set(count, fieldStart..<end)
        count &+= 1
        continue
      }
      if end > fieldStart, bytes[end - 1] == 0x0D { end -= 1 }
      set(count, fieldStart..<end)
      if fields.count > count + 1 { fields.removeLast(fields.count - count - 1) }
      record = start..<end
      nextLine += 1
      return true
    }
  }

  /// Sets a field, whose memory may be that of the record before.
  private mutating func set(_ field: Int, _ range: Range<Int>) {
    if field < fields.count { fields[field] = range } else { fields.append(range) }
  }

  /// Skips a quoted field.
  private mutating func skipQuoted() throws(Problem) {
    let first = nextLine
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0A { nextLine += 1 }
      guard byte == 0x22 else { continue }
      if offset < bytes.count, bytes[offset] == 0x22 {
        offset += 1
        continue
      }
      return
    }
    throw Problem(line: first, words: "a quotation mark that is not closed")
  }
}
