import ByteBuffers
import JSONBytes

/// A drawing as an HTML page, which needs no other files. Its only script goes from one change to
/// the next.
///
/// A page begins with `head`, and ends with `tail`.
package struct PageCanvas: Canvas, ~Copyable {
  /// The drawn text that the caller has not removed yet.
  package var output = ByteBuffer()

  package var showsMarks: Bool { true }
  package var showsTables: Bool { true }

  package var columns: [String] = []

  private var isTableOpen = false

  /// The files of a page with several, with the counts of their changes.
  package private(set) var files: [(name: String, summary: String)] = []

  package init() {}

  /// The text before the drawing of two files or folders. `files` are the files below folders.
  package static func head(
    _ old: String, _ new: String, summary: String, files: [(name: String, summary: String)] = []
  ) -> ByteBuffer {
    var output = ByteBuffer()
    output.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
    output.append(
      PagePolicy.element(styles: PageStyle.sheetHash, scripts: PageStyle.scriptHash))
    output.append(
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>")
    output.append(escaped: old + " → " + new)
    output.append("</title>\n<style>")
    output.append(PageStyle.sheet)
    output.append("</style></head><body>\n<h1>")
    output.append(escaped: old)
    output.append(" <span aria-label=\"to\">→</span> ")
    output.append(escaped: new)
    output.append("</h1>\n")
    if !summary.isEmpty {
      output.append("<p>")
      output.append(escaped: summary)
      output.append("</p>\n")
    }
    guard files.count > 1 else { return output }
    output.append("<ul>\n")
    for (index, file) in files.enumerated() {
      output.append("<li><a href=\"#file\(index + 1)\">")
      output.append(escaped: file.name)
      output.append("</a> ")
      output.append(escaped: file.summary)
      output.append("</li>\n")
    }
    output.append("</ul>\n")
    return output
  }

  /// The text after the drawing.
  package static var tail: String { "<script>\(PageStyle.script)</script></body></html>\n" }

  /// Draws the name of one of several files, whose changes follow.
  package mutating func draw(file name: String, summary: String) {
    closeTable()
    files.append((name, summary))
    output.append("<h2 id=\"file\(files.count)\">")
    output.append(escaped: name)
    output.append("</h2>\n<p>")
    output.append(escaped: summary)
    output.append("</p>\n")
  }

  /// Draws a line about files whose contents are not compared.
  package mutating func draw(difference: String) {
    closeTable()
    output.append("<p class=\"changed\">")
    output.append(escaped: difference)
    output.append("</p>\n")
  }

  /// The names of two files are drawn by the caller.
  package mutating func draw(old: String, new: String) {}

  /// Draws that files differ that are not text.
  package mutating func draw(binary summary: String) { draw(difference: summary) }

  /// The summary is drawn by the caller.
  package mutating func draw(summary: String) { closeTable() }

  /// Draws the header of a hunk.
  package mutating func draw(hunk old: Range<Int>, _ new: Range<Int>, in function: [UInt8]?) {
    if isTableOpen { output.append("</tbody><tbody>\n") } else { openTable() }
    output.append("<tr><th scope=\"rowgroup\" colspan=\"\(width)\">")
    Unified.append(hunk: old, new, to: &output)
    if let function {
      output.append(" ")
      function.withUnsafeBytes { output.append(page: StyledText($0)) }
    }
    output.append("</th></tr>\n")
  }

  /// Draws that rows are left out.
  package mutating func drawGap() {
    openTable()
    output.append("<tr class=\"gap\"><td colspan=\"\(width)\">⋮</td></tr>\n")
  }

  /// The number of columns, with those for numbers and signs.
  private var width: Int { 3 + max(1, columns.count) }

  private mutating func openTable() {
    guard !isTableOpen else { return }
    isTableOpen = true
    output.append(columns.isEmpty ? "<table>" : "<table class=\"cells\">")
    output.append("<thead><tr>")
    for name in ["old", "new", "change"] {
      output.append("<th scope=\"col\"><span>\(name)</span></th>")
    }
    if columns.isEmpty { output.append("<th scope=\"col\"><span>row</span></th>") }
    for name in columns {
      output.append("<th scope=\"col\">")
      output.append(escaped: name)
      output.append("</th>")
    }
    output.append("</tr></thead><tbody>\n")
  }

  private mutating func closeTable() {
    if isTableOpen { output.append("</tbody></table>\n") }
    isTableOpen = false
  }

  /// Draws a row.
  package mutating func draw(_ row: DrawnRow) {
    openTable()
    let (name, sign, word) = PageStyle.kind(row.kind)
    output.append("<tr class=\"\(name)\(row.isHeading ? " heading" : "")\"><td>")
    if !row.isContinued, let number = row.numbers.old { output.append("\(number)") }
    output.append("</td><td>")
    if !row.isContinued, let number = row.numbers.new { output.append("\(number)") }
    output.append("</td><td>")
    if !row.isContinued, row.kind != .same {
      output.append("<span title=\"\(word)\" aria-label=\"\(word)\">\(sign)</span>")
    }
    for cell in row.cells {
      output.append("</td><td>")
      output.append(page: cell)
    }
    if row.cells.isEmpty {
      output.append(columns.isEmpty ? "</td><td>" : "</td><td colspan=\"\(columns.count)\">")
      if row.isHeading { output.append("§ ") }
      output.append(page: row.text)
    }
    output.append("</td></tr>\n")
  }

  /// Draws rows without highlighted ranges.
  package mutating func draw(
    _ kind: ChangeStep.Kind, _ numbers: RowNumbers, lines: UnsafeRawBufferPointer
  ) {
    var numbers = numbers
    lines.forEachLine { line in
      draw(DrawnRow(kind: kind, numbers: numbers, text: StyledText(line)))
      numbers = numbers.next
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends text to a page.
  fileprivate mutating func append(escaped text: String) { append(page: StyledText(text)) }

  /// Appends text to a page, with its highlighted ranges as elements.
  fileprivate mutating func append(page text: StyledText) {
    var marks = text.marks[...]
    var open: StyledText.Mark?
    DisplayText.forEachCharacter(of: text.bytes) { scalar, shown, offset in
      if let mark = open, offset >= mark.range.upperBound {
        append("</\(Self.element(mark.style))>" as String)
        open = nil
      }
      if open == nil, let mark = marks.first, offset >= mark.range.lowerBound {
        marks.removeFirst()
        open = mark
        append("<\(Self.element(mark.style))>" as String)
      }
      switch scalar {
      case "&": append("&amp;" as StaticString)
      case "<": append("&lt;" as StaticString)
      case ">": append("&gt;" as StaticString)
      case "\"": append("&quot;" as StaticString)
      default: append(shown ?? String(scalar))
      }
    }
    if let mark = open { append("</\(Self.element(mark.style))>" as String) }
  }

  private static func element(_ style: StyledText.Style) -> String {
    switch style {
    case .label: "b"
    case .old: "del"
    case .new: "ins"
    case .note: "i"
    }
  }
}
