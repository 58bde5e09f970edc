import FuzzyMatch

/// A search for the lines among which a user chooses.
class PickSearch: @unchecked Sendable {
  /// What is searched for.
  struct Request: Sendable, Hashable {
    var query = Query("")
    var ranking: LineRanking

    /// The number of lines that are wanted in their order; `Int.max` for all.
    var count = 0
  }

  /// What is wanted of a result besides.
  struct Place {
    /// The query as it was typed.
    var text: String

    /// The place of the cursor, and the number of lines on the screen.
    var cursor = 0
    var rows = 0

    /// The line that the cursor stays with, wherever it is; nil if the cursor stays at its place.
    var followed: Int?

    /// The lines that are marked.
    var marked: [Int] = []
  }

  /// The lines that match.
  struct Result: Sendable {
    var request: Request

    /// The number of lines that were searched, and of those that match.
    var searched = 0
    var count = 0

    /// Some that match, the first of which is at the place `start`; nil if all lines do, in the order of the
    /// input.
    var lines: [Int]?
    var start = 0

    /// Whether all lines were searched, and there will be no more.
    var isFinal = false

    /// The number of changes of the lines.
    var version: Int

    /// What has the bytes of the lines.
    var content: Content

    enum Content: Sendable {
      case input(LineInput)
      case rows(PickedRows)
    }

    /// The places of the lines that are known.
    var known: Range<Int> { lines.map { start..<start + $0.count } ?? 0..<count }

    /// The bytes of a line; none if it is not kept.
    func bytes(of line: Int) -> ArraySlice<UInt8> {
      switch content {
      case .input(let input): input.bytes(of: line)
      case .rows(let rows): rows.bytes(of: line)
      }
    }

    func isRemoved(_ line: Int) -> Bool {
      switch content {
      case .input(let input): input.lines.isRemoved(line + input.skipped)
      case .rows(let rows): rows.isRemoved(line)
      }
    }

    /// The number of the line at a place that is known.
    subscript(place: Int) -> Int {
      if let lines { return lines[place - start] }
      guard case .input(let input) = content else {
        preconditionFailure("lines of a list are known")
      }
      return input.line(at: request.ranking.isReversed ? count - 1 - place : place)
    }

    /// The place of a line; nil if it is not known or the line does not match.
    func place(of line: Int, near place: Int) -> Int? {
      if let lines {
        if known.contains(place), lines[place - start] == line { return place }
        return lines.firstIndex(of: line).map { start + $0 }
      }
      guard case .input(let input) = content else { return nil }
      return input.place(of: line).map { request.ranking.isReversed ? count - 1 - $0 : $0 }
    }
  }

  /// The descriptors whose input may be a result.
  var polled: [Int32] { [] }

  /// Lines that are shown as a header.
  var header: [ArraySlice<UInt8>] { [] }

  /// The number of lines that can match.
  var total: Int { 0 }

  /// Whether there will be no more lines; whether there is no memory for more.
  var hasEnded: Bool { true }
  var isFull: Bool { false }

  /// Why there will be no more results; nil if there may be some.
  var problem: CommandProblem? { nil }

  /// Records the place of the cursor, and which lines are marked.
  func follow(_ place: Place) {}

  /// Takes what has arrived.
  func update() {}

  /// Begins another search.
  func search(_ request: Request, _ place: Place) {}

  /// Returns and removes the result of the present request; nil if there is no new one.
  func takeResult() -> Result? { nil }

  /// Returns all lines that match, when they are known.
  func await(_ request: Request, _ place: Place) -> Result { preconditionFailure() }

  /// The bytes of a line that is kept.
  func bytes(of line: Int) -> ArraySlice<UInt8> { [] }

  /// Leaves lines out from now on.
  func remove(_ lines: [Int]) {}

  /// Returns a search for the same lines that are searched and shown in another form; nil if they have none.
  func reading(_ form: LineForm, _ waker: Waker) -> LineSearch? { nil }

  /// Ends the search.
  func close() {}

  /// Waits until there is something to `update`, at most for a time. Returns false if standard output has no
  /// reader any more.
  func wait(_ waker: Waker, _ limit: Duration? = nil) -> Bool {
    let event = Waiting.wait(for: [waker.number] + polled, limit)
    waker.clear()
    return event != .unread
  }
}
