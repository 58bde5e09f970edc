import JSONBytes

/// The rows of two lists as they are displayed.
protocol DrawnRows {
  /// Whether sections have headings.
  var hasHeadings: Bool { get }

  /// The name of the function that an old row is in; nil if it is unknown. Each call is for a later
  /// row than the one before.
  mutating func function(atOld row: Int) -> [UInt8]?

  /// Whether rows are identified by something other than their whole content.
  var hasKeys: Bool { get }

  /// The names of the columns, which are repeated in each hunk; nil if they have none.
  var columnNames: StyledText? { get }

  /// Whether a new row has the names of the columns.
  func hasNames(ofNew row: Int) -> Bool

  /// The names of the columns if rows are shown in a table; empty if rows have only texts.
  var cellNames: [String] { get }

  /// The cells of a row on one side, or of a changed row, in a table with some columns; empty if
  /// the row has only a text.
  func cells(_ names: [String], ofOld old: Int?, new: Int?) -> [StyledText]

  /// Whether the rows of a hunk are consecutive on both sides.
  var hasOrder: Bool { get }

  /// The number of an old or a new row, counted from 1; nil if the row has no number.
  func number(ofOld row: Int) -> Int?
  func number(ofNew row: Int) -> Int?

  /// The lines that display a row; more than one if a remark follows.
  mutating func texts(ofOld row: Int) -> [StyledText]
  mutating func texts(ofNew row: Int) -> [StyledText]

