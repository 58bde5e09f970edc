import ByteBuffers
import JSONBytes

/// The labels of a table's rows, from their keys, and the texts that display whole rows.
struct RecordLabels {
  private let table: RecordTable

  /// Finds the key members of a JSON row, then the member `text`.
  private let search: MemberSearch

  init(_ table: RecordTable) {
    self.table = table
    search = MemberSearch(table.keyFields + ["text"])
  }

  /// The values of a row's key; nil if its key is the whole row.
  func label(ofRow row: Int) -> String? { label(ofRow: row, members(ofRow: row)) }

  /// The text that displays a row: its label, unless that is the whole text, and its content.
  func text(ofRow row: Int) -> StyledText {
    defer { withExtendedLifetime(table.content) {} }
    let bytes = table.bytes(table.rows[row])
    guard table.form == .json else { return StyledText(bytes) }
    let members = members(ofRow: row)
    let body = JSONText.plain(members.last.flatMap { $0.map(table.bytes) } ?? bytes)
    var text = StyledText()
    if let label = label(ofRow: row, members), label != body {
      text.append(label, .label)
      text.append("  ")
    }
    text.append(body)
    return text
  }

  /// The values of some members or columns of a row, by their names.
  func values(_ names: [String], ofRow row: Int) -> [(name: String, value: Range<Int>)] {
    let range = table.rows[row]
    if table.form == .json {
      defer { withExtendedLifetime(table.content) {} }
      let values = MemberSearch(names).values(in: range, of: table.content.bytes)
      return zip(names, values).compactMap { name, value in value.map { (name, $0) } }
    }
    let fields = table.fields(of: range)
    return names.compactMap { name in
      let column = table.columns.firstIndex(of: name) ?? Int(name).map { $0 - 1 } ?? -1
      return fields.indices.contains(column) ? (name, fields[column]) : nil
    }
  }

  /// Calls `body` with the lines of the first rows if each is one line. Returns their number.
  func withLines(ofRows rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) -> Int {
    guard table.form != .json else { return 0 }
    var row = rows.lowerBound
    let start = table.rows[row].lowerBound
    var end = start
    while row < rows.upperBound, table.rows[row].lowerBound == end {
      end = table.rows[row].upperBound + 1
      row += 1
    }
    let count = row - rows.lowerBound
    return table.content.withBytes { bytes in
      guard end <= bytes.count else { return 0 }
      let lines = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      guard lines.last == 0x0A, Bytes.count(of: 0x0A, in: lines, before: lines.count) == count
      else { return 0 }
      body(lines)
      return count
    }
  }

  private func members(ofRow row: Int) -> [Range<Int>?] {
    defer { withExtendedLifetime(table.content) {} }
    return table.form == .json ? search.values(in: table.rows[row], of: table.content.bytes) : []
  }

