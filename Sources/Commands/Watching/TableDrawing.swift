import Terminals

/// Draws a page of a live table.
struct TableDrawing {
  let colors: TerminalColors
  let places: [TableLayout.Place]
  let definition: LiveLists.Definition

  /// The first column of the screen after the marks.
  private var gutter: Int { places.first?.x ?? 0 }

  /// Draws the titles of the columns.
  func drawTitles(on frame: inout Frame, _ y: Int) {
    let style = CellStyle(nil, bold: true, underlined: true)
    frame.fill(0..<frame.width, y, CellStyle(nil, underlined: true))
    for place in places {
      let isSorted = definition.sortedBy == place.column.member
      let sign = isSorted ? definition.isDescending ? "▼" : "▲" : ""
      write(place.column.title + sign, in: place, on: &frame, y, style)
    }
  }

  /// Draws lines from a row of the frame on.
  func draw(_ page: TablePage, _ marks: RowMarks, on frame: inout Frame, from y: Int) {
    for (index, line) in page.lines.enumerated() {
      switch line {
      case .heading(let title):
        let style = CellStyle(nil, bold: true, underlined: true)
        frame.write(title, at: 0, y + index, style, isCut: true)
      case .row(let row): draw(row, marks, on: &frame, y + index)
      case .gone(let content):
        let style = CellStyle(.gone, dim: true)
        drawGutter("-", nil, on: &frame, y + index, style)
        for place in places {
          write(content.cell(place.column.path), in: place, on: &frame, y + index, style)
        }
      }
    }
  }

  private func draw(_ row: TablePage.Row, _ marks: RowMarks, on frame: inout Frame, _ y: Int) {
    var style = CellStyle(nil, bold: row.hasCursor)
    let origin = marks.origin(of: row.path)
    switch origin {
    case .here: drawGutter("", row, on: &frame, y, style)
    case .moved(let count):
      let arrow = count > 0 ? "↑" : "↓"
      drawGutter(arrow + Self.short(abs(count)), row, on: &frame, y, CellStyle(.moved))
    case .elsewhere: drawGutter("↕", row, on: &frame, y, CellStyle(.moved))
    case .nowhere:
      style.foreground = .new
      drawGutter("+", row, on: &frame, y, style)
    }
    for place in places {
      let age = origin == .nowhere ? nil : marks.age(of: place.column.member, in: row.identity)
      let text = row.content.cell(place.column.path)
      // A value that has become empty is visible, too.
      write(
        text.isEmpty && age == 0 ? " " : text, in: place, on: &frame, y,
        age.map { self.style(changed: $0, style) } ?? style)
    }
  }

  private func drawGutter(
    _ sign: String, _ row: TablePage.Row?, on frame: inout Frame, _ y: Int, _ style: CellStyle
  ) {
    let width = gutter
    guard width > 0 else { return }
    let mark = row?.isMarked == true ? "*" : nil
    if row?.hasCursor == true { frame.write(">", at: 0, y, CellStyle(.marked, bold: true)) }
    if let mark, width > 1 || row?.hasCursor != true {
      frame.write(mark, at: min(1, width - 1), y, CellStyle(.marked, bold: true))
    }
    if width > 2 {
      frame.write(sign, at: 2, y, before: width - 1, style)
    } else if mark == nil, let first = sign.first, width > 1 || row?.hasCursor != true {
      frame.write(String(first), at: width - 1, y, before: width, style)
    }
  }

  /// Writes a value in its column, without line ends.
  private func write(
    _ text: String, in place: TableLayout.Place, on frame: inout Frame, _ y: Int,
    _ style: CellStyle
  ) {
    let width = place.isNumeric ? Frame.columns(of: text) : 0
    let x = place.isNumeric ? max(place.x, place.columns.upperBound - width) : place.x
    frame.write(text, at: x, y, before: place.columns.upperBound, style, isCut: true)
  }

  /// The style of a cell that changed some ticks ago.
  private func style(changed age: Int, _ style: CellStyle) -> CellStyle {
    var style = style
    guard colors != .none else {
      if age == 0 { style.isReversed = true } else { style.isBold = age == 1 }
      return style
    }
    switch age {
    case 0: (style.foreground, style.background) = (.ink, .changed)
    case 1: (style.foreground, style.isBold) = (.changed, true)
    default: style.foreground = .fading
    }
    return style
  }

  /// A number in at most three characters.
  private static func short(_ number: Int) -> String {
    if number < 1000 { return "\(number)" }
    return number < 100_000 ? "\(number / 1000)k" : "++"
  }
}

extension CellStyle.Color {
  // Colours that can be read on dark and on light terminals.
  static let changed = Self(214, or: 3)
  static let fading = Self(137, or: 3)
  static let ink = Self(16, or: 0)
  static let new = Self(34, or: 2)
  static let gone = Self(167, or: 1)
  static let moved = Self(37, or: 6)
  static let marked = Self(170, or: 5)
}
