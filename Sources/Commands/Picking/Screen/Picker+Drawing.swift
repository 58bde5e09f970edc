import FuzzyMatch
import Terminals

extension Picker {
  private static let mostMarkedRows = 6

  /// The number of rows for the marked lines, with their heading.
  private func markedRows(in height: Int) -> Int {
    let shown = min(marks.count, Self.mostMarkedRows, height / 4)
    return shown > 0 ? shown + 1 : 0
  }

  /// The number of rows that all lines need, and what is around them.
  var neededRows: Int {
    let border = options.border
    let around = (border.top ? 1 : 0) + (border.bottom ? 1 : 0)
    return around + 1 + (options.info == .standard ? 1 : 0) + header.count + footer.count
      + options.margin.rows + options.padding.rows
      + options.headerLines + max(1, total)
  }

  /// Makes a region of adaptive height higher if it has too few rows.
  func adaptHeight() {
    guard let height = options.height, height.isAdaptive else { return }
    let most = height.rows(of: screen.terminal.height, least: options.leastHeight)
    let rows = min(most, neededRows)
    if rows > screen.size.height { screen.setRows(rows) }
  }

  /// Draws everything. Returns false if the terminal was closed.
  func draw() -> Bool {
    let (width, height) = screen.size
    var frame = Frame(width: width, height: height)
    var area = options.margin.inside(ScreenArea(x: 0, y: 0, width: width, height: height))
    areas.preview = nil
    if height >= 5, options.border != .none {
      options.border.draw(area, on: &frame, options.theme, label: options.borderLabel)
      area = options.border.inside(area)
    }
    area = options.padding.inside(area)
    if previewCommand != nil {
      let window = options.previewWindow.fitted(to: area)
      if let (part, rest) = window.divide(area) {
        area = rest
        areas.preview = part
        preview.draw(window, in: part, on: &frame, options.theme, label: options.previewLabel)
      }
    }
    layOut(area, on: &frame)
    return screen.show(frame)
  }

  /// Draws the prompt, the numbers, the header, the lines and the marked lines.
  private func layOut(_ area: ScreenArea, on frame: inout Frame) {
    // The rows beside the prompt, the nearest first. The lines need one.
    let isBelow = options.layout != .reverse
    var next = isBelow ? area.y + area.height - 1 : area.y
    var free = area.height
    func takeRow() -> Int? {
      guard free > 0 else { return nil }
      free -= 1
      defer { next += isBelow ? -1 : 1 }
      return next
    }
    let end = area.x + area.width
    if let y = takeRow() {
      let column = drawPrompt(on: &frame, area.x, y, end)
      if options.info == .inline {
        frame.write("  < " + counts, at: column, y, before: end, options.theme.info, isCut: true)
      }
    }
    if options.info == .standard, area.height >= 3, let y = takeRow() {
      if let problem {
        frame.write(problem, at: area.x + 2, y, before: end, .problem, isCut: true)
      } else {
        frame.write(counts, at: area.x + 2, y, before: end, options.theme.info, isCut: true)
      }
    }
    // A header is not drawn upside down.
    var rows = header.map { Array($0.utf8)[...] }
    rows += search.header
    let shown = isHeaderHidden ? [] : Array(rows.prefix(max(0, free - 1)))
    for row in isBelow ? Array(shown.reversed()) : shown {
      guard let y = takeRow() else { break }
      let (bytes, styles) =
        options.form.readsColors ? StyledLine.read(row) : (Array(row), [])
      var text = StyledText(bytes[...], styles, tabStop: options.form.tabStop)
      let style = options.theme.header
      text.restyle { if $0 == CellStyle() { $0 = style } }
      text.cut(to: max(1, area.width - 2), showing: 0).write(
        on: &frame, at: area.x + 2, y, before: end)
    }
    // The footer is at the other end.
    let footer = Array(footer.prefix(max(0, free - 1)))
    free -= footer.count
    let footerStart = isBelow ? area.y : area.y + area.height - footer.count
    for (index, row) in footer.enumerated() {
      frame.write(
        row, at: area.x + 2, footerStart + index, before: end, options.theme.footer, isCut: true)
    }
    let marked = options.mostMarks > 1 ? markedRows(in: area.height) : 0
    let panel = marked < free ? marked : 0
    areas.growsUpwards = options.layout == .standard
    let first = isBelow ? area.y + footer.count : next
    let isPanelFirst = options.layout == .standard
    areas.list = ScreenArea(
      x: area.x, y: first + (isPanelFirst ? panel : 0), width: area.width,
      height: max(0, free - panel))
    if panel > 0 {
      drawMarked(on: &frame, area, from: isPanelFirst ? first : first + free - panel, panel)
    }
    clampCursor()
    areas.top = top
    drawLines(on: &frame)
  }

  private func drawPrompt(on frame: inout Frame, _ x: Int, _ y: Int, _ end: Int) -> Int {
    let column = frame.write(options.prompt, at: x, y, before: end, options.theme.prompt)
    let before = String(field.text.prefix(field.position))
    var start = field.text.startIndex
    let room = max(1, end - column - 1)
    var used = Frame.columns(of: before)
    while used > room, start < field.text.endIndex {
      used -= Frame.columns(of: String(field.text[start]))
      start = field.text.index(after: start)
    }
    let after = frame.write(
      field.text[start...], at: column, y, before: end, options.theme.query)
    frame.cursor = (max(0, min(frame.width - 1, column + max(0, used))), y)
    guard field.text.isEmpty, !options.ghost.isEmpty else { return after }
    return frame.write(
      options.ghost, at: column, y, before: end, options.theme.ghost, isCut: true)
  }

