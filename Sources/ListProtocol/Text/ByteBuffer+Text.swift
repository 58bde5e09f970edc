import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListState
import ListText

extension ByteBuffer {
  /// Appends edits as an array of LSP text edits.
  mutating func append(_ edits: [LineEdit], of new: RenderedText) {
    append(0x5B)
    for (index, edit) in edits.enumerated() {
      append(
        index == 0 ? "{\"range\":{\"start\":{\"line\":" : ",{\"range\":{\"start\":{\"line\":")
      append(decimal: edit.old.lowerBound)
      append(",\"character\":0},\"end\":{\"line\":")
      append(decimal: edit.old.upperBound)
      append(",\"character\":0}},\"newText\":")
      append(lines: edit.new, of: new)
      append(0x7D)
    }
    append(0x5D)
  }

  /// Appends lines of a text as a string.
  mutating func append(lines: Range<Int>, of text: RenderedText) {
    append(0x22)
    text.forEachPart(ofLines: lines) { part in
      part.withUnsafeBytes { append(jsonStringBody: $0) }
    }
    append(0x22)
  }

  /// Appends the member `moves`.
  mutating func append(_ moves: [LineMove]) {
    append(list: "moves", moves.count) { index, out in
      out.append("{")
      out.append(member: "from", moves[index].from)
      out.append(member: "to", moves[index].to)
      out.append(member: "count", moves[index].count)
      out.append(0x7D)
    }
  }

  /// Appends the member `spans` of some lines of a text.
  mutating func append(spansOf lines: [Range<Int>], of text: RenderedText, _ unit: OffsetUnit) {
    let spans = lines.flatMap { text.spans(ofLines: $0) }
    var offsets = LineOffsets(text, unit)
    append(list: "spans", spans.count) { index, out in
      out.append(spans[index], &offsets)
      out.append(member: "group")
      spans[index].group.withUnsafeBytes { out.append(string: $0) }
      out.append(0x7D)
    }
  }

  /// Appends the opening brace and the position of a span. Its line is counted from `firstLine` on.
  mutating func append(_ span: TextSpan, _ offsets: inout LineOffsets, firstLine: Int = 0) {
    let range = offsets.range(of: span)
    append("{")
    append(member: "line", firstLine + span.line)
    append(member: "start", range.lowerBound)
    append(member: "end", range.upperBound)
  }

  /// Appends the text revisions before and after and the line of the cursor.
  mutating func append(revisionsOf text: TextChange) {
    append(member: "baseTextRevision", text.baseRevision)
    append(member: "textRevision", text.revision)
    append(cursorLine: text.cursorLine)
  }

  /// Appends the line of the cursor.
  mutating func append(cursorLine line: Int?) {
    append(member: "cursorLine")
    if let line { append(decimal: line) } else { append("null") }
  }

  /// Appends the member `selectedLines`.
  ///
  /// - Complexity: O(*r* log *n*), where *r* is the number of ranges of selected rows and *n* the
  ///   number of rows.
  mutating func append(selectedLinesOf page: TextPage?) {
    var lines: [Range<Int>] = []
    let page = page ?? TextPage()
    for run in page.selection {
      let first = page.text.firstRow(ofSection: run.at.section) + run.at.row
      let rows = first..<first + run.count
      let range = page.text.lines(ofRows: rows, inSection: run.at.section)
      if let last = lines.last, last.upperBound == range.lowerBound {
        lines[lines.count - 1] = last.lowerBound..<range.upperBound
      } else if !range.isEmpty {
        lines.append(range)
      }
    }
    append(list: "selectedLines", lines.count) { $1.append(bounds: lines[$0]) }
  }

  /// Appends the bounds of a range as an array.
  mutating func append(bounds range: Range<Int>) {
    append(0x5B)
    append(decimal: range.lowerBound)
    append(0x2C)
    append(decimal: range.upperBound)
    append(0x5D)
  }
}

extension ListService {
  /// Appends edits of a text, and the other members beside them that `options` ask for.
  func append(
    _ difference: TextDifference, of new: RenderedText, _ options: TextOptions,
    to out: inout ByteBuffer
  ) {
    out.append(difference.edits, of: new)
    out.append(options.moves ? difference.moves : [])
    if options.spans { out.append(spansOf: difference.edits.map(\.new), of: new, options.unit) }
  }
}
