import ByteBuffers
import FuzzyMatch
import ListCompare
import Terminals

/// `listd pick` on a terminal: lines that match a query while they arrive, the marked ones, and a preview.
///
/// It is a class because the compiler checks uses of a noncopyable value with as many parts for a long time.
final class Picker {
  var options: PickOptions
  var screen: Screen
  let output: Descriptor
  let waker: Waker

  /// The search for lines. A list that is read again has another one.
  var search: PickSearch
  var field: TextField

  /// The query that is shown, and that was found last.
  var result: PickSearch.Result?

  /// Where lines are read again; nil if they are read once.
  let feed: RowFeed?
  var pendingSearch: LineSearch?
  var waitsForEnd = false

  /// The place of the line with the cursor in the result, and of the first one on the screen.
  var cursor = 0
  var top = 0

  /// The line that the cursor stays with; nil for the best one.
  var followed: Int?

  /// The marked lines, in the order in which they were marked.
  var marks = Marks()

  /// The bytes of marked lines, if the input keeps only its last lines.
  var kept: [Int: [UInt8]] = [:]
  var preview = Preview()
  var previewCommand: String?

  let firstPreviewWindow: PreviewWindow

  /// The name of the last action that a user performed.
  var lastAction = ""

  /// How often actions with several values were performed.
  var rotations: [PickAction.Name: Int] = [:]
  var bindings: [PickKey: [PickAction]]
  var killed = ""

  /// Whether the next key names a line to go to, and whether that is accepted.
  var jump: (isOn: Bool, accepts: Bool) = (false, false)

  /// Whether the cursor stays with the present line until the user moves it.
  var tracksCurrent = false

  /// When what is bound to each period in milliseconds is performed next.
  private var timers: [Int: MonotonicTime] = [:]
  private(set) var lastInput = MonotonicTime.now

  /// What the user has done that was not handled yet.
  var unread: [InputEvent] = []

  /// How many actions that trigger others are being performed.
  var triggers = 0
  var isSearching: Bool
  var header: [String]
  var footer: [String]
  var isHeaderHidden = false

  /// Lines that are printed at the end before the others.
  var printed: [String] = []

  /// How it ends; nil as long as it goes on.
  var end: End?
  var areas = PickAreas()
  var problem: String?
  var cache = LineCache()
  var mustDraw = true

  /// Events that have occurred.
  var hasLoaded = false
  var focused: Int?
  var lastClick: (line: Int, time: MonotonicTime)?
  var program: SourceProgram?

  enum End {
    /// With the key of `--expect`, if it was one.
    case accepted(key: String)
    case aborted
    case query
    case become(String)
    case failed(CommandProblem)
  }

  /// The delay after which a query is drawn before its result.
  private static let patience = Duration.milliseconds(12)

  init(
    _ options: PickOptions, _ source: PickSource, _ waker: Waker,
    on output: Descriptor, screen: consuming Screen
  ) {
    self.options = options
    search = source.search
    self.waker = waker
    self.output = output
    feed = source.feed
    program = source.program
    self.screen = screen
    field = TextField(options.query)
    bindings = options.bindings
    isSearching = !options.isDisabled
    header = options.header
    footer = options.footer
    previewCommand = options.preview
    firstPreviewWindow = options.previewWindow
  }

  /// Opens the screen that options describe.
  ///
  /// - Throws: If no keys can be read.
  static func openScreen(
    _ options: PickOptions, on output: Descriptor
  ) throws(CommandProblem) -> Screen {
    let (height, least) = (options.height, options.leastHeight)
    let screen = try Screen(
      on: output, isColoured: options.isColoured && options.theme.isColoured, takesAllKeys: true,
      tracksMouse: options.usesMouse,
      rows: height.map { height in
        { height.isAdaptive ? min(4, $0) : height.rows(of: $0, least: least) }
      })
    guard screen.hasKeys else {
      throw CommandProblem(
        words: "there is no terminal to choose in", exitCode: 2, isOfCommandLine: false)
    }
    return screen
  }

