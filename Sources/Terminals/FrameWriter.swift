import ByteBuffers

/// Writes frames to a terminal: of each frame, what differs from the one before.
package struct FrameWriter: Sendable {
  private let colors: TerminalColors
  private var shown: Frame?

  /// Whether the frame is a part of the terminal, in which the cursor is moved by rows.
  private let isRelative: Bool

  /// The row of the frame that has the terminal's cursor.
  package private(set) var row = 0

  /// Creates a writer for a terminal whose content is unknown. If it `isRelative`, the terminal's cursor
  /// is in the first row of the frame.
  package init(colors: TerminalColors, isRelative: Bool = false) {
    self.colors = colors
    self.isRelative = isRelative
  }

  /// Forgets what the terminal shows, whose cursor is in a row of the frame. The next frame is written whole.
  package mutating func forget(at row: Int = 0) {
    shown = nil
    self.row = row
  }

  /// Runs of unchanged cells up to this length are written again, because moving the cursor is not
  /// shorter.
  private static let shortRun = 6

  /// Appends what makes the terminal show a frame. Appends nothing if it shows it already.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cells.
  package mutating func append(_ frame: Frame, to output: inout ByteBuffer) {
    var old = Frame(width: frame.width, height: frame.height)
    let isNew = shown.map { $0.width != frame.width || $0.height != frame.height } ?? true
    if isNew {
      output.append("\u{1B}[?25l\u{1B}[0m")
      if isRelative {
        move(0, 0, &output)
        output.append("\u{1B}[J")
      } else {
        output.append("\u{1B}[H\u{1B}[2J")
      }
    } else if let shown {
      old = shown
    }
    let isHidden = isNew || shown?.cursor == nil
    var pen = Pen(colors)
    let start = output.count
    for y in 0..<frame.height where old.row(y) != frame.row(y) {
      // A cursor that is drawn where text is written would flicker.
      if output.count == start, !isHidden { output.append("\u{1B}[?25l") }
      write(frame, y, over: old, &pen, to: &output)
    }
    pen.use(CellStyle(), &output)
    let wasDrawn = output.count > start
    if let cursor = frame.cursor {
      let old = isHidden || wasDrawn ? nil : shown?.cursor
      if old?.x != cursor.x || old?.y != cursor.y { move(cursor.x, cursor.y, &output) }
      if isHidden || wasDrawn { output.append("\u{1B}[?25h") }
    } else if !isHidden, !wasDrawn {
      output.append("\u{1B}[?25l")
    }
    shown = frame
  }

  /// Appends the rows of a frame as lines, without the blanks at their ends.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cells.
  package func append(linesOf frame: Frame, to output: inout ByteBuffer) {
    var pen = Pen(colors)
    for y in 0..<frame.height {
      let cells = frame.row(y)
      let end =
        (cells.lastIndex { $0.text != " " || !$0.style.isPlain } ?? cells.startIndex - 1) + 1
      for cell in cells[..<end] {
        pen.use(cell.style, &output)
        output.append(contentsOf: cell.text.utf8)
      }
      pen.use(CellStyle(), &output)
      output.append("\n")
    }
  }

  private mutating func write(
    _ frame: Frame, _ y: Int, over old: Frame, _ pen: inout Pen, to output: inout ByteBuffer
  ) {
    let (cells, before) = (Array(frame.row(y)), Array(old.row(y)))
    // Blanks at the end of a row are erased.
    let end = (cells.lastIndex { $0.text != " " || !$0.style.isPlain } ?? -1) + 1
    var x = 0
    var position: Int?
    while x < end {
      guard cells[x] != before[x] else {
        x += 1
        continue
      }
      // The first column of a wide character is written with the second one.
      if cells[x].text.isEmpty, x > 0 { x -= 1 }
      if let last = position, x - last <= Self.shortRun, x > last,
        cells[last..<x].allSatisfy({ $0.text.utf8.count == 1 })
      {
        x = last
      } else if position != x {
        move(x, y, &output)
      }
      pen.use(cells[x].style, &output)
      output.append(contentsOf: cells[x].text.utf8)
      let isPlain = cells[x].text.utf8.count == 1
      x += x + 1 < cells.count && cells[x + 1].text.isEmpty ? 2 : 1
      // Terminals disagree about the width of other characters than ASCII.
      position = isPlain ? x : nil
    }
    guard end < cells.count, before[end...].contains(where: { $0 != .blank }) else { return }
    if position != end { move(end, y, &output) }
    pen.use(CellStyle(), &output)
    output.append("\u{1B}[K")
  }

  private mutating func move(_ x: Int, _ y: Int, _ output: inout ByteBuffer) {
    defer { row = y }
    guard !isRelative else {
      output.append("\r")
      if y != row {
        output.append("\u{1B}[")
        output.append(decimal: abs(y - row))
        output.append(y < row ? "A" : "B")
      }
      if x > 0 {
        output.append("\u{1B}[")
        output.append(decimal: x)
        output.append("C")
      }
      return
    }
    output.append("\u{1B}[")
    output.append(decimal: y + 1)
    if x > 0 {
      output.append(";")
      output.append(decimal: x + 1)
    }
    output.append("H")
  }
}

/// The style in which a terminal writes.
private struct Pen {
  private let colors: TerminalColors
  private var style = CellStyle()

  init(_ colors: TerminalColors) { self.colors = colors }

  mutating func use(_ new: CellStyle, _ output: inout ByteBuffer) {
    guard new != style else { return }
    style = new
    output.append("\u{1B}[0")
    if new.isBold { output.append(";1") }
    if new.isDim { output.append(";2") }
    if new.isUnderlined { output.append(";4") }
    if new.isReversed { output.append(";7") }
    append(new.foreground, 30, &output)
    append(new.background, 40, &output)
    output.append("m")
  }

  private func append(_ color: CellStyle.Color?, _ base: Int, _ output: inout ByteBuffer) {
    guard let color, colors != .none else { return }
    output.append(";")
    if colors == .indexed {
      output.append(decimal: base + 8)
      output.append(";5;")
      output.append(decimal: Int(color.index))
    } else {
      output.append(decimal: base + Int(color.fallback))
    }
  }
}
