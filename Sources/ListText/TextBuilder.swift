import ListDiff

/// The content of a row, a header or a footer, as it is accessible to a template.
package protocol TextContent {
  /// Appends a member, or the nested one with the given path. Returns false if there is none.
  func append(_ member: [[UInt8]], to text: inout [UInt8]) -> Bool

  /// Returns the ranges of a member's text, in bytes, that a query has matched, in ascending order.
  func matches(of member: [[UInt8]]) -> [Range<Int>]

  /// Returns a Boolean member, or `nil` if the member is not a Boolean.
  func boolean(_ member: [UInt8]) -> Bool?

  /// Returns a member that must be an integer within bounds, or `nil` if it is absent.
  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger?
}

extension TextContent {
  /// Returns no ranges.
  package func matches(of member: [[UInt8]]) -> [Range<Int>] { [] }
}

/// The value of a member that must be an integer within bounds.
package struct BoundedInteger: Hashable, Sendable {
  /// The integer, clamped to the bounds, or `nil` if the member is not an integer.
  package var value: Int?

  /// Whether the value was not changed by clamping.
  package var isExact: Bool

  package init(value: Int?, isExact: Bool) {
    self.value = value
    self.isExact = isExact
  }
}

/// A member that a template requires and a content does not have.
package enum ContentIssue: Hashable, Sendable {
  /// The member is missing.
  case missing([[UInt8]])

  /// The member is not an integer within bounds.
  case unbounded([UInt8], ClosedRange<Int>)
}

/// Whether a row is selected and has the cursor.
package struct RowMarks: Hashable, Sendable {
  package var isSelected: Bool
  package var hasCursor: Bool

  package init(isSelected: Bool = false, hasCursor: Bool = false) {
    self.isSelected = isSelected
    self.hasCursor = hasCursor
  }
}

/// Builds the text of a list, block by block: the header, the rows and the footer of each section.
package struct TextBuilder {
  private var text = RenderedText()

  /// The rows that were copied from another text.
  package private(set) var same: [EqualRows] = []

  /// The possible numbers of empty lines of a spacing row.
  private static let emptyLines = 0...1000
  private static let lines = Array("lines".utf8)

  /// The possible numbers of levels of indentation.
  private static let indentedLevels = 0...1000
  private static let level = Array("$level".utf8)
  private static let expanded = Array("$expanded".utf8)

  /// Whether highlight groups are recorded as spans.
  private let keepsSpans: Bool

  package init(keepsSpans: Bool = true) { self.keepsSpans = keepsSpans }

  /// Begins a section. Its header is the next block.
  package mutating func beginSection() {
    text.rowStarts[text.rowStarts.count - 1] = text.rowCount
    text.rowStarts.append(text.rowCount)
  }

  /// Adds a missing header or footer, which has no lines.
  package mutating func addEmptyBlock() { text.endBlock() }

  /// Adds a header or a footer.
  ///
  /// Calls `lacks` for each member that the template requires and the content does not have.
  package mutating func add(
    _ content: some TextContent, _ template: Template, lacks: (ContentIssue) -> Void
  ) {
    append(content, template, RowMarks(), lacks)
  }

  /// Adds a row to the last section.
  ///
  /// Calls `lacks` for each member that the template requires and the row does not have.
  package mutating func addRow(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    lacks: (ContentIssue) -> Void
  ) {
    text.rowCount += 1
    append(content, template, marks, lacks)
  }

  /// Adds rows to the last section that are equal to consecutive rows of a section of another text.
  ///
  /// - Complexity: O(*b* + log *s*), where *b* is the number of bytes and rows that are added and
  ///   *s* the number of sections.
  package mutating func addRows(sameAs rows: Range<Int>, of other: RenderedText) {
    text.rowCount += rows.count
    let first = other.block(ofRow: rows.lowerBound, in: other.section(ofRow: rows.lowerBound))
    same.append(
      EqualRows(old: first, new: text.blockStarts.count - 1, count: rows.count))
    let starts = other.blockStarts.span.extracting(first..<first + rows.count + 1)
    let lines = Int(starts[0])..<Int(starts[rows.count])
    let moved = text.bytes.count - other.lineOffsets[lines.lowerBound]
    let shift = Int32(truncatingIfNeeded: text.lineCount) - starts[0]
    for var span in other.spans(ofLines: lines) {
      span.line += Int(shift)
      text.spans.append(span)
    }
    text.bytes.append(contentsOf: other.bytes(ofLines: lines))
    let offsets = other.lineOffsets.span.extracting(lines)
    let end = other.lineOffsets[lines.upperBound]
    text.lineOffsets.append(addingCapacity: lines.count) { added in
      for line in 0..<offsets.count {
        added.append((line + 1 < offsets.count ? offsets[line + 1] : end) + moved)
      }
    }
    text.blockStarts.append(addingCapacity: rows.count) { added in
      for row in 0..<rows.count { added.append(starts[row + 1] + shift) }
    }
  }

  private mutating func append(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    _ lacks: (ContentIssue) -> Void
  ) {
    if template == .spacing {
      let count = content.integer(Self.lines, within: Self.emptyLines)
      if let count, !count.isExact { lacks(.unbounded(Self.lines, Self.emptyLines)) }
      for _ in 0..<(count?.value ?? 1) { text.endLine() }
      return text.endBlock()
    }
    let spanCount = text.spans.count
    for piece in template.pieces {
      let start = text.bytes.count
      switch piece {
      case .words(let words, let group):
        guard keepsSpans, let group else {
          text.bytes.append(contentsOf: words)
          break
        }
        var column = Column.plain
        column.group = group
        text.append(words, in: column, matches: [])
        continue
      case .selected(let yes, let no):
        text.bytes.append(contentsOf: marks.isSelected ? yes : no)
      case .cursor(let yes, let no): text.bytes.append(contentsOf: marks.hasCursor ? yes : no)
      case .member(let member, var column):
        if !keepsSpans { column.group = nil }
        if !content.append(member, to: &text.bytes) { lacks(.missing(member)) }
        let matches = content.matches(of: member)
        if column != .plain || !matches.isEmpty {
          let value = Array(text.bytes[start...])
          text.bytes.removeSubrange(start...)
          text.append(value, in: column, matches: matches)
          continue
        }
      case .indent(let words):
        let level = content.integer(Self.level, within: Self.indentedLevels)?.value ?? 0
        for _ in 0..<level { text.bytes.append(contentsOf: words) }
      case .expanded(let yes, let no, let leaf):
        let isExpanded = content.boolean(Self.expanded)
        text.bytes.append(contentsOf: isExpanded.map { $0 ? yes : no } ?? leaf)
      case .emptyLines: continue
      }
      text.breakLines(from: start)
    }
    if text.spans.count - spanCount > 1 { text.spans[spanCount...].sort(by: <) }
    text.endLine()
    text.endBlock()
  }

  /// Returns the text.
  package consuming func finish() -> RenderedText {
    text.rowStarts[text.rowStarts.count - 1] = text.rowCount
    return text
  }
}