  /// Shows lines until the user has chosen, and returns how it has ended.
  func run() -> End {
    startSearch()
    if options.isSynchronous {
      let request = PickSearch.Request(
        query: currentQuery, ranking: options.ranking, count: 4 * max(50, screen.size.height))
      take(search.await(request, place))
    }
    startTimers()
    perform(.event(.start))
    while end == nil {
      performTimers()
      readFeed()
      takeResults()
      if let problem = search.problem, end == nil { end = .failed(problem) }
      if mustDraw, end == nil {
        mustDraw = false
        guard draw() else { return .aborted }
        updatePreview()
      }
      let patience: Duration? = isBehind && hasKeysToShow ? Self.patience : nil
      guard end == nil else { break }
      guard wait(patience) else { return .aborted }
      if preview.read() { mustDraw = true }
      if hasKeysToShow, isBehind, !waker.isAwake, !search.polled.contains(where: Waiting.isReady) {
        mustDraw = true
      }
      hasKeysToShow = false
      waker.clear()
      handleInput()
      if let words = feedProblem { problem = words }
    }
    search.close()
    preview.end()
    program?.end()
    feed?.end()
    return end ?? .aborted
  }

  /// Whether a key was pressed since the last frame whose result is awaited.
  private var hasKeysToShow = false
  var feedProblem: String?

  /// Whether the result is that of an earlier query.
  var isBehind: Bool { result?.request.query != currentQuery }

  var currentQuery: Query { options.query(currentText) }

  private var currentText: String { isSearching ? field.text : frozenText }

  /// The query that is kept while searching is disabled.
  var frozenText = ""

  /// What is wanted of a result.
  var place: PickSearch.Place {
    PickSearch.Place(
      text: currentText, cursor: cursor, rows: areas.rows, followed: followed, marked: marks.lines)
  }

  private func wait(_ patience: Duration?) -> Bool {
    var limit = patience
    let deadlines = [screen.escapeDeadline, feed?.deadline, timers.values.min()]
    for deadline in deadlines.compactMap({ $0 }) {
      let rest = max(.zero, MonotonicTime.now.duration(to: deadline))
      limit = min(limit ?? rest, rest)
    }
    let numbers =
      screen.polled + [waker.number] + search.polled + preview.polled + (feed?.polled ?? [])
    guard screen.hasKeys else { return false }
    return Waiting.wait(for: numbers, limit) != .unread
  }

  private func handleInput() {
    let (events, isResized) = screen.readInTime()
    if isResized {
      resize()
      perform(.event(.resize))
    }
    if !events.isEmpty { lastInput = .now }
    unread += events
    while end == nil, !unread.isEmpty {
      let event = unread.removeFirst()
      let before = field.text
      handle(event)
      if field.text != before { queryChanged() }
      if isBehind { hasKeysToShow = true } else { mustDraw = true }
    }
  }

  /// Whether the cursor stays with its line, also if the query changes.
  var isTracking: Bool { options.tracks || tracksCurrent }

  private func startTimers() {
    for case .every(let period) in bindings.keys {
      timers[period] = MonotonicTime.now.advanced(by: .milliseconds(period))
    }
  }

  private func performTimers() {
    for (period, time) in timers where time <= .now && end == nil {
      timers[period] = MonotonicTime.now.advanced(by: .milliseconds(period))
      let before = field.text
      perform(.every(period))
      if field.text != before { queryChanged() }
    }
  }

  /// Makes the region as high as the options say.
  private func resize() {
    mustDraw = true
    cache.removeAll()
    guard let height = options.height else { return }
    var rows = height.rows(of: screen.terminal.height, least: options.leastHeight)
    if height.isAdaptive { rows = min(rows, neededRows) }
    screen.setRows(rows)
  }

  func queryChanged() {
    if isTracking { followed = currentLine } else { (followed, cursor, top) = (nil, 0, 0) }
    mustDraw = mustDraw || !isBehind
    startSearch()
    perform(.event(.change))
  }

  /// Searches for the query, and for as many lines as are needed.
  func startSearch(atLeast count: Int = 0) {
    if isSearching { frozenText = field.text }
    let screenful = 4 * max(50, screen.size.height)
    var wanted = max(screenful, count)
    if wanted > 1 << 14 || !options.ranking.isSorted { wanted = .max }
    let request = PickSearch.Request(query: currentQuery, ranking: options.ranking, count: wanted)
    (pendingSearch ?? search).search(request, place)
  }
}
