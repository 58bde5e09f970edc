import ByteBuffers
import JSONBytes
import ListText

/// The target of a drawing of a change.
package protocol Canvas: ~Copyable {
  /// Whether highlighted ranges are visible.
  var showsMarks: Bool { get }

  /// Whether nothing more needs to be drawn.
  var isFull: Bool { get }

  /// Whether rows may have cells.
  var showsTables: Bool { get }

  /// The names of the columns of the rows that follow; empty if these have only texts.
  var columns: [String] { get set }

  /// Draws the names of the files, at the top.
  mutating func draw(old: String, new: String)

  /// Draws the header of a hunk: the row numbers that it covers on both sides, and the name of the
  /// function that it is in.
  mutating func draw(hunk old: Range<Int>, _ new: Range<Int>, in function: [UInt8]?)

  /// Draws that rows are left out.
  mutating func drawGap()

  mutating func draw(_ row: DrawnRow)

  /// Draws rows without highlighted ranges. `lines` are complete lines, each with its line feed,
  /// and `numbers` are the numbers of the first one.
  mutating func draw(
    _ kind: ChangeStep.Kind, _ numbers: RowNumbers, lines: UnsafeRawBufferPointer)

  /// Draws that files differ that are not text. It is the whole drawing.
  mutating func draw(binary summary: String)

  /// Draws the last line and ends the drawing.
  mutating func draw(summary: String)
}

extension Canvas where Self: ~Copyable {
  package var isFull: Bool { false }

  package var showsTables: Bool { false }

  package var columns: [String] {
    get { [] }
    set {}
  }
}

/// The numbers of a row on both sides, from 1.
package struct RowNumbers: Hashable, Sendable {
  package var old: Int?
  package var new: Int?

  /// The numbers of the next row.
  var next: RowNumbers { RowNumbers(old: old.map { $0 + 1 }, new: new.map { $0 + 1 }) }
}

/// A line of a drawing.
package struct DrawnRow: Sendable {
  package var kind: ChangeStep.Kind
  package var isHeading = false

  package var numbers = RowNumbers()
  package var text: StyledText

  /// The cells of the row in a table; empty if it has only its text.
  package var cells: [StyledText] = []

  /// Whether the line continues the row above.
  package var isContinued = false
}

