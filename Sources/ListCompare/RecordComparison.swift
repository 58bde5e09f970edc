import ByteBuffers
import JSONBytes
import ListDiff
import ListStages

/// The rows of two files, matched by key: which were deleted, inserted, moved and changed.
struct RecordComparison {
  let old: RecordTable
  let new: RecordTable
  let options: ComparisonOptions

  private(set) var steps: [ChangeStep] = []

  /// Messages for people about the comparison.
  private(set) var notes: [String] = []

  /// The old and the new column of each name, -1 if there is none; nil if the columns are the same
  /// or have no names.
  private var columnPairs: [(old: Int, new: Int)]?

  /// Whether nothing differs.
  var isSame: Bool { steps.allSatisfy { $0.kind == .same } }

  /// Whether the columns differ, or their order.
  var hasOtherColumns: Bool { columnPairs != nil }

  /// Compares two tables of the same form.
  ///
  /// - Complexity: O(*n* + *m* log *m*), where *n* is the number of bytes and *m* the number of
  ///   rows.
  init(_ old: RecordTable, _ new: RecordTable, _ options: ComparisonOptions) {
    self.old = old
    self.new = new
    self.options = options
    if old.columns != new.columns {
      let partners = new.columns.map { old.columns.firstIndex(of: $0) ?? -1 }
      var pairs = old.columns.indices.map { (old: $0, new: partners.firstIndex(of: $0) ?? -1) }
      for (column, partner) in partners.enumerated() where partner < 0 {
        pairs.append((-1, column))
      }
      columnPairs = pairs
    }
    let (a, b) = (old, new)
    defer { withExtendedLifetime((a, b)) {} }
    var keys = RecordKeys(old, new, seed: options.seed)
    for side in [old, new] {
      if let note = side.note { notes.append("\(side.name): \(note)") }
    }
    for pattern in options.ignored where !matches(pattern) {
      notes.append("--ignore \(pattern.text) ignores nothing: there is no such member or column")
    }
    for name in options.shown where !matches(FieldPattern(name)) {
      notes.append("--show \(name) shows nothing: there is no such member or column")
    }
    if options.hasKey {
      for (side, row) in [(old, keys.repeated.old), (new, keys.repeated.new)] {
        guard let row else { continue }
        let key = Self.label(ofRow: row, in: side)
        notes.append("\(side.name): the key \(key) repeats; such rows are paired as text is")
      }
    }
    var engine = DiffEngine()
    if keys.hasRepeats {
      keys.separateRepeats(old, new, with: &engine, seed: options.seed)
    }
    let oldStarts = Self.starts(of: old)
    let newStarts = Self.starts(of: new)
    let sections = SectionKeys(old, new)
    engine.match(
      Arrangement(
        sections: sections.old, starts: oldStarts, rows: keys.old, hasRepeats: keys.hasRepeats),
      Arrangement(
        sections: sections.new, starts: newStarts, rows: keys.new, hasRepeats: keys.hasRepeats),
      universe: max(keys.universe, sections.universe))
    guard !options.ignoresOrder else {
      steps = unorderedSteps(engine.matching, oldStarts, newStarts)
      return
    }
    engine.findMoves(oldStarts: oldStarts, newStarts: newStarts)
    arrangeSteps(engine, oldStarts, newStarts)
  }

  /// The label of a row: the values of its key.
  static func label(ofRow row: Int, in table: RecordTable) -> String {
    RecordLabels(table).label(ofRow: row) ?? "of row \(row + 1)"
  }

  private static func starts(of table: RecordTable) -> [Int32] {
    table.sectionStarts.isEmpty
      ? [0, Int32(truncatingIfNeeded: table.rows.count)] : table.sectionStarts
  }

