import ByteBuffers
import ListCompare

/// Rows as they change, in a view that a user defines and steps through.
struct LiveTable: ~Copyable {
  private var lists = LiveLists()
  private var reader: TableReader
  private(set) var marks = RowMarks()
  private(set) var columns: [TablePage.Column] = []

  /// The titles, members or numbers of the columns that are wanted; empty for all.
  private let wanted: [String]

  /// What the user has chosen.
  private(set) var definition = LiveLists.Definition()

  /// The readings that differ, each with the time of day.
  private(set) var history: [(revision: Int, time: String)] = []

  /// Whether the last reading was a part of one.
  private var isLastPart = false

  /// The index of the reading that is shown; nil if it is always the latest.
  private(set) var position: Int?

  /// The revision of the view.
  private var shown = 0

  /// The revision of the view when the present tick began; 0 if there is none to compare with.
  private var base = 0

  /// The last page, by which the next one keeps its place, and the revision that it shows.
  private var last = TablePage()
  private var lastShown = 0
  private var hasMoved = false

  /// Deleted rows, each with the identity of the row before it.
  private var gone: [(after: String?, content: MessagePart)] = []

  /// The titles and the rows of the sections, if there are several, in a revision of the view.
  private var sections: (revision: Int, sections: [(title: String, rows: Int)]) = (0, [])

  /// The number of readings that are kept.
  private static let mostReadings = 10_000

  /// The number of ops of a change from which on rows are not marked.
  private static let mostOps = 20_000

  /// Creates a table without rows.
  init(_ options: ComparisonOptions, showing wanted: [String]) {
    reader = TableReader(options)
    self.wanted = wanted
    do throws(LiveLists.Refusal) { try lists.define(definition) } catch {
      preconditionFailure("a view of all rows was refused: \(error.words)")
    }
  }

  /// The columns that are shown: those that are wanted, in their order, or all if there are none of these.
  var shownColumns: [TablePage.Column] {
    let found = wanted.compactMap { name in
      columns.first { $0.title == name || $0.member == name }
        ?? columns.first { $0.title.lowercased() == name.lowercased() }
        ?? Int(name).flatMap { columns.indices.contains($0 - 1) ? columns[$0 - 1] : nil }
    }
    return found.isEmpty ? columns : found
  }

  /// Whether new readings are not shown.
  var isPaused: Bool { position != nil }

  /// What was noticed in the last reading.
  var note: String? { reader.note }

  // MARK: Readings

  /// Takes a reading, with which a tick may begin. A part of a reading is replaced by the next one.
  ///
  /// - Throws: If it cannot be read; then nothing has changed.
  mutating func add(
    _ file: ComparedFile, at time: String, isTick: Bool, isPart: Bool
  ) throws(ComparisonFailure) {
    let content = try reader.read(file)
    do throws(LiveLists.Refusal) {
      let revision = try lists.record(content)
      let columns = reader.columns.map { TablePage.Column($0) }
      if history.last?.revision != revision {
        if isLastPart, !isPaused { history.removeLast() }
        history.append((revision, time))
        if history.count > Self.mostReadings {
          history.removeFirst()
          position = position.map { max(0, $0 - 1) }
        }
      }
      isLastPart = isPart
      if columns != self.columns {
        self.columns = columns
        if !definition.query.isEmpty { try redefine { _ in } }
      }
      if !isPaused {
        if isTick { beginTick() }
        try show(revision)
      }
    } catch { throw ComparisonFailure("\(file.name): \(error.words)") }
  }

  /// Begins a tick: marks fade, and what changes from now on is marked. Returns whether there were
  /// marks.
  @discardableResult
  mutating func beginTick() -> Bool {
    guard !isPaused else { return false }
    base = shown
    guard !marks.isEmpty else { return false }
    marks.age()
    gone = []
    return true
  }

  /// Shows a reading, and marks what has changed since the tick began.
  private mutating func show(_ revision: Int) throws(LiveLists.Refusal) {
    try lists.choose(revision)
    let summary = try lists.summary()
    if definition.keepsSections != (summary.sourceSections > 1) {
      definition.keepsSections = summary.sourceSections > 1
      try lists.define(definition)
    }
    shown = try lists.summary().revision
    marks.forgetRows()
    // Revisions that are not kept any more are not compared.
    guard base > 0, shown != base,
      let forward = try? lists.change(from: base, to: shown, most: Self.mostOps),
      let backward = try? lists.change(from: shown, to: base, most: Self.mostOps)
    else { return }
    marks.add(forward, backward, columns)
    guard lastShown == base else { return }
    gone = []
    var previous: String?
    for case .row(let row) in last.lines {
      if marks.isGone(row.path) {
        gone.append((previous, row.content))
      } else {
        previous = row.identity
      }
    }
  }

  // MARK: History

  /// Stops at the present reading, or shows the latest again.
  mutating func pause() throws(LiveLists.Refusal) {
    guard !history.isEmpty else { return }
    if isPaused {
      position = nil
      beginTick()
      try show(history[history.count - 1].revision)
    } else {
      position = history.count - 1
    }
  }

  /// Shows an earlier or a later reading, with what it changed. Returns false if there is none.
  mutating func step(_ count: Int) throws(LiveLists.Refusal) -> Bool {
    let present = position ?? history.count - 1
    let next = present + count
    guard history.indices.contains(next), next != present else { return false }
    (marks, gone, base) = (RowMarks(), [], 0)
    do throws(LiveLists.Refusal) {
      if next > 0 {
        try show(history[next - 1].revision)
        base = shown
      }
      try show(history[next].revision)
    } catch {
      try show(history[present].revision)
      throw error
    }
    position = next
    return true
  }

  // MARK: The view

