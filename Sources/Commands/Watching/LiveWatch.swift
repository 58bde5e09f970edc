import ByteBuffers
import ListCompare
import Terminals

/// `listd watch` on a terminal: a table that is drawn again when its rows change or a user does
/// something.
///
/// It is a class because the compiler checks uses of a noncopyable value with as many parts for a long time.
final class LiveWatch {
  private let feed: RowFeed
  private let action: ChangeAction?
  private let title: String
  private let interval: Duration
  let keys: RowActions
  var screen: Screen
  var table: LiveTable
  var layout = TableLayout()
  var overlay: TableOverlay?

  /// The query while it is being typed.
  var field: TextField?

  /// The last page, and what reading or the user's last wish failed with.
  private(set) var page = TablePage()
  var problem: String?
  private var readingProblem: String?

  /// The time of day of the last reading; nil if there was none.
  private var time: String?
  private var tickStart = MonotonicTime.now
  private var mustDraw = true

  init(
    _ feed: RowFeed, title: String, _ options: DiffOptions, showing columns: [String],
    every interval: Duration, action: ChangeAction?, keys: RowActions? = nil
  ) throws(CommandProblem) {
    self.feed = feed
    self.title = title
    self.interval = interval
    self.action = action
    self.keys = keys ?? RowActions()
    table = LiveTable(options.comparison, showing: columns)
    screen = try Screen(isColoured: options.isColoured)
  }

  /// Shows the table until the user ends it or the terminal was closed. Returns the exit code.
  ///
  /// - Throws: If there are no rows any more, or the first ones cannot be read.
  func run() throws(CommandProblem) -> Int32 {
    defer { feed.end() }
    while true {
      if let reading = try feed.next() { try add(reading) }
      if let words = action?.finish() { problem = words }
      let isIdle = !feed.isPeriodic || time == nil
      if tickStart.advanced(by: interval) <= .now {
        tickStart = .now
        if isIdle || table.history.isEmpty || isPartial, table.beginTick() { mustDraw = true }
      }
      if mustDraw {
        guard draw() else { return 0 }
        mustDraw = false
      }
      guard wait() else { return 0 }
      let (events, isResized) = screen.readInTime()
      if isResized { mustDraw = true }
      for event in events {
        mustDraw = true
        guard handle(event) else { return 0 }
      }
    }
  }

  /// Whether the last reading was a part of the first one.
  private var isPartial = false

  /// Waits for input, a reading or a tick. Returns false if the terminal was closed.
  private func wait() -> Bool {
    var deadline = tickStart.advanced(by: interval)
    for other in [feed.deadline, screen.escapeDeadline, action?.deadline] {
      if let other, other < deadline { deadline = other }
    }
    let rest = MonotonicTime.now.duration(to: deadline)
    return Waiting.wait(for: screen.polled + feed.polled, max(.zero, rest)) != .unread
  }

  private func add(_ reading: RowFeed.Reading) throws(CommandProblem) {
    mustDraw = true
    // Changes that follow each other at once are one.
    let beginsTick =
      feed.isPeriodic
      ? !reading.isPart : table.marks.isEmpty || tickStart.advanced(by: interval) <= .now
    if beginsTick { tickStart = .now }
    isPartial = reading.isPart
    var found = reading.problem
    do throws(ComparisonFailure) {
      try table.add(
        reading.file, at: System.localTime, isTick: beginsTick, isPart: reading.isPart)
      if !reading.isPart { action?.add(reading.file) }
    } catch {
      if time == nil {
        throw CommandProblem(words: error.words, isOfCommandLine: false)
      }
      found = found ?? error.words
    }
    time = System.localTime
    readingProblem = found
    layout.set(table.shownColumns)
  }

  // MARK: Drawing

  /// The first row of the body, and its height.
  var body: (y: Int, height: Int) {
    let height = screen.size.height
    let y = (height >= 5 ? 1 : 0) + (height >= 3 && hasTitles ? 1 : 0)
    return (y, max(1, height - y - (height >= 2 ? 1 : 0)))
  }

  private var hasTitles: Bool { overlay == nil && layout.hasTitles }

  /// Makes the page that is drawn the present one.
  func updatePage() throws(LiveLists.Refusal) { page = try table.page(height: body.height) }

  /// Draws everything. Returns false if the terminal was closed.
  private func draw() -> Bool {
    var frame = Frame(width: screen.size.width, height: screen.size.height)
    do throws(LiveLists.Refusal) { try updatePage() } catch { problem = error.words }
    let (y, height) = body
    if frame.height >= 5 { drawTitle(on: &frame) }
    switch overlay {
    case nil:
      for line in page.lines {
        switch line {
        case .row(let row): layout.measure(row.content)
        case .gone(let content): layout.measure(content)
        case .heading: break
        }
      }
      let drawing = TableDrawing(
        colors: screen.colors,
        places: layout.places(from: TableLayout.gutter(frame.width), to: frame.width),
        definition: table.definition)
      if hasTitles, frame.height >= 3 { drawing.drawTitles(on: &frame, y - 1) }
      drawing.draw(page, table.marks, on: &frame, from: y)
      if page.lines.isEmpty {
        let words = time == nil ? "waiting for rows…" : "no rows"
        frame.write(words, at: TableLayout.gutter(frame.width), y, CellStyle(nil, dim: true))
      }
    case .keys(let top):
      overlay = .keys(
        top: draw(TableOverlay.keyLines(width: frame.width), top, on: &frame, y, height))
    case .row(let top):
      let lines = page.cursorRow.map {
        TableOverlay.lines(of: $0, table.columns, width: frame.width)
      }
      overlay = .row(top: draw(lines ?? [], top, on: &frame, y, height))
    case .choice(let choice, let index):
      let titles = TableOverlay.titles(choice, table.columns)
      let index = min(index, titles.count - 1)
      overlay = .choice(choice, index: index)
      let top = max(0, index - height + 1)
      for (line, title) in titles.dropFirst(top).prefix(height).enumerated() {
        let isChosen = line + top == index
        frame.write(
          (isChosen ? "> " : "  ") + title, at: 0, y + line, CellStyle(nil, bold: isChosen),
          isCut: true)
      }
    }
    if frame.height >= 2 || field != nil { drawStatus(on: &frame) }
    return screen.show(frame)
  }

