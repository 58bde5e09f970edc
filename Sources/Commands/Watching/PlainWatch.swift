import ByteBuffers
import ListCompare

/// Prints rows as they change, one change after the other.
struct PlainWatch: ~Copyable {
  private let options: DiffOptions
  private let title: String
  private let comparison: ComparisonOptions

  /// Whether changes are JSON objects, each on a line, and not drawn.
  private let printsObjects: Bool

  /// The rows that were shown last.
  private var file: ComparedFile?

  /// Why the last reading failed; nil if it has not.
  private var problem: String?

  /// The pending output.
  private var output = ByteBuffer()

  /// Creates a view without rows. `comparison` says how rows are read and compared.
  init(
    _ options: DiffOptions, title: String, comparison: ComparisonOptions, printsObjects: Bool
  ) {
    self.options = options
    self.title = title
    self.comparison = comparison
    self.printsObjects = printsObjects
  }

  /// Prints the rows of a feed and their changes until standard output has no reader. Returns the exit
  /// code.
  ///
  /// - Throws: If there are no rows any more, or the first ones cannot be read.
  mutating func run(_ feed: RowFeed, _ action: ChangeAction?) throws(CommandProblem) -> Int32 {
    defer { feed.end() }
    while true {
      if let reading = try feed.next() {
        var found = reading.problem
        do throws(ComparisonFailure) {
          try show(reading.file, reading.words)
          action?.add(reading.file)
        } catch {
          guard file != nil else {
            throw CommandProblem(words: error.words, isOfCommandLine: false)
          }
          found = found ?? error.words
        }
        report(found)
        guard try write() else { return 0 }
      }
      if let words = action?.finish() { Descriptor.report(words) }
      let deadlines = [feed.deadline, action?.deadline].compactMap { $0 }
      let rest = deadlines.min().map { max(.zero, MonotonicTime.now.duration(to: $0)) }
      if Waiting.wait(for: feed.polled, rest) == .unread { return 0 }
    }
  }

  /// Draws the first rows, or what differs from the rows before.
  ///
  /// - Throws: If the rows are not of the kind that the options name; then nothing has changed.
  private mutating func show(
    _ new: ComparedFile, _ words: String
  ) throws(ComparisonFailure) {
    try new.checkText()
    guard let old = file else {
      // The kind of an empty file is unknown.
      let first = new.content.count > 0 ? try Comparison(new, new, comparison) : nil
      file = new
      draw(first, words)
      return
    }
    guard !Self.isSame(old, new) else { return }
    var options = comparison
    // `listd set` makes a text of the columns of a record.
    if options.input == .snapshot,
      [old, new].allSatisfy({ $0.content.withBytes { TableColumn.isTextDerived(inItems: $0) } })
    {
      options.ignored.append(FieldPattern("text"))
    }
    let change = try Comparison(old, new, options)
    file = new
    if !change.isSame { draw(change, words) }
  }

  /// Reports why a reading failed; nil if it has not.
  private mutating func report(_ problem: String?) {
    if let problem, problem != self.problem { Descriptor.report(problem) }
    self.problem = problem
  }

  /// Writes the pending output. Returns false if standard output has no reader.
  ///
  /// - Throws: If writing fails for another reason.
  private mutating func write() throws(CommandProblem) -> Bool {
    defer { output.removeAll() }
    if output.withUnsafeBytes({ Descriptor.output.write($0) }) { return true }
    if let problem = Descriptor.outputProblem { throw problem }
    return false
  }

  private static func isSame(_ old: ComparedFile, _ new: ComparedFile) -> Bool {
    old.content.withBytes { a in new.content.withBytes { Bytes.equal(a, $0) } }
  }

  private mutating func draw(_ change: Comparison?, _ words: String) {
    for note in change?.notes ?? [] { Descriptor.report("note: \(note)") }
    guard !printsObjects else {
      change?.append(.ndjson, named: (title, title), to: &output) { _ in }
      return
    }
    var canvas = options.canvas(digits: String(change?.rowCount ?? 0).utf8.count)
    let parts = [System.localTime, title, words].filter { !$0.isEmpty }
    canvas.draw(line: parts.joined(separator: "  "), "1")
    if let change {
      if change.isSame {
        change.draw(first: change.rowCount, on: &canvas)
      } else {
        change.draw(on: &canvas, named: nil) { _ in }
      }
    }
    output.append(contentsOf: canvas.output)
  }
}
