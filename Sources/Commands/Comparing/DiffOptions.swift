import ListCompare

/// The options of `listd diff` and `listd git-diff`.
struct DiffOptions: Sendable {
  /// The kind of output.
  enum Output: Sendable {
    case drawing
    case counts
    case nothing
    case brief
    case unified
    case page
    case changes(ChangeFormat)
    case operations(format: String)
  }

  private(set) var comparison = ComparisonOptions()
  private(set) var output = Output.drawing
  private var colour = "auto"
  private var hasContext = false

  /// The names of both files in the output, if they are given.
  private var labels: [String] = []
  private var findsKey = true
  private(set) var comparesAbsent = false
  private var width: Int?
  private var forbidsPager = false

  static let help: [CommandHelp.Option] = [
    .init("--key", "MEMBER[,MEMBER]...", "identify rows by members, or columns of CSV and TSV"),
    .init("--rows", "MEMBER", "the member of a JSON document whose elements are the rows"),
    .init("--key-field", "N[,N]...", "identify lines of text by columns, from 1, or their names"),
    .init("--separator", "CHARACTER", "what separates columns of text and CSV"),
    .init(
      "--input", oneOf: ComparisonOptions.Input.allCases.map { $0.rawValue },
      "what files are (auto)"),
    .init("--ignore", "MEMBER[,MEMBER]...", "members and columns to ignore; * is any name"),
    .init("--tolerance", "N", "numbers that differ by at most N are equal"),
    .init("--ignore-space", "ignore white space (-w)"),
    .init("--ignore-space-change", "ignore the amount of white space (-b)"),
    .init("--ignore-case", "ignore the difference of capitals (-i)"),
    .init("--show", "MEMBER[,MEMBER]...", "members and columns to show beside the key of a change"),
    .init("--context", "N", "unchanged rows around each change (3)"),
    .init("--moves", "yes|no", "mark moves (yes), or show a delete and an insert"),
    .init("--unordered", "ignore the order of rows"),
    .init("--whole", "show changed rows whole, not only their changed members"),
    .init("--stat", "write only how many rows changed"),
    .init("--brief", "write only that files differ (-q)"),
    .init("--quiet", "write nothing"),
    .init("--color", "auto|always|never", "colour the drawing (auto: on a terminal)"),
    .init("--width", "N", "cut lines to N columns, never if 0 (on a terminal: its width)"),
    .init("--label", "NAME", "the name of OLD in the output; the second is that of NEW"),
    .init("--no-pager", "do not start a pager"),
    .init("--new-file", "compare files that are absent as empty ones (-N)"),
    .init(
      "--format",
      oneOf: ["unified", "html"] + ChangeFormat.allCases.map { $0.rawValue }
        + OwnDaemon.shared.formats,
      "write a patch, a page, changes, or the operations of a list"),
    .init("--exit-code", "exit with 1 if something differs, as always"),
  ]

  /// The descriptions of the named options, in the order of `help`.
  static func help(_ names: String...) -> [CommandHelp.Option] {
    help.filter { names.contains($0.name) }
  }

  init() { comparison.seed = UInt64.random(in: 1...UInt64.max) }

  /// Applies an argument.
  mutating func read(_ argument: Arguments.Argument) throws(CommandProblem) {
    switch argument {
    case .operand: break
    case .option("--whole"): comparison.showsWhole = true
    case .option("--unordered"):
      comparison.ignoresOrder = true
      if !hasContext { comparison.context = 0 }
    case .option("--ignore-space"): comparison.equality.ignoredSpace = .all
    case .option("--ignore-space-change"): comparison.equality.ignoredSpace = .amount
    case .option("--ignore-case"): comparison.equality.ignoresCase = true
    case .option("--brief"): output = .brief
    case .option("--stat"): output = .counts
    case .option("--quiet"): output = .nothing
    case .option("--no-pager"): forbidsPager = true
    case .option("--new-file"): comparesAbsent = true
    case .option: break
    case .value(let value, of: let name): try read(value, of: name)
    }
  }

  private mutating func read(_ value: String, of name: String) throws(CommandProblem) {
    switch name {
    case "--key":
      comparison.key = value == "none" ? [] : try Self.names(value, name)
      findsKey = value != "none"
    case "--label": labels.append(value)
    case "--show": comparison.shown = try Self.names(value, name)
    case "--tolerance":
      guard let number = Double(value), number >= 0, number.isFinite else {
        throw CommandProblem(words: "--tolerance must be a number from 0, not \(value)")
      }
      comparison.equality.tolerance = number
    case "--rows": comparison.rows = value
    case "--key-field":
      comparison.keyFields = []
      for word in try Self.names(value, name) {
        if Int(word) != nil { _ = try Self.number(word, name, from: 1) }
        comparison.keyFields.append(word)
      }
    case "--separator", "-d": comparison.separator = try Self.separator(value)
    case "--input": comparison.input = ComparisonOptions.Input(rawValue: value) ?? .auto
    case "--ignore": comparison.ignored = try Self.names(value, name).map { FieldPattern($0) }
    case "--context":
      hasContext = true
      comparison.context = try Self.number(value, name, from: 0)
    case "--moves": comparison.marksMoves = value == "yes"
    case "--color": colour = value
    case "--width": width = value == "0" ? 0 : try Self.number(value, name, from: 20)
    case "--format":
      switch value {
      case "none": output = .nothing
      case "unified": output = .unified
      case "html": output = .page
      case _ where ChangeFormat(rawValue: value) != nil:
        output = .changes(ChangeFormat(rawValue: value)!)
      default: output = .operations(format: value)
      }
    default: break
    }
  }