  private mutating func arrangeSteps(
    _ engine: borrowing DiffEngine, _ oldStarts: [Int32], _ newStarts: [Int32]
  ) {
    let matching = engine.matching
    var pairs = RowPairs(
      toNew: matching.rowsToNew, toOld: matching.rowsToOld, moved: engine.movement.movedRows)
    if !options.marksMoves {
      for row in pairs.moved.indices where pairs.moved[row] { pairs.unpair(old: row) }
    }
    let comparison = self
    var equality = RowEquality(comparison)
    var changed = [Bool](repeating: false, count: new.rows.count)
    for (row, other) in pairs.toOld.enumerated() where other >= 0 {
      changed[row] = !equality.isSame(Int(other), row)
    }
    var layout = StepLayout(pairs) { changed[$0] }
    guard !new.sectionStarts.isEmpty || !old.sectionStarts.isEmpty else {
      layout.append(rows: 0..<new.rows.count, home: 0..<old.rows.count)
      steps = layout.steps
      return
    }
    var next = 0
    func appendDeleted(_ sections: Range<Int>, to layout: inout StepLayout) {
      for section in sections where matching.sectionsToNew[section] < 0 {
        layout.append(heading: ChangeStep(kind: .deleted, old: section, new: -1))
        layout.append(rows: 0..<0, home: Self.range(section, oldStarts))
      }
    }
    for section in matching.sectionsToOld.indices {
      let other = Int(matching.sectionsToOld[section])
      let isMoved = other >= 0 && engine.movement.oldSections[other].isMoved
      if other >= 0, !isMoved {
        appendDeleted(next..<max(next, other), to: &layout)
        next = max(next, other + 1)
      }
      var heading = ChangeStep(kind: .inserted, old: other, new: section)
      if other >= 0 {
        heading.isChanged = !equality.isSame(section: other, section)
        heading.kind = isMoved ? .arrived : heading.isChanged ? .changed : .same
      }
      layout.append(heading: heading)
      layout.append(
        rows: Self.range(section, newStarts), home: other < 0 ? 0..<0 : Self.range(other, oldStarts)
      )
    }
    appendDeleted(next..<max(next, matching.sectionsToNew.count), to: &layout)
    steps = layout.steps
  }

  static func range(_ section: Int, _ starts: [Int32]) -> Range<Int> {
    Int(starts[section])..<Int(starts[section + 1])
  }

  /// Returns the first `limit` members or columns that differ between two rows.
  func differences(_ oldRow: Int, _ newRow: Int, limit: Int = .max) -> [FieldDifference] {
    let a = old.rows[oldRow]
    let b = new.rows[newRow]
    switch old.form {
    case .json:
      return JSONComparison(
        a, in: old.content.bytes, b, in: new.content.bytes, options, limit: limit
      ).differences
    case .delimited, .columns:
      return columnDifferences(
        old.fields(of: a), new.fields(of: b), old.isHeader(oldRow) ? nil : columnPairs,
        limit: limit)
    }
  }

  private func columnDifferences(
    _ a: [Range<Int>], _ b: [Range<Int>], _ pairs: [(old: Int, new: Int)]?, limit: Int
  ) -> [FieldDifference] {
    var differences: [FieldDifference] = []
    for index in 0..<(pairs?.count ?? max(a.count, b.count)) where differences.count < limit {
      let pair = pairs?[index] ?? (old: index, new: index)
      let from = a.indices.contains(pair.old) ? a[pair.old] : nil
      let to = b.indices.contains(pair.new) ? b[pair.new] : nil
      let name: String
      if let from {
        if let to, old.isSame(from, new, to, options) { continue }
        name = old.columnName(pair.old)
      } else if to != nil {
        name = new.columnName(pair.new)
      } else {
        continue
      }
      if !isIgnored(name, number: (from == nil ? pair.new : pair.old) + 1) {
        differences.append(FieldDifference(path: [name], old: from, new: to))
      }
    }
    return differences
  }
}

extension RecordComparison {
  private func isIgnored(_ column: String, number: Int) -> Bool {
    options.ignored.contains { $0.matches([column]) || $0.matches(["\(number)"]) }
  }
}