  private func label(ofRow row: Int, _ members: [Range<Int>?]) -> String? {
    if table.hasPreface, row == 0 { return "(document)" }
    if table.isHeader(row) { return "(columns)" }
    if row < table.names.count { return table.names[row] }
    defer { withExtendedLifetime(table.content) {} }
    let values: [String]
    if table.form == .json {
      values = members.dropLast().compactMap { $0.map { JSONText.plain(table.bytes($0)) } }
    } else {
      let fields = table.fields(of: table.rows[row])
      values = table.keyColumns.filter { $0 < fields.count }.map { table.value(fields[$0]) }
    }
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// Formats JSON values for people.
enum JSONText {
  /// A string without its quotation marks, or another value on one line.
  static func plain(_ value: UnsafeRawBufferPointer) -> String {
    guard value.first == 0x22 else { return written(value) }
    var reader = JSONReader(value)
    var decoded: [UInt8] = []
    guard let string = try? reader.string() else { return written(value) }
    reader.decode(string, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// A value on one line.
  static func written(_ value: UnsafeRawBufferPointer) -> String {
    var buffer = ByteBuffer(capacity: value.count)
    buffer.append(json: value, singleLine: true)
    return buffer.withUnsafeBytes { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      var end = 0
      while let space = Bytes.firstIndex(of: 0x20, in: bytes, from: end) {
        end = space + 1
        if end < bytes.count, bytes[end] == 0x20 { return squeezed(text) }
      }
      return text
    }
  }

  /// Removes the indentation from JSON that was written on several lines.
  private static func squeezed(_ text: String) -> String {
    var result = ""
    var isString = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isString {
        isString = isEscaped || scalar != "\""
        isEscaped = !isEscaped && scalar == "\\"
      } else if scalar == "\"" {
        isString = true
      } else if scalar == " ", result.last == " " || result.last == "[" || result.last == "{" {
        continue
      } else if scalar == "]" || scalar == "}", result.last == " " {
        result.removeLast()
      }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

/// Rows with keys, displayed as their labels and contents. Changed rows are displayed as their
/// changes.
struct DrawnRecords: DrawnRows {
  let comparison: RecordComparison
  private let oldLabels: RecordLabels
  private let newLabels: RecordLabels

  /// Whether long values are cut to their differing parts.
  private let cutsValues: Bool

  let hasHeadings: Bool

  init(_ comparison: RecordComparison, cutsValues: Bool) {
    self.comparison = comparison
    self.cutsValues = cutsValues
    oldLabels = RecordLabels(comparison.old)
    newLabels = RecordLabels(comparison.new)
    let counts = [comparison.old.sections.count, comparison.new.sections.count]
    hasHeadings =
      counts.contains { $0 > 1 }
      || !counts.contains(0) && comparison.steps.contains { $0.isHeading && $0.kind != .same }
  }

  var hasKeys: Bool {
    let table = comparison.new
    return table.sectionStarts.isEmpty
      && !(table.keyFields.isEmpty && table.keyColumns.isEmpty && table.names.isEmpty)
  }

  /// The row with the names of the columns.
  var columnNames: StyledText? {
    comparison.new.columns.isEmpty || comparison.new.rows.isEmpty
      ? nil : newLabels.text(ofRow: 0)
  }

  var hasOrder: Bool { !comparison.options.ignoresOrder }

  func number(ofOld row: Int) -> Int? { Self.number(of: row, in: comparison.old) }
  func number(ofNew row: Int) -> Int? { Self.number(of: row, in: comparison.new) }

  private static func number(of row: Int, in table: RecordTable) -> Int? {
    guard table.sectionStarts.isEmpty else {
      return row - Int(table.sectionStarts[section(ofRow: row, in: table)]) + 1
    }
    if table.hasPreface { return row == 0 ? nil : row }
    return row + 1
  }

  static func section(ofRow row: Int, in table: RecordTable) -> Int {
    var low = 0
    var high = table.sectionStarts.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(table.sectionStarts[middle]) <= row { low = middle } else { high = middle }
    }
    return low
  }

  func texts(ofOld row: Int) -> [StyledText] { [oldLabels.text(ofRow: row)] }
  func texts(ofNew row: Int) -> [StyledText] { [newLabels.text(ofRow: row)] }

  func withPlainLines(
    ofOld rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    oldLabels.withLines(ofRows: rows, body)
  }

  func withPlainLines(
    ofNew rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    newLabels.withLines(ofRows: rows, body)
  }

  func texts(ofChange old: Int, _ new: Int) -> [StyledText] {
    if comparison.options.showsWhole {
      var before = oldLabels.text(ofRow: old)
      var after = newLabels.text(ofRow: new)
      WordMarks.mark(&before, &after)
      var second = StyledText("= ", .note)
      second.append(after)
      return [before, second]
    }
    let label = newLabels.label(ofRow: new)
    let shown = newLabels.values(comparison.options.shown, ofRow: new).map {
      comparison.new.form == .json
        ? JSONText.plain(comparison.new.bytes($0.value)) : comparison.new.value($0.value)
    }
    let remark = shown.isEmpty ? "" : "(" + shown.joined(separator: ", ") + ")"
    let differences = comparison.differences(old, new)
    var texts: [StyledText] = []
    for difference in differences {
      var text = StyledText()
      if let label {
        text.append(
          texts.isEmpty ? label : String(repeating: " ", count: label.count),
          texts.isEmpty ? .label : nil)
        text.append("  ")
      }
      if !remark.isEmpty {
        text.append(
          texts.isEmpty ? remark : String(repeating: " ", count: remark.count),
          texts.isEmpty ? .note : nil)
        text.append("  ")
      }
      let name = difference.name
      if !name.isEmpty { text.append(name + ": ") }
      let (before, after) = values(of: difference)
      text.append(before, .old)
      text.append(" → ")
      text.append(after, .new)
      texts.append(text)
    }
    // A row whose text differs may have equal values.
    return texts.isEmpty ? [StyledText(label ?? "")] : texts
  }

  /// The old and the new value of a difference.
  func values(of difference: FieldDifference) -> (String, String) {
    if let orders = difference.orders {
      func list(_ keys: [Range<Int>], _ table: RecordTable) -> String {
        "[" + keys.map { JSONText.plain(table.bytes($0)) }.joined(separator: ", ") + "]"
      }
      return (list(orders.old, comparison.old), list(orders.new, comparison.new))
    }
    func text(_ range: Range<Int>?, _ table: RecordTable, isPlain: Bool) -> String {
      guard let range else { return "(absent)" }
      if table.form != .json { return table.value(range) }
      let bytes = table.bytes(range)
      return isPlain ? JSONText.plain(bytes) : JSONText.written(bytes)
    }
    var before = text(difference.old, comparison.old, isPlain: true)
    var after = text(difference.new, comparison.new, isPlain: true)
    let isString = difference.old.map { comparison.old.content.bytes[$0.lowerBound] == 0x22 }
    let isNewString = difference.new.map { comparison.new.content.bytes[$0.lowerBound] == 0x22 }
    let hasBlanks = [before, after].contains { Self.hasBlanks($0) }
    let mayConfuse = isString != isNewString || before.isEmpty || after.isEmpty || hasBlanks
    if comparison.old.form == .json, mayConfuse {
      before = text(difference.old, comparison.old, isPlain: false)
      after = text(difference.new, comparison.new, isPlain: false)
    } else if mayConfuse {
      if difference.old != nil, before.isEmpty || hasBlanks { before = "\"\(before)\"" }
      if difference.new != nil, after.isEmpty || hasBlanks { after = "\"\(after)\"" }
    }
    if cutsValues { Self.cut(&before, &after) }
    return (before, after)
  }

  /// Whether a value begins or ends with a blank, or has two in a row.
  private static func hasBlanks(_ value: String) -> Bool {
    var wasBlank = true
    for scalar in value.unicodeScalars {
      let isBlank = scalar.properties.isWhitespace
      if isBlank, wasBlank { return true }
      wasBlank = isBlank
    }
    return wasBlank && !value.isEmpty
  }

  /// Cuts the common beginning and end of two long values.
  private static func cut(_ before: inout String, _ after: inout String) {
    let longest = 60
    let kept = 16
    guard max(before.count, after.count) > longest, min(before.count, after.count) > 0 else {
      return
    }
    let (a, b) = (Array(before), Array(after))
    var head = 0
    while head < min(a.count, b.count), a[head] == b[head] { head += 1 }
    var tail = 0
    while tail < min(a.count, b.count) - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] {
      tail += 1
    }
    func part(_ all: [Character]) -> String {
      let start = head > kept + 1 ? head - kept : 0
      let end = tail > kept + 1 ? all.count - tail + kept : all.count
      return (start > 0 ? "…" : "") + String(all[start..<end]) + (end < all.count ? "…" : "")
    }
    before = part(a)
    after = part(b)
  }

  func heading(_ step: ChangeStep) -> StyledText {
    let (table, section) =
      step.new >= 0 ? (comparison.new, step.new) : (comparison.old, step.old)
    return StyledText(heading(of: section, in: table))
  }

  private func heading(of section: Int, in table: RecordTable) -> String {
    defer { withExtendedLifetime(table.content) {} }
    return JSONText.written(table.bytes(table.sections[section]))
  }

  func origin(ofOld old: Int, new: Int) -> StyledText? {
    guard hasHeadings else { return nil }
    let from = Self.section(ofRow: old, in: comparison.old)
    let to = Self.section(ofRow: new, in: comparison.new)
    guard comparison.old.sectionKeys[from] != comparison.new.sectionKeys[to] else { return nil }
    return StyledText(heading(of: from, in: comparison.old))
  }
}
