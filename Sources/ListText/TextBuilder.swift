import ListDiff

/// What a row, a header or a footer holds, as far as a template may ask.
package protocol TextContent {
  /// Appends a member, or the one inside it that further names lead to; false where there is none.
  func append(_ member: [[UInt8]], to text: inout [UInt8]) -> Bool

  /// A member that is to be an integer within bounds; `nil` where it is absent.
  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger?
}

/// What a member says that is to be an integer within bounds.
package struct BoundedInteger: Hashable, Sendable {
  /// The integer, brought within the bounds; `nil` where the member is something else.
  package var value: Int?

  /// Whether it is as the member says.
  package var isExact: Bool

  package init(value: Int?, isExact: Bool) {
    self.value = value
    self.isExact = isExact
  }
}

/// What a template wants of a content and does not get.
package enum TextLack: Hashable, Sendable {
  /// A member that is missing.
  case missing([[UInt8]])

  /// A member that is no integer within bounds.
  case unbounded([UInt8], ClosedRange<Int>)
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

  /// How many empty lines a row of spacing may have.
  private static let emptyLines = 0...1000
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
  /// Calls `lacks` with all that the template wants and the content has not got.
  package mutating func add(
    _ content: some TextContent, _ template: Template, lacks: (TextLack) -> Void
  ) {
    append(content, template, RowMarks(), lacks)
  }

  /// Adds a row of the section begun last.
  ///
  /// Calls `lacks` with all that the template wants and the row has not got.
  package mutating func addRow(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    lacks: (TextLack) -> Void
  ) {
    text.rowCount += 1
    append(content, template, marks, lacks)
  }

  /// Adds a row of the section begun last that looks as a row of another text does.
  package mutating func addRow(sameAs row: Int, of other: RenderedText) {
    text.rowCount += 1
    let lines = other.lines(ofRow: row)
    let shift = text.bytes.count - other.lineOffsets[lines.lowerBound]
    text.bytes.append(contentsOf: other.bytes(ofLines: lines))
    for line in lines { text.lineOffsets.append(other.lineOffsets[line + 1] + shift) }
    text.endBlock()
  }

  private mutating func append(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    _ lacks: (TextLack) -> Void
  ) {
    if template == .spacing {
      let count = content.integer(Self.lines, within: Self.emptyLines)
      if let count, !count.isExact { lacks(.unbounded(Self.lines, Self.emptyLines)) }
      for _ in 0..<(count?.value ?? 1) { text.endLine() }
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
        if !content.append(member, to: &text.bytes) { lacks(.missing(member)) }
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