  /// Completes options that depend on others.
  ///
  /// - Throws: If options exclude each other.
  mutating func complete() throws(CommandProblem) {
    switch output {
    case .unified, .operations: comparison.findsKey = false
    case .drawing, .counts, .nothing, .brief, .page, .changes: comparison.findsKey = findsKey
    }
    guard comparison.ignoresOrder else { return }
    switch output {
    case .unified, .operations:
      throw CommandProblem(words: "--unordered has no patch: leave --format out, or use json")
    case .drawing, .counts, .nothing, .brief, .page, .changes: break
    }
  }

  private static func names(_ value: String, _ name: String) throws(CommandProblem) -> [String] {
    let names = value.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard !names.contains("") else {
      throw CommandProblem(words: "\(name) has an empty name in \"\(value)\"")
    }
    return names
  }

  private static func separator(_ value: String) throws(CommandProblem) -> UInt8 {
    if value == "tab" || value == "\\t" { return 0x09 }
    guard value.utf8.count == 1, let byte = value.utf8.first, byte < 0x80, byte != 0x0A,
      byte != 0x0D, byte != 0x22, byte != 0
    else { throw CommandProblem(words: "--separator must be one ASCII character, not \(value)") }
    return byte
  }

  private static func number(
    _ value: String, _ name: String, from least: Int
  ) throws(CommandProblem) -> Int {
    guard let number = Int(value), number >= least, number <= Int(Int32.max) else {
      throw CommandProblem(words: "\(name) must be a number from \(least), not \(value)")
    }
    return number
  }

  /// The options for a comparison of lines, whatever the rows of the files are.
  var lineComparison: ComparisonOptions {
    var lines = ComparisonOptions()
    lines.input = .text
    lines.marksMoves = false
    lines.context = comparison.context
    lines.equality = comparison.equality
    lines.seed = comparison.seed
    return lines
  }

  /// What the output depends on.
  var need: PairReader.Need {
    let comparesLines: Bool
    switch output {
    case .operations: return .equalRows
    case .changes: comparesLines = false
    case .unified: comparesLines = !comparison.equality.ignoresText
    case .drawing, .counts, .nothing, .brief, .page:
      comparesLines =
        !comparison.equality.ignoresText && !comparison.hasKey && !comparison.ignoresOrder
        && (comparison.input == .auto || comparison.input == .text)
    }
    return comparesLines ? .lines(context: comparison.context) : .rows
  }

  var usesPager: Bool { !forbidsPager && isatty(1) == 1 && Pager.isWanted }

  /// The canvas for the drawing of a change.
  func canvas(
    for comparison: Comparison, lineLimit: Int = .max, minimalDigits: Int = 0
  ) -> TextCanvas {
    canvas(digits: max(comparison.digits, minimalDigits), lineLimit: lineLimit)
  }

  /// The canvas for the drawing of a change that a pager may show. The pager shows long lines, too.
  func pagedCanvas(for comparison: Comparison, minimalDigits: Int = 0) -> TextCanvas {
    canvas(
      digits: max(comparison.digits, minimalDigits), cutsChanges: width != nil || !usesPager)
  }

  /// The canvas for rows whose numbers have at most `digits` digits.
  func canvas(digits: Int, cutsChanges: Bool = true, lineLimit: Int = .max) -> TextCanvas {
    TextCanvas(
      isColoured: isColoured, width: lineWidth,
      cutsChanges: cutsChanges, digits: digits, lineLimit: lineLimit)
  }

  /// Whether output is coloured.
  var isColoured: Bool { Terminal.isColoured(colour) }

  /// The width of the output; nil if it has none.
  var lineWidth: Int? {
    let width = width ?? Terminal.width
    return width == 0 ? nil : width
  }

  /// The path to read instead of one that may be absent.
  func path(_ path: String) -> String {
    comparesAbsent && path != "-" && access(path, F_OK) != 0 ? "/dev/null" : path
  }

  /// The names of two files in the output.
  func names(_ old: String, _ new: String) -> (old: String, new: String) {
    (labels.first ?? old, labels.count > 1 ? labels[1] : new)
  }

  /// The digits that row numbers have room for if several files are drawn, so that the texts of most
  /// of them begin at the same column.
  static let commonDigits = 4

  /// Compares files as the options say, or as lines if they are not of that kind.
  func comparisonOrLines(
    _ old: ComparedFile, _ new: ComparedFile
  ) throws(ComparisonFailure) -> Comparison {
    if case .unified = output { return try Comparison(old, new, lineComparison) }
    do throws(ComparisonFailure) { return try Comparison(old, new, comparison) } catch {
      var lines = lineComparison
      lines.marksMoves = comparison.marksMoves
      lines.ignoresOrder = comparison.ignoresOrder
      return try Comparison(old, new, lines)
    }
  }
}
