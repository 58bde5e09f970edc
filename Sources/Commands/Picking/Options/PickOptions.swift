import FuzzyMatch

/// The options of `listd pick`, most of which are those of fzf.
struct PickOptions: Sendable {
  // What is searched.
  var query = ""
  var filter: String?
  var caseRule = CaseRule.smart
  var isExact = false
  var isDisabled = false
  var ranking: LineRanking
  var form = LineForm()
  var accepted: FieldTemplate?

  /// The fields that identify a line after its list was read again; nil if the whole line does.
  var identity: [FieldRange]?
  var headerLines = 0
  var separator: UInt8 = 0x0A

  /// The number of lines of an input that are kept, the last ones; nil if all are.
  var tail: Int?

  // How it ends.
  var outputSeparator: UInt8 = 0x0A
  var selectsOne = false
  var endsWithoutMatch = false
  var printsQuery = false

  /// The keys that end it as Enter does, with the names that are printed.
  var expected: [PickKey: String] = [:]
  var printsKey = false
  var isSynchronous = false

  /// The number of lines that can be marked; 0 if only one can be chosen.
  var mostMarks = 0
  var cycles = false

  /// Whether the cursor stays on its line if the query changes.
  var tracks = false
  var bindings: [PickKey: [PickAction]]

  // What is seen.
  var layout = Layout.standard
  var height: Height?
  var leastHeight = 10
  var prompt = "> "
  var pointer = ">"
  var marker = "*"
  var info = Info.standard
  var ghost = ""
  var header: [String] = []
  var footer: [String] = []
  var jumpLabels = "asdfghjklqwertyuiopzxcvbnm1234567890"

  /// The number of lines that are seen above and below the cursor, if there are so many.
  var scrollMargin = 0
  var border = Border.none
  var borderLabel = ""
  var preview: String?
  var previewWindow = PreviewWindow()
  var previewLabel = ""
  var theme = PickTheme()
  var margin = ScreenEdges()
  var padding = ScreenEdges()
  var isColoured = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  var usesMouse = true

  // Where lines come from.
  var source = Source.input
  var socket: String?

  /// The members of a list's items that are searched and shown; empty for the usual one.
  var columns: [String] = []
  var interval = 2.0

  /// Whether a script for a shell is printed, and which one.
  var shell: ShellScript?
  var printsVersion = false
  var printsHelp = false

  enum Layout: String, CaseIterable, Sendable {
    case standard = "default"
    case reverse
    case reverseList = "reverse-list"
  }

  enum Info: Sendable { case standard, inline, hidden }

  enum Source: Sendable, Equatable {
    case input
    case command([String])
    case files(String)
    case list(String)
  }

  /// The number of rows of the terminal that are used.
  struct Height: Sendable {
    var number: Int
    var isPercent = false

    /// Whether it is the number of rows that are not used.
    var isRest = false

    /// Whether there are no more rows than the lines need.
    var isAdaptive = false

    init(_ value: String) throws(CommandProblem) {
      var text = value[...]
      if text.first == "~" {
        isAdaptive = true
        text.removeFirst()
      }
      if text.first == "-" {
        isRest = true
        text.removeFirst()
      }
      if text.last == "%" {
        isPercent = true
        text.removeLast()
      }
      guard let number = Int(text), number >= 0, !isPercent || number <= 100 else {
        throw CommandProblem(words: "--height is a number of rows or per cent, not \(value)")
      }
      self.number = number
    }

    func rows(of terminal: Int, least: Int) -> Int {
      var rows = isPercent ? max(terminal * number / 100, min(least, terminal)) : number
      if isRest { rows = terminal - rows }
      return max(1, min(rows, terminal))
    }
  }

  /// Reads the default options of the environment, and the words after `pick`.
  init(_ words: ArraySlice<String>) throws(CommandProblem) {
    ranking = try LineRanking()
    bindings = PickAction.standard
    if let path = Self.variable("FZF_DEFAULT_OPTS_FILE"),
      let content = try? FileContents.read(path)
    {
      let lines = content.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
        .filter { $0.first { $0 != " " } != "#" }
      try read(ShellWords.split(lines.joined(separator: "\n"))[...], isDefault: true)
    }
    try read(ShellWords.split(Self.variable("FZF_DEFAULT_OPTS") ?? "")[...], isDefault: true)
    let defaults = self
    try read(words, isDefault: false)
    if case .list = source {
      try checkList(defaults)
    } else if !columns.isEmpty {
      throw CommandProblem(words: "--columns is for a list of a daemon: see --with-nth")
    }
  }

  /// Throws if an option is not for the list of a daemon. Default options have no effect.
  private mutating func checkList(_ defaults: PickOptions) throws(CommandProblem) {
    let ofLines = [
      ("--header-lines", headerLines > 0 && defaults.headerLines == 0),
      ("--tail", tail != nil && defaults.tail == nil),
      ("--nth", !form.searched.isEmpty && defaults.form.searched.isEmpty),
      ("--with-nth", form.shown != nil && defaults.form.shown == nil),
      ("--tac", ranking.isReversed && !defaults.ranking.isReversed),
      ("--tiebreak", ranking.criteria != defaults.ranking.criteria),
      ("--id-nth", identity != nil && defaults.identity == nil),
    ]
    if let (name, _) = ofLines.first(where: { $0.1 }) {
      throw CommandProblem(words: "\(name) is for lines, not for a list of a daemon")
    }
    (form.searched, form.shown) = ([], nil)
    (ranking.criteria, ranking.isReversed) = ([.length], false)
    (headerLines, tail, identity) = (0, nil, nil)
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether lines are needed that end.
  var needsEnd: Bool { filter != nil || isSynchronous || selectsOne || endsWithoutMatch }

  /// The query of a text, as these options have it.
  func query(_ text: String) -> Query { Query(text, case: caseRule, isExact: isExact) }

  mutating func bind(_ text: String) throws(CommandProblem) {
    for (keys, actions, isAdded) in try BindingReader.read(text) {
      for key in keys { bindings[key] = (isAdded ? bindings[key] ?? [] : []) + actions }
    }
  }

  mutating func expect(_ text: String) throws(CommandProblem) {
    printsKey = true
    for (key, name) in try BindingReader.keys(text) { expected[key] = name }
  }
}