  /// Calls `body` with the lines that display the first of some rows without highlighted ranges,
  /// each with its line feed. Returns the number of these rows.
  mutating func withPlainLines(
    ofOld rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int
  mutating func withPlainLines(
    ofNew rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int

  /// The lines that display a changed row.
  mutating func texts(ofChange old: Int, _ new: Int) -> [StyledText]

  /// The text of a heading.
  func heading(_ step: ChangeStep) -> StyledText

  /// The section that a row was moved from, if that is another section.
  func origin(ofOld old: Int, new: Int) -> StyledText?
}

extension DrawnRows {
  var hasHeadings: Bool { false }
  mutating func function(atOld row: Int) -> [UInt8]? { nil }
  var hasKeys: Bool { false }
  var columnNames: StyledText? { nil }
  func hasNames(ofNew row: Int) -> Bool { false }
  var cellNames: [String] { [] }
  func cells(_ names: [String], ofOld old: Int?, new: Int?) -> [StyledText] { [] }
  var hasOrder: Bool { true }
  func withPlainLines(
    ofOld rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int { 0 }
  func withPlainLines(
    ofNew rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int { 0 }
  func heading(_ step: ChangeStep) -> StyledText { StyledText() }
  func origin(ofOld old: Int, new: Int) -> StyledText? { nil }
}

/// Draws steps: the changes, and a few rows around them.
struct Drawing<Rows: DrawnRows> {
  private let steps: [ChangeStep]
  private var rows: Rows
  private let context: Int

  /// Creates a drawing with `context` unchanged rows around each change.
  init(_ steps: [ChangeStep], of rows: Rows, context: Int) {
    self.steps = steps
    self.rows = rows
    self.context = context
  }

  /// Draws the hunks. Calls `flush` after each part that may be large.
  mutating func draw<C: Canvas & ~Copyable>(
    on canvas: inout C, flush: (inout C) -> Void
  ) {
    if canvas.showsTables { canvas.columns = rows.cellNames }
    var hunks = Hunks(steps, context: context)
    var isFirst = true
    while !canvas.isFull, let hunk = hunks.next() {
      if !rows.hasHeadings, rows.hasOrder {
        draw(header: hunk, on: &canvas)
      } else if !isFirst, !hunk[0].isHeading, context > 0 {
        canvas.drawGap()
      }
      if canvas.columns.isEmpty, rows.hasOrder ? hunk.new.lowerBound > 0 : isFirst,
        let names = rows.columnNames
      {
        canvas.draw(DrawnRow(kind: .same, text: names, isContinued: true))
      }
      isFirst = false
      draw(hunk, on: &canvas, flush: flush)
    }
  }

  /// Draws the first rows, including unchanged ones, without hunk headers.
  mutating func draw<C: Canvas & ~Copyable>(first count: Int, on canvas: inout C) {
    var rest = count
    var shown: [ChangeStep] = []
    for var step in steps {
      guard rest > 0 else { break }
      if !step.isHeading || rows.hasHeadings {
        step.count = min(step.count, rest)
        rest -= step.count
      }
      shown.append(step)
    }
    draw(Hunk(shown[...]), on: &canvas) { _ in }
  }

  private mutating func draw<C: Canvas & ~Copyable>(header hunk: Hunk, on canvas: inout C) {
    canvas.draw(
      hunk: Self.numbers(of: hunk.old, rows.number(ofOld: hunk.old.lowerBound)),
      Self.numbers(of: hunk.new, rows.number(ofNew: hunk.new.lowerBound)),
      in: rows.function(atOld: hunk.old.lowerBound))
  }

  /// The numbers of rows, from that of the first row, which may have none.
  private static func numbers(of rows: Range<Int>, _ first: Int?) -> Range<Int> {
    let start = first ?? 1
    return start..<start + Swift.max(0, first == nil ? rows.count - 1 : rows.count)
  }

  private mutating func draw<C: Canvas & ~Copyable>(
    _ hunk: Hunk, on canvas: inout C, flush: (inout C) -> Void
  ) {
    var index = 0
    while index < hunk.count {
      // Deleted, inserted and moved rows up to the next row that both sides have.
      var end = index
      while end < hunk.count, Self.replaces(hunk[end].kind), !hunk[end].isHeading { end += 1 }
      let marked = canvas.showsMarks ? markedTexts(hunk, index..<end) : (old: [:], new: [:])
      repeat {
        if hunk[index].isHeading {
          if rows.hasHeadings { draw(heading: hunk[index], on: &canvas) }
        } else {
          draw(hunk[index], marked, on: &canvas, flush: flush)
        }
        index += 1
      } while index < end
    }
  }

  private static func replaces(_ kind: ChangeStep.Kind) -> Bool {
    kind != .same && kind != .changed
  }

  private func draw<C: Canvas & ~Copyable>(heading step: ChangeStep, on canvas: inout C) {
    canvas.draw(
      DrawnRow(
        kind: step.kind, isHeading: true,
        numbers: RowNumbers(
          old: step.old < 0 ? nil : step.old + 1, new: step.new < 0 ? nil : step.new + 1),
        text: rows.heading(step)))
  }

  /// The number of rows that are drawn at each end of a block that moved away.
  private static var departedEnds: Int { 2 }

  private mutating func draw<C: Canvas & ~Copyable>(
    _ step: ChangeStep, _ marked: MarkedTexts, on canvas: inout C, flush: (inout C) -> Void
  ) {
    let isShort = step.kind == .departed && step.count > 2 * Self.departedEnds + 1
    var offset = 0
    while offset < step.count, !canvas.isFull {
      if isShort, offset == Self.departedEnds {
        let rest = step.count - 2 * Self.departedEnds
        canvas.draw(
          DrawnRow(kind: .departed, text: StyledText("⋮ \(rest) more rows"), isContinued: true))
        offset += rest
      }
      let old = step.old < 0 ? -1 : step.old + offset
      let new = step.new < 0 ? -1 : step.new + offset
      // The row for the text around the rows is drawn only if it changed, and so are the names that
      // a table has anyway.
      if step.kind == .same,
        rows.number(ofNew: new) == nil || !canvas.columns.isEmpty && rows.hasNames(ofNew: new)
      {
        offset += 1
        continue
      }
      let numbers = RowNumbers(
        old: old < 0 ? nil : rows.number(ofOld: old), new: new < 0 ? nil : rows.number(ofNew: new))
      let origin = step.kind == .arrived ? rows.origin(ofOld: old, new: new) : nil
      var cells = canvas.columns.isEmpty ? [] : cells(step, old, new, canvas.columns)
      if !cells.isEmpty {
        if let origin { cells[0].append(origin: origin) }
        canvas.draw(
          DrawnRow(kind: step.kind, numbers: numbers, text: StyledText(), cells: cells))
        offset += 1
        flush(&canvas)
        continue
      }
      let end = isShort && offset < Self.departedEnds ? Self.departedEnds : step.count
      let plain = drawPlain(step, offset..<end, numbers, marked, on: &canvas)
      offset += max(plain, 1)
      flush(&canvas)
      if plain > 0 { continue }
      let known =
        step.kind == .deleted ? marked.old[old] : step.kind == .inserted ? marked.new[new] : nil
      var texts = known ?? texts(step, old, new)
      if let origin { texts[0].append(origin: origin) }
      draw(step.kind, numbers, texts, on: &canvas)
    }
    flush(&canvas)
  }

  private func cells(
    _ step: ChangeStep, _ old: Int, _ new: Int, _ names: [String]
  ) -> [StyledText] {
    switch step.kind {
    case .changed, .arrived: rows.cells(names, ofOld: old, new: new)
    case .deleted, .departed: rows.cells(names, ofOld: old, new: nil)
    case .same, .inserted: rows.cells(names, ofOld: nil, new: new)
    }
  }

  private mutating func texts(_ step: ChangeStep, _ old: Int, _ new: Int) -> [StyledText] {
    switch step.kind {
    case .changed: rows.texts(ofChange: old, new)
    case .arrived where step.isChanged: rows.texts(ofChange: old, new)
    case .deleted, .departed: rows.texts(ofOld: old)
    case .same, .inserted, .arrived: rows.texts(ofNew: new)
    }
  }

  /// Draws rows of a step that need no highlights or remarks. Returns their number.
  private mutating func drawPlain<C: Canvas & ~Copyable>(
    _ step: ChangeStep, _ range: Range<Int>, _ numbers: RowNumbers, _ marked: MarkedTexts,
    on canvas: inout C
  ) -> Int {
    let isMarked = step.kind == .deleted ? !marked.old.isEmpty : !marked.new.isEmpty
    let count = min(range.count, isMarked ? 1 : Self.mostPlainRows)
    let old = step.old + range.lowerBound
    let new = step.new + range.lowerBound
    switch step.kind {
    case .deleted where marked.old[old] == nil, .departed:
      return rows.withPlainLines(ofOld: old..<old + count) {
        canvas.draw(step.kind, numbers, lines: $0)
      }
    case .inserted where marked.new[new] == nil, .same:
      return rows.withPlainLines(ofNew: new..<new + count) {
        canvas.draw(step.kind, numbers, lines: $0)
      }
    default: return 0
    }
  }

  /// The largest number of rows that are drawn at once.
  private static var mostPlainRows: Int { 512 }

  private func draw<C: Canvas & ~Copyable>(
    _ kind: ChangeStep.Kind, _ numbers: RowNumbers, _ texts: [StyledText], on canvas: inout C
  ) {
    for (index, text) in texts.enumerated() {
      canvas.draw(DrawnRow(kind: kind, numbers: numbers, text: text, isContinued: index > 0))
    }
  }

  /// The texts of deleted and inserted rows, by row.
  private typealias MarkedTexts = (old: [Int: [StyledText]], new: [Int: [StyledText]])

  /// The texts of similar deleted and inserted rows, with their differences highlighted.
  private mutating func markedTexts(_ hunk: Hunk, _ range: Range<Int>) -> MarkedTexts {
    var marked: MarkedTexts = ([:], [:])
    // Rows with different keys are different things.
    if rows.hasKeys { return marked }
    var (deleted, inserted): ([ChangeStep], [ChangeStep]) = ([], [])
    for index in range {
      let step = hunk[index]
      if step.kind == .deleted { deleted.append(step) }
      if step.kind == .inserted { inserted.append(step) }
    }
    let counts = [deleted, inserted].map { $0.reduce(0) { $0 + $1.count } }
    guard counts.allSatisfy({ $0 > 0 && $0 <= WordMarks.mostPairs }) else { return marked }
    let oldRows = deleted.flatMap { $0.old..<$0.old + $0.count }
    let newRows = inserted.flatMap { $0.new..<$0.new + $0.count }
    var old = oldRows.map { rows.texts(ofOld: $0) }
    var new = newRows.map { rows.texts(ofNew: $0) }
    for (left, right) in WordMarks.pairs(old.map { $0[0].bytes }, new.map { $0[0].bytes }) {
      WordMarks.mark(&old[left][0], &new[right][0])
      marked.old[oldRows[left]] = old[left]
      marked.new[newRows[right]] = new[right]
    }
    return marked
  }
}

extension StyledText {
  /// Appends the section that a row was moved from.
  fileprivate mutating func append(origin: StyledText) {
    append("  (from ", .note)
    append(origin)
    append(")", .note)
  }
}