extension RecordTable {
  /// The fields of a row of delimited text or columns.
  func fields(of row: Range<Int>) -> [Range<Int>] {
    if form == .columns {
      if let separator { return Self.columns(of: row, in: content.bytes, by: separator) }
      return Self.columns(
        of: row, in: content.bytes, limit: columns.isEmpty ? .max : columns.count)
    }
    guard case .delimited(let delimiter) = form else { return [] }
    var scanner = DelimitedScanner(bytes(0..<row.upperBound), delimiter, from: row.lowerBound)
    return (try? scanner.next()) == true ? scanner.fields : []
  }

  /// The value of a field of delimited text or columns.
  func value(_ field: Range<Int>) -> String {
    valueBytes(field).withUnsafeBytes { DisplayText.string($0) }
  }

  /// The bytes of the value of a field of delimited text or columns.
  func valueBytes(_ field: Range<Int>) -> [UInt8] {
    if form == .columns { return Array(bytes(field)) }
    var buffer = ByteBuffer()
    Self.append(bytes(field), to: &buffer)
    return buffer.withUnsafeBytes { Array($0) }
  }

  /// Whether a field has the same value as one of another table.
  func isSame(
    _ field: Range<Int>, _ other: RecordTable, _ otherField: Range<Int>,
    _ options: ComparisonOptions
  ) -> Bool {
    if Bytes.equal(bytes(field), other.bytes(otherField)) { return true }
    let (a, b) = (valueBytes(field), other.valueBytes(otherField))
    return a.withUnsafeBytes { a in b.withUnsafeBytes { options.equality.equal(a, $0) } }
  }

  /// Whether a row holds the names of the columns.
  func isHeader(_ row: Int) -> Bool { row == 0 && !columns.isEmpty }

  func columnName(_ column: Int) -> String {
    column < columns.count ? columns[column] : "\(column + 1)"
  }
}

/// Compares rows without ignored members.
struct RowEquality: ~Copyable {
  private let comparison: RecordComparison
  private var equality = JSONEquality()

  init(_ comparison: RecordComparison) { self.comparison = comparison }

  mutating func isSame(_ oldRow: Int, _ newRow: Int) -> Bool {
    let left = comparison.old.bytes(comparison.old.rows[oldRow])
    let right = comparison.new.bytes(comparison.new.rows[newRow])
    if Bytes.equal(left, right), !comparison.hasOtherColumns || comparison.old.isHeader(oldRow) {
      return true
    }
    if comparison.old.form == .json, comparison.options.isExact {
      return equality.equal(left, right)
    }
    if comparison.old.form == .columns {
      // Lines without key columns are paired only if they are equal.
      if comparison.old.keyColumns.isEmpty { return true }
      if comparison.options.isExact { return false }
    }
    return comparison.differences(oldRow, newRow, limit: 1).isEmpty
  }

  mutating func isSame(section old: Int, _ new: Int) -> Bool {
    equality.equal(
      comparison.old.bytes(comparison.old.sections[old]),
      comparison.new.bytes(comparison.new.sections[new]))
  }
}

/// The keys of sections as numbers.
private struct SectionKeys {
  var old: [UInt32] = [0]
  var new: [UInt32] = [0]
  var universe = 1

  init(_ before: RecordTable, _ after: RecordTable) {
    guard !before.sectionStarts.isEmpty || !after.sectionStarts.isEmpty else { return }
    var numbers: [[UInt8]: UInt32] = [:]
    func number(_ key: [UInt8]) -> UInt32 {
      let next = UInt32(truncatingIfNeeded: numbers.count)
      return numbers[key]
        ?? {
          numbers[key] = next
          return next
        }()
    }
    old = before.sectionKeys.map(number)
    new = after.sectionKeys.map(number)
    universe = max(1, numbers.count)
  }
}
