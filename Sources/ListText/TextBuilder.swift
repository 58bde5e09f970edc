import ListDiff

/// What a row, a header or a footer holds, as far as a template may ask.
package protocol TextContent {
  /// Appends a member, or the one inside it that further names lead to; false where there is none.
  func append(_ member: [[UInt8]], to text: inout [UInt8]) -> Bool

  /// A member that is an integer.
  func integer(_ member: [UInt8]) -> Int?
}

/// How a row is marked for a person.
package struct RowMarks: Hashable, Sendable {
  package var isSelected: Bool
  package var hasCursor: Bool

  package init(isSelected: Bool = false, hasCursor: Bool = false) {
    self.isSelected = isSelected
    self.hasCursor = hasCursor
  }
}

/// Makes the text of a list, block by block: of each section the header, the rows and the footer.
package struct TextBuilder {
  private var text = RenderedText()

  /// The most empty lines that a row of spacing has.
  private static let mostEmptyLines = 1000
  private static let lines = Array("lines".utf8)

  package init() {}

  /// Begins a section; its header is the next block.
  package mutating func beginSection() {
    text.rowStarts[text.rowStarts.count - 1] = text.rowCount
    text.rowStarts.append(text.rowCount)
  }

  /// Adds a header or a footer that is not there.
  package mutating func addNothing() { text.endBlock() }

  /// Adds a header or a footer.
  ///
  /// Calls `missing` with every member that the template names and the content has not got.
  package mutating func add(
    _ content: some TextContent, _ template: Template, missing: ([[UInt8]]) -> Void
  ) {
    append(content, template, RowMarks(), missing)
  }

  /// Adds a row of the section begun last.
  ///
  /// Calls `missing` with every member that the template names and the row has not got.
  package mutating func addRow(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    missing: ([[UInt8]]) -> Void
  ) {
    text.rowCount += 1
    append(content, template, marks, missing)
  }

  private mutating func append(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    _ missing: ([[UInt8]]) -> Void
  ) {
    if template == .spacing {
      let count = content.integer(Self.lines) ?? 1
      for _ in 0..<max(0, min(Self.mostEmptyLines, count)) { text.endLine() }
      return text.endBlock()
    }
    for piece in template.pieces {
      let start = text.bytes.count
      switch piece {
      case .words(let words): text.bytes.append(contentsOf: words)
      case .selected(let yes, let no):
        text.bytes.append(contentsOf: marks.isSelected ? yes : no)
      case .cursor(let yes, let no): text.bytes.append(contentsOf: marks.hasCursor ? yes : no)
      case .member(let member):
        if !content.append(member, to: &text.bytes) { missing(member) }
      case .emptyLines: continue
      }
      text.breakLines(from: start)
    }
    text.endLine()
    text.endBlock()
  }

  /// The text of all that was added.
  package consuming func finish() -> RenderedText {
    text.rowStarts[text.rowStarts.count - 1] = text.rowCount
    return text
  }
}