/// A drawing as text for a terminal or a file.
package struct TextCanvas: Canvas, ~Copyable {
  private let isColoured: Bool
  private let width: Int?
  private let cutsChanges: Bool
  private let margin: Int
  private let indent: String
  private var prefix = NumberedPrefix()

  /// The number of lines after which the canvas is full.
  private let lineLimit: Int
  private var lineCount = 0

  /// The drawn text that the caller has not removed yet.
  package var output = ByteBuffer()

  /// Differences are visible also if lines are cut.
  package var showsMarks: Bool { isColoured || width != nil }

  package var isFull: Bool { lineCount >= lineLimit }

  /// Creates a canvas for rows whose numbers have at most `digits` digits. If `width` is given,
  /// lines are cut to that number of columns, but around the differences that they have. Without
  /// `cutsChanges`, only rows that are unchanged or that moved away are cut.
  package init(
    isColoured: Bool, width: Int? = nil, cutsChanges: Bool = true, digits: Int,
    indent: String = "", lineLimit: Int = .max
  ) {
    self.isColoured = isColoured
    self.width = width
    self.cutsChanges = cutsChanges
    self.lineLimit = lineLimit
    margin = max(2, digits)
    self.indent = indent
  }

  /// Draws the names of the files.
  package mutating func draw(old: String, new: String) {
    line("--- " + old, "1")
    line("+++ " + new, "1")
  }

  /// Draws the header of a hunk.
  package mutating func draw(hunk old: Range<Int>, _ new: Range<Int>, in function: [UInt8]?) {
    var header = ByteBuffer(capacity: 64)
    Unified.append(hunk: old, new, to: &header)
    var text = header.withUnsafeBytes { StyledText($0) }
    if let function { text.append([0x20] + function[...], .note) }
    line(text, "36")
  }

  /// Draws that rows are left out.
  package mutating func drawGap() {
    line(String(repeating: " ", count: margin) + " ⋮", "2")
  }

  /// Draws that files differ that are not text.
  package mutating func draw(binary summary: String) { line(summary, "1") }

  /// Ends the drawing.
  package mutating func draw(summary: String) { line(summary, "1") }

  /// Draws a line of other text with ECMA-48 colour codes.
  package mutating func draw(line text: String, _ codes: String) { line(text, codes) }

  private mutating func line(_ text: String, _ codes: String) { line(StyledText(text), codes) }

  private mutating func line(_ text: StyledText, _ codes: String) {
    output.append(contentsOf: indent.utf8)
    style(codes)
    append(text, limit(from: indent.utf8.count), codes)
    endLine()
  }

  private mutating func endLine() {
    style("")
    output.append("\n")
    lineCount += 1
  }

  private mutating func style(_ codes: String) {
    guard isColoured else { return }
    output.append("\u{1B}[")
    output.append(contentsOf: codes.utf8)
    output.append("m")
  }

  /// Draws a row.
  package mutating func draw(_ row: DrawnRow) {
    var text = row.text
    if row.isHeading {
      text = StyledText("§ ")
      text.append(row.text)
    }
    let limit = limit(of: row.kind)
    let lines = limit.map { text.lines(ofWidth: $0) } ?? [text]
    for (index, line) in lines.enumerated() {
      begin(row.kind, row.isContinued || index > 0 ? nil : row.numbers)
      append(line, limit, Self.codes(of: row.kind))
      endLine()
    }
  }

  /// Draws rows without highlighted ranges.
  package mutating func draw(
    _ kind: ChangeStep.Kind, _ numbers: RowNumbers, lines: UnsafeRawBufferPointer
  ) {
    let count = Bytes.count(of: 0x0A, in: lines, before: lines.count)
    if limit(of: kind) == nil, Bytes.isPlainText(lines), setPrefix(kind, numbers, count) {
      lineCount += count
      var start = 0
      while let end = Bytes.firstIndex(of: 0x0A, in: lines, from: start) {
        prefix.bytes.withUnsafeBytes { output.append($0) }
        let line = lines[start..<(isColoured ? end : end + 1)]
        output.append(UnsafeRawBufferPointer(rebasing: line))
        if isColoured {
          style("")
          output.append("\n")
        }
        prefix.count()
        start = end + 1
      }
    } else {
      var numbers = numbers
      lines.forEachLine { line in
        draw(DrawnRow(kind: kind, numbers: numbers, text: StyledText(line)))
        numbers = numbers.next
      }
    }
  }

  /// Sets the prefix to the text before a row. Returns false if a number of one of the next `count`
  /// rows is too wide.
  private mutating func setPrefix(
    _ kind: ChangeStep.Kind, _ numbers: RowNumbers, _ count: Int
  ) -> Bool {
    var last = max(numbers.old ?? 0, numbers.new ?? 0) + count
    for _ in 0..<margin { last /= 10 }
    guard last == 0 else { return false }
    let start = output.count
    begin(kind, numbers)
    // The second number is followed by two spaces, the sign and a space.
    let new = output.count - start - 5
    let old = new - margin - Self.gap(isMove: Self.isMove(kind)).utf8CodeUnitCount
    output.withUnsafeBytes {
      prefix.set(
        UnsafeRawBufferPointer(rebasing: $0[start...]), numbers.old.map { _ in old },
        numbers.new.map { _ in new })
    }
    output.truncate(to: start)
    return true
  }

  private var textColumn: Int { indent.utf8.count + 2 * margin + 7 }

  /// Appends the text before a row. Without numbers, the row continues the one above.
  private mutating func begin(_ kind: ChangeStep.Kind, _ numbers: RowNumbers?) {
    if !indent.isEmpty { output.append(contentsOf: indent.utf8) }
    style(Self.codes(of: kind))
    append(number: numbers?.old)
    output.append(Self.gap(isMove: Self.isMove(kind) && numbers != nil))
    append(number: numbers?.new)
    output.append("  ")
    output.append(numbers == nil ? "  " : Self.sign(of: kind))
  }

  private static func isMove(_ kind: ChangeStep.Kind) -> Bool {
    kind == .arrived || kind == .departed
  }

  private static func gap(isMove: Bool) -> StaticString { isMove ? " → " : "   " }

  private mutating func append(number: Int?) {
    var room = margin
    var rest = number ?? 0
    while rest > 0 {
      rest /= 10
      room -= 1
    }
    for _ in 0..<max(0, room) { output.append(0x20) }
    if let number { output.append(decimal: number) }
  }

  /// Appends text, cut to `limit` columns.
  private mutating func append(_ text: StyledText, _ limit: Int?, _ codes: String) {
    if text.marks.isEmpty || !isColoured, limit == nil {
      let isPlain = text.bytes.withUnsafeBytes { bytes in
        guard Bytes.plainPrefix(of: bytes, from: 0) == bytes.count else { return false }
        output.append(printable: bytes)
        return true
      }
      if isPlain { return }
    }
    let expandsTabs = limit != nil
    let limit = limit ?? .max
    var column = 0
    // The position to cut the output at if the text turns out to be too long.
    var cut: (size: Int, column: Int)?
    var marks = text.marks[...]
    var open: StyledText.Mark?
    var isFull = false
    DisplayText.forEachCharacter(of: text.bytes) { scalar, shown, offset in
      guard !isFull else { return }
      if let mark = open, offset >= mark.range.upperBound {
        open = nil
        style("0;" + codes)
      }
      if open == nil, let mark = marks.first, offset >= mark.range.lowerBound {
        marks.removeFirst()
        open = mark
        style(Self.codes(of: mark.style))
      }
      let isPlain = scalar.value &- 0x20 < 0x5F
      var columns = isPlain ? 1 : shown?.unicodeScalars.count ?? DisplayWidth.of(scalar)
      if scalar == "\t", expandsTabs { columns = 8 - column % 8 }
      if column + columns > limit {
        isFull = true
        if let cut {
          output.truncate(to: cut.size)
          style("0;" + codes)
        }
        output.append("…")
        return
      }
      if column + columns >= limit, cut == nil { cut = (output.count, column) }
      if isPlain {
        output.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if let shown {
        output.append(contentsOf: shown.utf8)
      } else if scalar == "\t", expandsTabs {
        for _ in 0..<columns { output.append(0x20) }
      } else {
        output.append(contentsOf: UTF8.encode(scalar)!)
      }
      column += columns
    }
    if open != nil { style("0;" + codes) }
  }

  /// The largest width of text that begins at a column.
  private func limit(from start: Int) -> Int? { width.map { Swift.max($0 - start, 8) } }

  /// The largest width of the text of a row; nil if rows of this kind are not cut.
  private func limit(of kind: ChangeStep.Kind) -> Int? {
    cutsChanges || kind == .same || kind == .departed ? limit(from: textColumn) : nil
  }

  private static func sign(of kind: ChangeStep.Kind) -> StaticString {
    switch kind {
    case .same: "  "
    case .changed: "~ "
    case .deleted: "- "
    case .departed: "< "
    case .inserted: "+ "
    case .arrived: "> "
    }
  }

  private static func codes(of kind: ChangeStep.Kind) -> String {
    switch kind {
    case .same: "2"
    case .changed: "33"
    case .deleted: "31"
    case .departed: "2;36"
    case .inserted: "32"
    case .arrived: "36"
    }
  }

  private static func codes(of style: StyledText.Style) -> String {
    switch style {
    case .label: "1"
    case .old: "1;31;7"
    case .new: "1;32;7"
    case .note: "2"
    }
  }
}
