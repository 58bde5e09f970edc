import ByteBuffers
import ListCompare

/// Shows a list as it changes: on a terminal the present rows with the marks of the last change,
/// elsewhere one change after the other.
struct WatchView: ~Copyable {
  let isScreen: Bool

  private let options: DiffOptions
  private let title: String
  private let comparison: ComparisonOptions

  /// The content that was shown last, and the change that led to it.
  private var file: ComparedFile?
  private var change: Comparison?

  /// A description of that change, and its time.
  private var words = ""
  private var changedAt = ""

  /// The time of the last successful update.
  private var knownAt = ""

  /// Why later updates failed; nil if none has.
  private var problem: String?

  /// The pending output.
  private var output = ByteBuffer()

  /// Creates a view without rows. It owns the screen until it is deinitialized.
  ///
  /// `input` replaces the kind of input that the options name.
  init(
    _ options: DiffOptions, title: String, isScreen: Bool, input: ComparisonOptions.Input? = nil
  ) {
    self.options = options
    self.title = title
    self.isScreen = isScreen
    var comparison = options.comparison
    comparison.input = input ?? comparison.input
    self.comparison = comparison
    WatchSignals.begin(hasScreen: isScreen)
  }

  deinit { WatchSignals.endScreen() }

  /// Shows rows and their difference from the previous rows. If the rows are the same, the previous
  /// change remains shown.
  ///
  /// - Throws: If the rows are not of the kind that the options name; then nothing has changed.
  mutating func show(_ new: ComparedFile, _ words: String) throws(ComparisonFailure) {
    let now = System.localTime
    if let old = file {
      guard !Self.isSame(old, new) else {
        knownAt = now
        return
      }
      let change = try Comparison(old, new, comparison)
      file = new
      knownAt = now
      guard !change.isSame else { return }
      self.change = change
    } else {
      // The kind of an empty file is unknown.
      if new.content.count > 0 { change = try Comparison(new, new, comparison) }
      file = new
      knownAt = now
    }
    changedAt = now
    self.words = words
    if !isScreen { drawBelow() }
  }

  /// Shows why an update failed; nil clears the message.
  mutating func report(_ problem: String?) {
    if !isScreen, let problem, problem != self.problem { Descriptor.report(problem) }
    self.problem = problem
  }

  /// Writes the pending output. Returns false if standard output has no reader.
  ///
  /// - Throws: If writing fails for another reason.
  mutating func write() throws(Options.Problem) -> Bool {
    if isScreen { drawScreen() }
    defer { output.removeAll() }
    if output.withUnsafeBytes({ Descriptor.output.write($0) }) { return true }
    if let problem = Descriptor.outputProblem { throw problem }
    return false
  }

  /// Redraws the screen if its size has changed. Returns false if standard output has no reader.
  mutating func refresh() throws(Options.Problem) -> Bool {
    guard isScreen, WatchSignals.takeResizing() else { return true }
    return try write()
  }

  private static func isSame(_ old: ComparedFile, _ new: ComparedFile) -> Bool {
    old.content.withBytes { a in new.content.withBytes { Bytes.equal(a, $0) } }
  }

  /// Draws the first rows or the last change below the previous output.
  private mutating func drawBelow() {
    var canvas = options.canvas(digits: digits)
    let parts = [changedAt, title, words].filter { !$0.isEmpty }
    canvas.draw(line: parts.joined(separator: "  "), "1")
    if let change {
      for note in change.notes { Descriptor.report("note: \(note)") }
      if change.isSame {
        change.draw(first: change.rowCount, on: &canvas)
      } else {
        change.draw(on: &canvas, named: nil) { _ in }
      }
    }
    output.append(contentsOf: canvas.output)
  }

  /// The number of digits of the largest row number.
  private var digits: Int { String(change?.rowCount ?? 0).utf8.count }

  private mutating func drawScreen() {
    var canvas = options.canvas(digits: digits)
    let isLive = !words.isEmpty
    canvas.draw(line: isLive ? "\(title)  \(words)" : "\(knownAt)  \(title)", "1")
    if let problem {
      canvas.draw(line: problem, "31")
    } else {
      let summary = change.map(\.summary) ?? ""
      canvas.draw(line: summary.isEmpty ? "no change so far" : "\(changedAt)  \(summary)", "2")
    }
    let rows = max(Terminal.rows - 2, 1)
    if let change {
      if change.isSame || change.rowCount <= rows {
        change.draw(first: change.isSame ? min(rows + 1, change.rowCount) : rows, on: &canvas)
      } else {
        change.draw(on: &canvas, named: nil, withSummary: false) { _ in }
      }
    }
    output.removeAll()
    output.append("\u{1B}[H")
    let (lines, hidden) = Self.lines(canvas.output, rows + 2, of: change)
    for (index, line) in lines.enumerated() {
      if index > 0 { output.append("\n") }
      output.append(contentsOf: line)
      output.append("\u{1B}[K")
    }
    if hidden > 0 {
      output.append("\n")
      output.append(contentsOf: "⋮ \(hidden) more \(hidden == 1 ? "line" : "lines")".utf8)
      output.append("\u{1B}[K")
    }
    output.append("\u{1B}[J")
  }

  /// The lines that fit on a screen of `rows` rows, and the number of the other lines.
  private static func lines(
    _ drawn: borrowing ByteBuffer, _ rows: Int, of change: Comparison?
  ) -> (lines: [[UInt8]], hidden: Int) {
    drawn.withUnsafeBytes { bytes in
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        .map { Array($0) }
      let undrawn = change.map { $0.isSame ? max(0, $0.rowCount - (lines.count - 2)) : 0 } ?? 0
      let count = lines.count + undrawn
      guard count > rows else { return (lines, 0) }
      return (Array(lines.prefix(rows - 1)), count - rows + 1)
    }
  }
}
