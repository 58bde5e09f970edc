import ByteBuffers
import JSONBytes

/// A difference between two files, as programs read it.
struct ReportedChange {
  enum Operation: String {
    case change, delete, insert, move
  }

  /// What is not a row.
  enum Part: String {
    case document, columns, section, binary
  }

  var operation: Operation
  var part: Part?

  /// The values of the row's key; nil if the whole row identifies it.
  var key: [ReportedValue]?

  /// The number of the row on each side, from 1, in its section.
  var from: Int?
  var to: Int?

  /// The sections of the row, if the files have several.
  var oldSection: ReportedValue?
  var newSection: ReportedValue?

  /// Whether a row that changed also moved.
  var isMoved = false

  /// The members or columns that differ.
  var fields: [(name: String, old: ReportedValue?, new: ReportedValue?)] = []

  /// The members or columns that were asked for.
  var shown: [(name: String, value: ReportedValue)] = []

  /// The whole row before and after, if its fields do not describe the difference.
  var old: ReportedValue?
  var new: ReportedValue?
}

/// A value of a file, as JSON or as text.
enum ReportedValue {
  indirect case values([ReportedValue])
  case json(UnsafeRawBufferPointer)
  case text([UInt8])
  case row(columns: [String], [[UInt8]])
}

extension Comparison {
  /// Calls `body` with each difference, in the order of the drawing.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of rows that differ.
  func forEachChange(_ body: (ReportedChange) -> Void) {
    switch change {
    case .none: break
    case .binary:
      if !isSame { body(ReportedChange(operation: .change, part: .binary)) }
    case .lines(let lines):
      var rows = DrawnLines(lines)
      for step in lines.steps { rows.report(step, body) }
    case .records(let records):
      let rows = DrawnRecords(records, cutsValues: false)
      for step in records.steps { rows.report(step, body) }
    }
  }
}

extension ReportedChange {
  /// Creates the change of one row of a step without its content. Returns nil if there is none.
  fileprivate init?(_ step: ChangeStep, isChanged: Bool, _ numbers: RowNumbers) {
    switch step.kind {
    case .same, .departed: return nil
    case .changed: operation = .change
    case .arrived: operation = isChanged ? .change : .move
    case .deleted: operation = .delete
    case .inserted: operation = .insert
    }
    isMoved = step.kind == .arrived && isChanged
    (from, to) = (numbers.old, numbers.new)
  }
}

extension DrawnLines {
  fileprivate mutating func report(_ step: ChangeStep, _ body: (ReportedChange) -> Void) {
    for offset in 0..<step.count {
      let old = step.old < 0 ? nil : step.old + offset
      let new = step.new < 0 ? nil : step.new + offset
      let numbers = RowNumbers(old: old.flatMap(number(ofOld:)), new: new.flatMap(number(ofNew:)))
      guard var change = ReportedChange(step, isChanged: false, numbers) else { return }
      if let old, new == nil { change.old = .text(texts(ofOld: old)[0].bytes) }
      if let new { change.new = .text(texts(ofNew: new)[0].bytes) }
      body(change)
    }
  }
}

extension DrawnRecords {
  fileprivate func report(_ step: ChangeStep, _ body: (ReportedChange) -> Void) {
    defer { withExtendedLifetime((comparison.old.content, comparison.new.content)) {} }
    if step.isHeading {
      if hasHeadings { report(heading: step, body) }
      return
    }
    for offset in 0..<step.count {
      let old = step.old < 0 ? nil : step.old + offset
      let new = step.new < 0 ? nil : step.new + offset
      let numbers = RowNumbers(old: old.flatMap(number(ofOld:)), new: new.flatMap(number(ofNew:)))
      guard var change = ReportedChange(step, isChanged: step.isChanged, numbers) else { return }
      let (table, row) = new.map { (comparison.new, $0) } ?? (comparison.old, old!)
      change.key = table.reportedKey(ofRow: row)
      if table.hasPreface, row == 0 { change.part = .document }
      if table.isHeader(row) { change.part = .columns }
      if hasHeadings {
        change.oldSection = old.map { section(ofRow: $0, in: comparison.old) }
        change.newSection = new.map { section(ofRow: $0, in: comparison.new) }
      }
      change.shown = RecordLabels(table).values(comparison.options.shown, ofRow: row)
        .map { ($0.name, table.reported($0.value)) }
      switch change.operation {
      case .change:
        change.fields = comparison.differences(old!, new!).map { difference in
          if let orders = difference.orders {
            return (
              difference.name, .values(orders.old.map(comparison.old.reported)),
              .values(orders.new.map(comparison.new.reported))
            )
          }
          return (
            difference.name, difference.old.map(comparison.old.reported),
            difference.new.map(comparison.new.reported)
          )
        }
      case .delete: change.old = table.reported(row: row)
      case .insert: change.new = table.reported(row: row)
      case .move: if change.key == nil { change.new = table.reported(row: row) }
      }
      body(change)
    }
  }

  private func report(heading step: ChangeStep, _ body: (ReportedChange) -> Void) {
    let numbers = RowNumbers(
      old: step.old < 0 ? nil : step.old + 1, new: step.new < 0 ? nil : step.new + 1)
    guard var change = ReportedChange(step, isChanged: step.isChanged, numbers) else { return }
    change.part = .section
    let old = step.old < 0 ? nil : comparison.old.reported(comparison.old.sections[step.old])
    let new = step.new < 0 ? nil : comparison.new.reported(comparison.new.sections[step.new])
    (change.old, change.new) = (old, new)
    body(change)
  }

  private func section(ofRow row: Int, in table: RecordTable) -> ReportedValue {
    table.reported(table.sections[Self.section(ofRow: row, in: table)], member: "id")
  }
}

extension RecordTable {
  /// The value of a member or a field.
  fileprivate func reported(_ value: Range<Int>) -> ReportedValue {
    switch form {
    case .json: .json(bytes(value))
    case .delimited, .columns: .text(self.valueBytes(value))
    }
  }

  fileprivate func reported(_ object: Range<Int>, member: String) -> ReportedValue {
    .json(bytes(MemberSearch.value(at: member, of: object, in: content.bytes) ?? object))
  }

  fileprivate func reported(row: Int) -> ReportedValue {
    guard case .delimited = form else {
      return form == .json ? .json(bytes(rows[row])) : .text(Array(bytes(rows[row])))
    }
    return .row(columns: columns, fields(of: rows[row]).map { valueBytes($0) })
  }

  /// The values of a row's key; nil if its key is the whole row.
  fileprivate func reportedKey(ofRow row: Int) -> [ReportedValue]? {
    if hasPreface && row == 0 || isHeader(row) { return nil }
    if row < names.count { return [.text(Array(names[row].utf8))] }
    let values: [ReportedValue]
    if form == .json {
      values = MemberSearch(keyFields).values(in: rows[row], of: content.bytes)
        .compactMap { $0.map(reported) }
    } else {
      let fields = fields(of: rows[row])
      values = keyColumns.filter { $0 < fields.count }.map { reported(fields[$0]) }
    }
    return values.isEmpty ? nil : values
  }
}