  /// Changes the definition of the view. If that is refused, nothing has changed.
  mutating func redefine(_ change: (inout LiveLists.Definition) -> Void) throws(LiveLists.Refusal) {
    var new = definition
    change(&new)
    new.members = columns.map { $0.member }
    guard new != definition else { return }
    try lists.define(new)
    definition = new
    marks.forgetRows()
    gone = []
    shown = try lists.summary().revision
    base = min(base, 1) * shown
  }

  /// The index of the row with the cursor.
  var cursor: Int? { last.cursor }

  /// Marks the row with the cursor, or removes its mark.
  mutating func toggle() throws(LiveLists.Refusal) {
    guard let cursor = last.cursor, let path = try path(of: cursor) else { return }
    try lists.toggle(path)
  }

  /// Moves the cursor by rows. If there is none, it begins at the first row of the page.
  mutating func moveCursor(_ count: Int) throws(LiveLists.Refusal) {
    try setCursor(to: last.cursor.map { $0 + count } ?? last.top)
  }

  /// Moves the cursor to a row, or to the first or last one.
  mutating func setCursor(to number: Int) throws(LiveLists.Refusal) {
    let number = max(0, min(number, last.rows - 1))
    guard let path = try path(of: number) else { return }
    try lists.setCursor(path)
    (last.cursor, hasMoved) = (number, true)
  }

  /// Shows the rows from a row on.
  mutating func scroll(to row: Int) { last.top = row }

  /// Removes the cursor, and shows the first rows.
  mutating func removeCursor() throws(LiveLists.Refusal) {
    try lists.setCursor(nil)
    (last.cursor, last.top) = (nil, 0)
  }

  private mutating func path(of number: Int) throws(LiveLists.Refusal) -> RowMarks.Path? {
    guard number >= 0 else { return nil }
    return try lists.window(number..<number + 1)["rows"]?.elements.first?.path("at")
  }

  // MARK: Pages

  /// Returns the page of a height, with the row that has the cursor.
  ///
  /// If it `staysInRows`, the page begins early enough to be full.
  mutating func page(
    height: Int, staysInRows: Bool = true
  ) throws(LiveLists.Refusal) -> TablePage {
    let summary = try lists.summary()
    var page = TablePage()
    (page.rows, page.total, page.marked) = (summary.rows, summary.total, summary.selected)
    try readSections(summary)
    var window = try lists.window(last.top..<last.top + height)
    if let cursor = window["cursor"], cursor.json != "null" {
      page.cursor = number(of: window.path("cursor"))
    }
    page.top = last.top
    if let cursor = page.cursor {
      // After a change, the row with the cursor keeps its line.
      if let before = last.cursor, lastShown != shown, !hasMoved {
        page.top += cursor - before
      }
      page.top = min(page.top, cursor)
      page.top = max(page.top, cursor - height + 1)
    }
    if staysInRows { page.top = max(0, min(page.top, page.rows - height)) }
    repeat {
      if page.top != last.top || page.lines.isEmpty {
        window = try lists.window(page.top..<page.top + height)
      }
      page.lines = lines(of: window, page, height)
      guard let cursor = page.cursor, cursor > page.top, height > 0 else { break }
      let isVisible = page.lines.contains {
        if case .row(let row) = $0 { row.number == cursor } else { false }
      }
      if isVisible { break }
      // Headings and deleted rows take lines, too.
      page.top += 1
    } while true
    last = page
    (lastShown, hasMoved) = (shown, false)
    return page
  }

  private mutating func readSections(
    _ summary: LiveLists.Summary
  ) throws(LiveLists.Refusal) {
    guard sections.revision != summary.revision else { return }
    sections = (summary.revision, [])
    let hasTitles = definition.groupedBy != nil || definition.keepsSections
    guard hasTitles, summary.sections > 0 else { return }
    sections.sections = (try lists.snapshot()["sections"]?.elements ?? []).map { section in
      let header = section["header"]
      let title = (header?["text"] ?? header)?.plain
      // The identifiers of the sections of a view begin with the name of its source.
      let id = section["id"]?.plain ?? ""
      let name = id.hasPrefix("rows/") ? String(id.dropFirst(5)) : id
      return (title ?? name, section["items"]?.elements.count ?? 0)
    }
  }

  /// The index of a row in the whole view.
  private func number(of path: RowMarks.Path) -> Int {
    sections.sections.prefix(path.section).reduce(path.row) { $0 + $1.rows }
  }

  /// The lines of rows, with headings and deleted rows.
  private func lines(of window: MessagePart, _ page: TablePage, _ height: Int) -> [TablePage.Line] {
    var lines: [TablePage.Line] = []
    func append(goneAfter identity: String?) {
      for row in gone where row.after == identity { lines.append(.gone(row.content)) }
    }
    let selection = (window["selection"]?.elements ?? []).map { range in
      let path = range.path("at")
      return (section: path.section, rows: path.row..<path.row + (range.integer("count") ?? 0))
    }
    append(goneAfter: nil)
    for (index, element) in (window["rows"]?.elements ?? []).enumerated() {
      let path = element.path("at")
      guard lines.count < height, let content = element["content"] else { break }
      if sections.sections.indices.contains(path.section), path.row == 0 || index == 0 {
        let section = sections.sections[path.section]
        lines.append(.heading("\(section.title) (\(section.rows))"))
      }
      let number = page.top + index
      let row = TablePage.Row(
        number: number, path: path, identity: TablePage.identity(of: content), content: content,
        isMarked: selection.contains { $0.section == path.section && $0.rows.contains(path.row) },
        hasCursor: number == page.cursor)
      lines.append(.row(row))
      append(goneAfter: row.identity)
    }
    return Array(lines.prefix(height))
  }
}
