import JSONBytes
import ListText

/// What a terminal shows: rows of cells.
package struct Frame: Sendable {
  /// A column of a row.
  package struct Cell: Hashable, Sendable {
    /// A character and those that combine with it; empty for the second column of a wide character.
    package var text = " "
    package var style = CellStyle()

    static let blank = Cell()
  }

  package let width: Int
  package let height: Int

  /// The cells, row by row.
  package private(set) var cells: [Cell]

  /// The position of the terminal's cursor; nil if it is hidden.
  package var cursor: (x: Int, y: Int)?

  /// The number of combining characters that one cell takes; the others are dropped.
  private static let mostCombining = 8

  /// Creates a blank frame.
  ///
  /// - Precondition: The sizes are not negative.
  package init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0)
    self.width = width
    self.height = height
    cells = Array(repeating: .blank, count: width * height)
  }

  /// The cell in a column of a row.
  package subscript(x: Int, y: Int) -> Cell { cells[y * width + x] }

  /// The cells of a row.
  package func row(_ y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

  /// The characters of a row, without the blanks at its end.
  package func text(ofRow y: Int) -> String {
    var text = row(y).map { $0.text }.joined()
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// Writes a text from a column on, and returns the column after it.
  ///
  /// What does not fit before the column `end` (the width) is dropped. If `isCut`, its last column
  /// becomes an ellipsis then. Control characters and other characters that are not shown as
  /// themselves are escaped. Positions outside the frame are ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the number of characters that fit.
  @discardableResult
  package mutating func write(
    _ text: some StringProtocol, at x: Int, _ y: Int, before end: Int? = nil,
    _ style: CellStyle = CellStyle(), isCut: Bool = false
  ) -> Int {
    let end = min(end ?? width, width)
    guard y >= 0, y < height, x >= 0, x < end else { return x }
    var column = x
    var combining = 0
    for scalar in text.unicodeScalars {
      if Self.isDropped(scalar) { continue }
      if scalar != "\t", let escape = scalar.printableEscape {
        for part in escape.unicodeScalars {
          guard put(String(part), columns: 1, at: &column, y, before: end, style) else {
            return cut(isCut: isCut, from: column, y, before: end, style)
          }
        }
        combining = 0
        continue
      }
      let columns = scalar == "\t" ? 1 : DisplayWidth.of(scalar)
      if columns == 0 {
        combining += 1
        if column > x, combining <= Self.mostCombining { combine(scalar, before: column, y) }
        continue
      }
      combining = 0
      let text = scalar == "\t" ? " " : String(scalar)
      guard put(text, columns: columns, at: &column, y, before: end, style) else {
        return cut(isCut: isCut, from: column, y, before: end, style)
      }
    }
    return column
  }

  /// Fills the columns of a row with blanks of a style.
  package mutating func fill(_ columns: Range<Int>, _ y: Int, _ style: CellStyle) {
    guard y >= 0, y < height else { return }
    for x in columns.clamped(to: 0..<width) { set(Cell(text: " ", style: style), x, y) }
  }

  /// The number of columns that a text takes in a frame.
  package static func columns(of text: some StringProtocol) -> Int {
    var columns = 0
    for scalar in text.unicodeScalars where !isDropped(scalar) {
      if scalar == "\t" {
        columns += 1
      } else if let escape = scalar.printableEscape {
        columns += escape.utf8.count
      } else {
        columns += DisplayWidth.of(scalar)
      }
    }
    return columns
  }

  /// Divides a text into lines that fit in a number of columns. Line ends in it end lines.
  package static func lines(of text: some StringProtocol, width: Int) -> [String] {
    var lines = [""]
    var columns = 0
    for character in text {
      let width = max(1, width)
      let taken = character.isNewline ? 0 : self.columns(of: String(character))
      if character.isNewline || columns + taken > width, columns > 0 || character.isNewline {
        lines.append("")
        columns = 0
      }
      if !character.isNewline { lines[lines.count - 1].append(character) }
      columns += taken
    }
    return lines
  }

  /// Whether a character is not drawn: joiners and variation selectors change the width of their
  /// neighbours in some terminals and not in others.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE00...0xFE0F: true
    default: false
    }
  }

  private mutating func put(
    _ text: String, columns: Int, at column: inout Int, _ y: Int, before end: Int,
    _ style: CellStyle
  ) -> Bool {
    guard column + columns <= end else { return false }
    set(Cell(text: text, style: style), column, y)
    if columns == 2 {
      // A wide character whose first column was overwritten is erased with it.
      set(Cell(text: "", style: style), column + 1, y)
    }
    column += columns
    return true
  }

  private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
    let index = y * width + x
    if cells[index].text.isEmpty, !cell.text.isEmpty, x > 0 { cells[index - 1].text = " " }
    if x + 1 < width, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    cells[index] = cell
  }

  private mutating func combine(_ scalar: Unicode.Scalar, before column: Int, _ y: Int) {
    var index = y * width + column - 1
    if cells[index].text.isEmpty { index -= 1 }
    cells[index].text.unicodeScalars.append(scalar)
  }

  /// Replaces the last columns of a text that did not fit by an ellipsis.
  private mutating func cut(
    isCut: Bool, from column: Int, _ y: Int, before end: Int, _ style: CellStyle
  ) -> Int {
    guard isCut else { return column }
    if column < end { fill(column..<end, y, style) }
    set(Cell(text: "…", style: style), end - 1, y)
    return end
  }
}
