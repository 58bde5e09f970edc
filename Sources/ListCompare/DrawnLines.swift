import ByteBuffers

/// The lines of two texts, displayed as they are.
struct DrawnLines: DrawnRows {
  private var old: LineCursor
  private var new: LineCursor
  private var functions: FunctionNames?
  private let driver: () -> FunctionDriver?

  init(_ lines: LineComparison, _ driver: @escaping () -> FunctionDriver? = { nil }) {
    self.driver = driver
    old = LineCursor(lines.old, lines.rows.old)
    new = LineCursor(lines.new, lines.rows.new)
  }

  mutating func function(atOld row: Int) -> [UInt8]? {
    guard row > 0 else { return nil }
    let end = old.range(ofLine: row - 1).upperBound
    var functions = functions ?? FunctionNames(fileName: new.file.name, driver())
    defer { self.functions = functions }
    return old.file.content.withBytes { functions.name(before: end, in: $0) }
  }

  func number(ofOld row: Int) -> Int? { row + 1 + old.file.linesBefore }
  func number(ofNew row: Int) -> Int? { row + 1 + new.file.linesBefore }

  mutating func texts(ofOld row: Int) -> [StyledText] { Self.texts(of: row, &old) }
  mutating func texts(ofNew row: Int) -> [StyledText] { Self.texts(of: row, &new) }
  mutating func texts(ofChange old: Int, _ new: Int) -> [StyledText] { texts(ofNew: new) }

  mutating func withPlainLines(
    ofOld rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    Self.withPlainLines(of: rows, &old, body)
  }

  mutating func withPlainLines(
    ofNew rows: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    Self.withPlainLines(of: rows, &new, body)
  }

  private static func withPlainLines(
    of rows: Range<Int>, _ side: inout LineCursor, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    let start = side.range(ofLine: rows.lowerBound).lowerBound
    let last = side.range(ofLine: rows.upperBound - 1)
    return side.file.content.withBytes { text in
      // Only the last line of a text can lack a line feed.
      let isWhole = text[last.upperBound - 1] == 0x0A
      let end = isWhole ? last.upperBound : last.lowerBound
      if end > start { body(UnsafeRawBufferPointer(rebasing: text[start..<end])) }
      return rows.count - (isWhole ? 0 : 1)
    }
  }

  private static func texts(of row: Int, _ side: inout LineCursor) -> [StyledText] {
    let range = side.range(ofLine: row)
    return side.file.content.withBytes { text in
      let line = UnsafeRawBufferPointer(rebasing: text[range])
      if line.last == 0x0A {
        return [StyledText(UnsafeRawBufferPointer(rebasing: line.dropLast()))]
      }
      return [StyledText(line), StyledText(Unified.missingNewline, .note)]
    }
  }
}

/// Finds lines by number. The next line, and compared lines, are found quickly.
struct LineCursor {
  let file: ComparedFile
  private let rows: TextRows.Side

  /// The line that was found last, and its range.
  private var line = -1
  private var range = 0..<0

  init(_ file: ComparedFile, _ rows: TextRows.Side) {
    self.file = file
    self.rows = rows
  }

  /// The bytes of a line, with its line feed.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes between the line and the nearest of: the
  ///   line that was found last, the compared lines, the ends of the text.
  mutating func range(ofLine wanted: Int) -> Range<Int> {
    file.content.withBytes { text in
      if line != wanted, line < 0 || wanted != line + 1 { jump(to: wanted, in: text) }
      while line < wanted {
        let start = range.upperBound
        range =
          start..<(Bytes.firstIndex(of: 0x0A, in: text, from: start).map { $0 + 1 } ?? text.count)
        line += 1
      }
      return range
    }
  }

  /// Moves to the start of a line at or before `wanted`.
  private mutating func jump(to wanted: Int, in text: UnsafeRawBufferPointer) {
    let row = min(max(0, wanted - rows.linesBefore), rows.count)
    let near = (line: row + rows.linesBefore, start: Int(rows.starts[row]))
    // The last known line at or before the wanted one, and the first one at or after it.
    var low = near.line <= wanted ? near : (line: 0, start: 0)
    let high = near.line >= wanted ? near : (line: rows.lineCount, start: text.count)
    if line > low.line, line < wanted { low = (line, range.lowerBound) }
    var start = low.start
    line = low.line - 1
    if wanted - low.line > high.line - wanted {
      start = high.start
      for _ in wanted..<high.line {
        start = Bytes.lastIndex(of: 0x0A, in: text, before: start - 1).map { $0 + 1 } ?? 0
      }
      line = wanted - 1
    }
    range = start..<start
  }
}