  /// Draws lines from `top` on, or as far down as they go. Returns the first line.
  private func draw(
    _ lines: [String], _ top: Int, on frame: inout Frame, _ y: Int, _ height: Int
  ) -> Int {
    let top = max(0, min(top, lines.count - height))
    for (line, text) in lines.dropFirst(top).prefix(height).enumerated() {
      frame.write(text, at: 0, y + line)
    }
    return top
  }

  private func drawTitle(on frame: inout Frame) {
    var state = time ?? ""
    if let position = table.position {
      let reading = table.history[position]
      state = "paused  \(position + 1)/\(table.history.count)  \(reading.time)"
    }
    let width = Frame.columns(of: state)
    let x = max(0, frame.width - width)
    if x >= 20 || table.isPaused {
      let style = table.isPaused ? CellStyle(.changed, bold: true) : CellStyle(nil, dim: true)
      frame.write(state, at: x, 0, style)
      frame.write(title, at: 0, 0, before: max(0, x - 2), CellStyle(nil, bold: true), isCut: true)
    } else {
      frame.write(title, at: 0, 0, CellStyle(nil, bold: true), isCut: true)
    }
  }

  /// Draws the last row: a query or a problem, and the numbers of rows.
  private func drawStatus(on frame: inout Frame) {
    let y = frame.height - 1
    frame.fill(0..<frame.width, y, CellStyle())
    if let field {
      // The end of the query is visible, and the cursor.
      let before = String(field.text.prefix(field.position))
      var start = field.text.startIndex
      let room = max(1, frame.width - 2)
      var used = Frame.columns(of: before)
      while used > room, start < field.text.endIndex {
        used -= Frame.columns(of: String(field.text[start]))
        start = field.text.index(after: start)
      }
      frame.write("/", at: 0, y, CellStyle(nil, bold: true))
      frame.write(field.text[start...], at: 1, y)
      frame.cursor = (min(frame.width - 1, 1 + max(0, used)), y)
      let counts = "\(page.rows.grouped)/\(page.total.grouped)"
      let x = frame.width - Frame.columns(of: counts)
      if x > Frame.columns(of: field.text) + 3 {
        frame.write(counts, at: x, y, CellStyle(nil, dim: true))
      }
      return
    }
    let counts = self.counts
    let x = max(0, frame.width - Frame.columns(of: counts))
    var end = frame.width
    if x > 0 {
      frame.write(counts, at: x, y, CellStyle(nil, dim: true))
      end = max(0, x - 2)
    }
    let query = table.definition.query
    if let words = problem ?? readingProblem {
      // What is wrong is more important than numbers.
      if end < 20 { frame.fill(0..<frame.width, y, CellStyle()) }
      frame.write(
        words, at: 0, y, before: end < 20 ? frame.width : end, CellStyle(.gone, bold: true),
        isCut: true)
    } else if !query.isEmpty {
      frame.write("/" + query, at: 0, y, before: end, CellStyle(nil, bold: true), isCut: true)
    } else if let note = table.note {
      frame.write(note, at: 0, y, before: end, CellStyle(nil, dim: true), isCut: true)
    } else if end >= 6 {
      frame.write("? keys", at: 0, y, before: end, CellStyle(nil, dim: true))
    }
  }

  /// The numbers of rows: marked ones, those of the last change, all.
  private var counts: String {
    var parts: [String] = []
    if page.marked > 0 { parts.append("\(page.marked.grouped) marked") }
    let changes = table.marks.counts
    if changes.inserted > 0 { parts.append("+\(changes.inserted.grouped)") }
    if changes.deleted > 0 { parts.append("-\(changes.deleted.grouped)") }
    if changes.moved > 0 { parts.append("↕\(changes.moved.grouped)") }
    if changes.changed > 0 { parts.append("~\(changes.changed.grouped)") }
    let rows = page.rows == page.total ? "" : page.rows.grouped + "/"
    parts.append("\(rows)\(page.total.grouped) row\(page.total == 1 ? "" : "s")")
    return parts.joined(separator: "  ")
  }
}

extension TablePage {
  /// The row with the cursor.
  var cursorRow: Row? {
    for case .row(let row) in lines where row.hasCursor { return row }
    return nil
  }

  /// The index of the last row.
  var lastRow: Int? {
    for case .row(let row) in lines.reversed() { return row.number }
    return nil
  }
}

extension Int {
  /// The number with separators between thousands.
  var grouped: String {
    var digits = Array(String(self))
    var index = digits.count - 3
    while index > (self < 0 ? 1 : 0) {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }
}
