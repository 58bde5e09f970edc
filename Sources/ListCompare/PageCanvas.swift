import ByteBuffers
import JSONBytes

/// A drawing as an HTML page without scripts or other files.
package struct PageCanvas: Canvas, ~Copyable {
  /// The drawn text that the caller has not removed yet.
  package var output = ByteBuffer()

  package var showsMarks: Bool { true }

  package var cellCount = 0

  private let summary: String
  private var isTableOpen = false

  /// Creates a page about a change. `summary` is shown at the top.
  package init(summary: String) { self.summary = summary }

  /// Draws the names of the files.
  package mutating func draw(old: String, new: String) {
    draw(title: old + " → " + new)
    output.append("<h1>")
    append(escaped: old)
    output.append(" <span aria-label=\"to\">→</span> ")
    append(escaped: new)
    output.append("</h1>\n<p>")
    append(escaped: summary)
    output.append("</p>\n")
  }

  private mutating func draw(title: String) {
    output.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
    output.append(PagePolicy.element(styles: PageStyle.hash))
    output.append(
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>")
    append(escaped: title)
    output.append("</title>\n<style>")
    output.append(PageStyle.sheet)
    output.append("</style></head><body>\n")
  }

  /// Draws the header of a hunk.
  package mutating func draw(hunk old: Range<Int>, _ new: Range<Int>, in function: [UInt8]?) {
    closeTable()
    output.append("<h2>" as StaticString)
    Unified.append(hunk: old, new, to: &output)
    if let function {
      output.append(" " as StaticString)
      function.withUnsafeBytes { output.append(page: StyledText($0)) }
    }
    output.append("</h2>\n" as StaticString)
  }

  /// Draws that rows are left out.
  package mutating func drawGap() {
    openTable()
    output.append("<tr class=\"gap\"><td colspan=\"\(max(cellCount, 1) + 3)\">⋮</td></tr>\n")
  }

  /// Draws that files differ that are not text.
  package mutating func draw(binary summary: String) {
    draw(title: summary)
    output.append("<p>")
    append(escaped: summary)
    output.append("</p>\n")
    draw(summary: summary)
  }

  /// Ends the drawing.
  package mutating func draw(summary: String) {
    closeTable()
    output.append("</body></html>\n")
  }

  private mutating func openTable() {
    if !isTableOpen {
      output.append(
        "<table><thead><tr><th scope=\"col\">old</th><th scope=\"col\">new</th><th scope=\"col\">")
      output.append("change</th><th scope=\"col\">row</th></tr></thead><tbody>\n")
    }
    isTableOpen = true
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
      output.append(cellCount > 1 ? "</td><td colspan=\"\(cellCount)\">" : "</td><td>")
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

  private mutating func append(escaped text: String) {
    output.append(page: StyledText(text))
  }
}

/// The common style of pages.
enum PageStyle {
  /// The class, sign and description of a kind of change.
  static func kind(_ kind: ChangeStep.Kind) -> (name: String, sign: String, word: String) {
    switch kind {
    case .same: ("same", "", "")
    case .changed: ("changed", "~", "changed")
    case .deleted: ("deleted", "−", "deleted")
    case .departed: ("departed", "⇢", "moved away")
    case .inserted: ("inserted", "+", "inserted")
    case .arrived: ("arrived", "⇠", "moved here")
    }
  }

  /// The SHA-256 hash of the style sheet.
  static let hash = "sha256-UkMIHMxMXhFkxsJn54qNEpB2QstUKPe+qEtfbaLfpyQ="

  static let sheet = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;
    --del:#ffebe9;--delmark:#ffb3ad;--ins:#dafbe1;--insmark:#8fe3a5;--chg:#fff8c5;--mov:#ddf4ff}
    @media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;
    --del:#3c1618;--delmark:#8b2c2f;--ins:#12331f;--insmark:#1f6f3a;--chg:#3a2f0b;--mov:#0c2d4a}}
    body{background:var(--bg);color:var(--fg);font:14px/1.45 system-ui,sans-serif;margin:1.5rem;
    max-width:110rem}
    h1{font-size:1.25rem;overflow-wrap:anywhere}h2{font:12px ui-monospace,monospace;
    color:var(--dim);margin:1.2rem 0 .3rem}p{color:var(--dim)}
    table{border-collapse:collapse;width:100%;border:1px solid var(--line);
    font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
    td{padding:0 .6em;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere}
    td:nth-child(-n+2){text-align:right;color:var(--dim);width:1%;white-space:nowrap;
    user-select:none}td:nth-child(3){width:1%;text-align:center;font-weight:bold}
    .deleted td{background:var(--del)}.inserted td{background:var(--ins)}
    .changed td{background:var(--chg)}.arrived td,.departed td{background:var(--mov)}
    .departed td:last-child{color:var(--dim)}.heading td{font-weight:bold}
    .gap td{color:var(--dim);text-align:left!important}
    del,ins{text-decoration:none;border-radius:2px}del{background:var(--delmark)}
    ins{background:var(--insmark)}i{color:var(--dim);font-style:normal}

    """
}

extension ByteBuffer {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends text to a page, with its highlighted ranges as elements.
  mutating func append(page text: StyledText) {
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
