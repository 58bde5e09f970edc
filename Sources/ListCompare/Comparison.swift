import ByteBuffers

/// The change between two files.
package struct Comparison: Sendable {
  /// The kind of comparison.
  enum Change {
    case lines(LineComparison)
    case records(RecordComparison)
    /// Files of which one has a NUL.
    case binary(old: String, new: String)
    /// Files with the same bytes, whose rows are not known.
    case none
  }

  let change: Change
  private let options: ComparisonOptions

  /// Whether nothing differs.
  package let isSame: Bool

  /// Messages for people about the comparison.
  package private(set) var notes: [String] = []

  /// The comparison of two files with the same bytes, whatever they are.
  package static var ofEqualFiles: Comparison { Comparison() }

  private init() {
    change = .none
    options = ComparisonOptions()
    isSame = true
  }

  /// Compares two files of the kind that the options name, or of the kind that they look like.
  ///
  /// - Throws: If a file is not of that kind, or violates a rule of snapshots.
  package init(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions,
    by compare: SnapshotComparing
  ) throws(ComparisonFailure) {
    self.options = options
    if old.isBinary || new.isBinary {
      change = .binary(old: old.name, new: new.name)
      isSame =
        !old.isUnreadBinary
        && old.content.withBytes { a in new.content.withBytes { Bytes.equal(a, $0) } }
      return
    }
    switch try RowSource(old, new, options) {
    case .lines:
      let lines = LineComparison(old, new, moves: options.marksMoves, seed: options.seed)
      change = .lines(lines)
      isSame = lines.steps.allSatisfy { $0.kind == .same }
      if !options.ignored.isEmpty {
        notes = ["--ignore has no effect on lines without --key-field"]
      }
    case .snapshots(let before, let after):
      let pair = try compare(before, after)
      let isSame = options.ignoresOrder ? nil : try pair.isSame()
      var options = options
      options.key = []
      let records = RecordComparison(.snapshot(before), .snapshot(after), options)
      change = .records(records)
      notes = records.notes
      self.isSame = isSame ?? records.isSame
    case .records(let before, let after):
      var options = options
      let found =
        after.keyFields.isEmpty ? after.keyColumns.map { after.columnName($0) } : after.keyFields
      if !options.hasKey, !found.isEmpty {
        notes = ["the key is \(found.joined(separator: ",")); --key none compares without one"]
        options.key = found
      }
      // Lines that are paired by their text move only if they are worth marking.
      if before.form == .columns, before.keyColumns.isEmpty { options.marksMoves = false }
      let records = RecordComparison(before, after, options)
      change = .records(records)
      notes += records.notes
      if options.equality.tolerance != nil, before.form == .columns, before.keyColumns.isEmpty {
        notes.append("--tolerance has no effect on lines without --key-field")
      }
      isSame = records.isSame
    }
  }

  /// Returns the operations that change the old file into the new one: the array of a format.
  ///
  /// - Throws: If a file violates a rule of snapshots, or rows are not lines or items of a
  ///   snapshot.
  package static func operations(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions, _ format: String,
    by compare: SnapshotComparing
  ) throws(ComparisonFailure) -> (array: SharedBytes, isSame: Bool) {
    for file in [old, new] { try file.checkText() }
    switch try RowSource(old, new, options) {
    case .lines:
      let pair = try compare(SnapshotFile(linesOf: old), SnapshotFile(linesOf: new))
      let isSame = old.content.withBytes { a in
        new.content.withBytes { Bytes.equal(a, $0) }
      }
      return (try pair.change(format), isSame)
    case .snapshots(let before, let after):
      let pair = try compare(before, after)
      let isSame = try pair.isSame()
      return (try pair.change(format), isSame)
    case .records:
      throw ComparisonFailure(
        "--format \(format) needs lines or snapshots, and no key")
    }
  }

  /// The number of digits of the largest row number that is drawn.
  package var digits: Int {
    var (old, new) = (0, 0)
    for step in steps where step.kind != .same && !step.isHeading {
      old = max(old, step.old + step.count)
      new = max(new, step.new + step.count)
    }
    let lines: Int
    switch change {
    case .lines(let comparison):
      old = min(old + options.context, comparison.rows.old.lineCount)
      new = min(new + options.context, comparison.rows.new.lineCount)
      lines = comparison.old.linesBefore
    case .binary, .none: lines = 0
    case .records(let comparison):
      old = min(old + options.context, comparison.old.rows.count)
      new = min(new + options.context, comparison.new.rows.count)
      lines = 0
    }
    return String(lines + max(old, new)).utf8.count
  }

  /// The comparison of rows, if rows are not lines.
  var records: RecordComparison? {
    if case .records(let records) = change { records } else { nil }
  }

  private var steps: [ChangeStep] {
    switch change {
    case .lines(let lines): lines.steps
    case .records(let records): records.steps
    case .binary, .none: []
    }
  }

  /// Whether the files have no rows, because one of them has a NUL.
  package var isBinary: Bool { if case .binary = change { true } else { false } }

  /// The numbers of rows that changed.
  package var counts: ChangeCounts { steps.counts.rows }

  /// The nonzero counts of changes, such as "1 deleted, 2 moved".
  package var summary: String {
    if case .binary(let old, let new) = change { return "Binary files \(old) and \(new) differ" }
    return steps.summary
  }

  /// The number of rows and headings; rows that both sides have count once.
  package var rowCount: Int {
    let hasHeadings = records.map { DrawnRecords($0, cutsValues: true).hasHeadings } ?? false
    return steps.reduce(0) { $0 + ($1.isHeading && !hasHeadings ? 0 : $1.count) }
  }

  /// Draws only the first `count` rows, with their changes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of steps and of bytes of these rows.
  package func draw<C: Canvas & ~Copyable>(first count: Int, on canvas: inout C) {
    switch change {
    case .binary, .none: break
    case .lines(let lines):
      var drawing = Drawing(lines.steps, of: DrawnLines(lines), context: options.context)
      drawing.draw(first: count, on: &canvas)
    case .records(let records):
      let rows = DrawnRecords(records, cutsValues: !options.showsWhole)
      var drawing = Drawing(records.steps, of: rows, context: options.context)
      drawing.draw(first: count, on: &canvas)
    }
  }

  /// Draws the change, if there is one. Calls `flush` after each part that may be large, and
  /// `driver` if the name of a function is wanted.
  package func draw<C: Canvas & ~Copyable>(
    on canvas: inout C, named names: (old: String, new: String)?, withSummary: Bool = true,
    driver: @escaping () -> FunctionDriver? = { nil }, flush: (inout C) -> Void
  ) {
    if isSame { return }
    if case .binary = change {
      canvas.draw(binary: summary)
      return flush(&canvas)
    }
    if let names { canvas.draw(old: names.old, new: names.new) }
    switch change {
    case .binary, .none: break
    case .lines(let lines):
      var drawing = Drawing(lines.steps, of: DrawnLines(lines, driver), context: options.context)
      drawing.draw(on: &canvas, flush: flush)
    case .records(let records):
      let rows = DrawnRecords(records, cutsValues: !options.showsWhole)
      var drawing = Drawing(records.steps, of: rows, context: options.context)
      drawing.draw(on: &canvas, flush: flush)
    }
    if withSummary { canvas.draw(summary: summary) }
    flush(&canvas)
  }

  /// Appends the change of lines in the format of `diff -u`, if there is one.
  package func appendUnified(to output: inout ByteBuffer, flush: (inout ByteBuffer) -> Void) {
    guard !isSame else { return }
    var unified: Unified
    switch change {
    case .lines(let lines): unified = Unified(lines, context: options.context)
    case .records(let records): unified = Unified(records, context: options.context)
    case .none: return
    case .binary:
      output.append(contentsOf: summary.utf8)
      output.append("\n")
      return flush(&output)
    }
    unified.append(to: &output, flush: flush)
    flush(&output)
  }
}