  /// The numbers of matching and of all lines, and of marked ones.
  private var counts: String {
    var text = "\((result?.count ?? 0).grouped)/\(total.grouped)"
    if marks.count > 0 {
      text +=
        options.mostMarks == .max
        ? " (\(marks.count.grouped) marked)" : " (\(marks.count)/\(options.mostMarks) marked)"
    }
    if search.isFull {
      text += " and no memory for more: --tail N keeps the last lines"
    } else if !search.hasEnded {
      text += " …"
    }
    return text
  }

  private func drawLines(on frame: inout Frame) {
    guard let result else { return }
    let area = areas.list
    let gutter = area.width >= 4 ? 2 : 0
    let width = area.width - gutter
    guard width > 0 else { return }
    let query = result.request.query
    let (labels, theme) = (labels, options.theme)
    let current = screen.colors == .indexed ? theme.current : CellStyle()
    for row in 0..<area.height {
      let place = top + row
      guard result.known.contains(place) else { continue }
      let line = result[place]
      let y = areas.growsUpwards ? area.y + area.height - 1 - row : area.y + row
      let form = options.form
      let isCurrent = place == cursor
      func makeText() -> StyledText {
        Self.text(
          of: result.bytes(of: line), form, query, width: width,
          plain: isCurrent ? CellStyle() : theme.text,
          match: isCurrent ? theme.currentMatch : theme.match)
      }
      var text = isCurrent ? makeText() : cache.line(line, query, width: width, makeText)
      if isCurrent {
        frame.fill(area.x..<area.x + area.width, y, current)
        text.restyle {
          $0 = current.overlaid(by: $0)
          if screen.colors == .none { $0.isUnderlined = true }
        }
      }
      if gutter > 0 {
        if row < labels.count {
          frame.write(String(labels[row]), at: area.x, y, before: area.x + 1, theme.prompt)
        } else if isCurrent {
          let style = CellStyle(nil, on: current.background).overlaid(by: theme.pointer)
          frame.write(options.pointer, at: area.x, y, before: area.x + 1, style)
        }
        if marks.contains(line) {
          let style = CellStyle(nil, on: isCurrent ? current.background : nil)
          frame.write(
            options.marker, at: area.x + 1, y, before: area.x + 2, style.overlaid(by: theme.marker))
        }
      }
      text.write(on: &frame, at: area.x + gutter, y, before: area.x + area.width)
    }
  }

  /// The part of a line that fits into a width, with what a query matches in it.
  private static func text(
    of line: ArraySlice<UInt8>, _ form: LineForm, _ query: Query, width: Int, plain: CellStyle,
    match: CellStyle
  ) -> StyledText {
    var (bytes, styles) = form.text(of: line)
    var ranges = form.ranges(of: query, in: bytes)
    if bytes.count > longLine { cutLong(&bytes, &styles, &ranges) }
    var text = StyledText(bytes, styles, tabStop: form.tabStop)
    if plain != CellStyle() { text.restyle { $0 = plain.overlaid(by: $0) } }
    text.restyle(ranges) { $0 = $0.overlaid(by: match) }
    return text.cut(to: width, showing: ranges.last?.upperBound ?? 0)
  }

  /// Lines with more bytes are cut around the last match before they are decoded.
  private static let longLine = 1 << 14

  private static func cutLong(
    _ bytes: inout ArraySlice<UInt8>, _ styles: inout [StyleSpan], _ ranges: inout [Range<Int>]
  ) {
    let last = ranges.last?.upperBound ?? 0
    var (index, characters) = (bytes.startIndex, 0)
    // The byte after the last match, and before it one that begins a character.
    while index < bytes.endIndex, characters < last || bytes[index] & 0xC0 == 0x80 {
      if bytes[index] & 0xC0 != 0x80 { characters += 1 }
      index += 1
    }
    var start = max(bytes.startIndex, index - longLine / 2)
    while start < index, bytes[start] & 0xC0 == 0x80 { start += 1 }
    let skipped = bytes[..<start].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
    bytes = bytes[start..<min(bytes.endIndex, index + longLine / 2)]
    func shifted(_ range: Range<Int>) -> Range<Int>? {
      let lower = max(0, range.lowerBound - skipped)
      return range.upperBound > skipped ? lower..<range.upperBound - skipped : nil
    }
    ranges = ranges.compactMap { shifted($0) }
    styles = styles.compactMap { span in
      shifted(span.range).map { StyleSpan(range: $0, style: span.style) }
    }
  }

  private func drawMarked(on frame: inout Frame, _ area: ScreenArea, from y: Int, _ height: Int) {
    let (shown, theme) = (height - 1, options.theme)
    let more = marks.count - shown
    let title =
      "── \(marks.count.grouped) marked" + (more > 0 ? ", \(more.grouped) of them not shown" : "")
    let end = area.x + area.width
    let isAbove = options.layout == .standard
    frame.write(title, at: area.x, isAbove ? y + shown : y, before: end, theme.info, isCut: true)
    for (index, line) in marks.lines.prefix(shown).enumerated() {
      let row = isAbove ? y + shown - 1 - index : y + 1 + index
      frame.write(options.marker, at: area.x + 1, row, before: area.x + 2, theme.marker)
      let text = Self.text(
        of: bytes(of: line), options.form, Query(""), width: max(1, area.width - 2),
        plain: theme.text, match: theme.match)
      text.write(on: &frame, at: area.x + 2, row, before: end)
    }
  }
}

extension CellStyle {
  fileprivate static let problem = CellStyle(.gone)
}
