import ByteBuffers
import ListCompare
import Terminals

/// The table of one reading, printed as lines.
struct PrintedTable: ~Copyable {
  private var table: LiveTable
  private var layout = TableLayout()
  private let options: DiffOptions

  /// The number of rows that are drawn at a time.
  private static let rows = 500

  init(
    _ file: ComparedFile, _ options: DiffOptions, showing columns: [String]
  ) throws(CommandProblem) {
    self.options = options
    table = LiveTable(options.comparison, showing: columns)
    do throws(ComparisonFailure) {
      try table.add(file, at: "", isTick: false, isPart: false)
    } catch {
      throw CommandProblem(words: error.words, isOfCommandLine: false)
    }
    layout.set(table.shownColumns)
  }

  /// Writes the table. Returns false if standard output has no reader.
  mutating func write() throws(CommandProblem) -> Bool {
    do throws(LiveLists.Refusal) {
      try forEachPage { page, layout in
        for case .row(let row) in page.lines { layout.measure(row.content) }
        return true
      }
      let isColoured = options.isColoured
      let colors = TerminalColors.environment(isColoured: isColoured)
      let width = options.lineWidth ?? max(1, layout.naturalWidth)
      var isFirst = true
      var isWritten = true
      try forEachPage { page, layout in
        let titles = isFirst && layout.hasTitles ? 1 : 0
        isFirst = false
        var frame = Frame(width: width, height: page.lines.count + titles)
        let drawing = TableDrawing(
          colors: colors, places: layout.places(from: 0, to: width), definition: .init())
        if titles > 0 { drawing.drawTitles(on: &frame, 0) }
        drawing.draw(page, RowMarks(), on: &frame, from: titles)
        var output = ByteBuffer()
        if isColoured {
          FrameWriter(colors: colors).append(linesOf: frame, to: &output)
        } else {
          for y in 0..<frame.height {
            output.append(contentsOf: (frame.text(ofRow: y) + "\n").utf8)
          }
        }
        isWritten = output.withUnsafeBytes { Descriptor.output.write($0) }
        return isWritten
      }
      if isWritten { return true }
    } catch { throw CommandProblem(words: error.words, exitCode: 1) }
    if let problem = Descriptor.outputProblem { throw problem }
    return false
  }

  /// Calls `body` with one page after the other until it returns false.
  private mutating func forEachPage(
    _ body: (TablePage, inout TableLayout) -> Bool
  ) throws(LiveLists.Refusal) {
    var row = 0
    while true {
      table.scroll(to: row)
      let page = try table.page(height: Self.rows, staysInRows: false)
      guard body(page, &layout), let last = page.lastRow else { return }
      row = last + 1
      if row >= page.rows { return }
    }
  }
}
