import ListProtocol

extension PickOptions {
  /// Reads the words of a command line. In `isDefault`, options of fzf that pick has not are ignored.
  mutating func read(_ words: ArraySlice<String>, isDefault: Bool) throws(Options.Problem) {
    var words = OptionWords(words)
    while let word = words.next() {
      if word == "--" || !word.hasPrefix("-") && !word.hasPrefix("+") {
        guard !isDefault else { continue }
        if source == .input, word != "--" {
          try use(word)
          continue
        }
        try readOperands((word == "--" ? [] : [word]) + words.rest, isProgram: word == "--")
        return
      }
      if try readSwitch(word) { continue }
      if try readValue(&words) { continue }
      guard let takesValue = PickHelp.refused[words.name] else {
        let name = words.name
        let known =
          name.nearest(among: PickHelp.names)
          ?? name.nearest(among: PickHelp.refused.keys.sorted())
        let hint = known.map { "; did you mean \($0)?" } ?? ""
        throw Options.Problem(words: "unknown option \(words.name) of listd pick\(hint)")
      }
      guard isDefault else {
        throw Options.Problem(words: "listd pick does not have fzf's option \(words.name)")
      }
      if takesValue { _ = try words.value() }
    }
  }

  /// Shows the rows of a recipe.
  private mutating func use(_ name: String) throws(Options.Problem) {
    guard let recipe = try Recipe.named(name) else {
      throw Options.Problem(
        words: "listd pick reads lines from standard input, and there is no recipe \(name)"
          + Recipe.hint(for: name))
    }
    source = .command([recipe.command])
    interval = recipe.interval ?? interval
    headerLines = recipe.headerLines
    header = recipe.summary.isEmpty ? [] : [recipe.summary]
    if let key = recipe.key { identity = try FieldRange.list(key, of: "\"key\" of \(name)") }
    if let printed = recipe.printed {
      accepted = try FieldTemplate(printed, of: "\"print\" of \(name)")
    }
    for (key, actions) in recipe.actions { try bind("\(key):\(actions)") }
  }

  /// Reads what follows the options: the folder after `--files`, or the command after `--watch --`.
  private mutating func readOperands(
    _ words: [String], isProgram: Bool
  ) throws(Options.Problem) {
    switch source {
    case .files where words.count == 1 && !isProgram: source = .files(words[0])
    case .command(let command) where command.isEmpty && isProgram && !words.isEmpty:
      source = .command(words)
    default:
      throw Options.Problem(
        words: "listd pick takes no \(words.first ?? "--") there: a command follows --watch --")
    }
  }

  /// Reads an option without a value. Returns whether it is one.
  private mutating func readSwitch(_ word: String) throws(Options.Problem) -> Bool {
    switch word {
    case "-e", "--exact": isExact = true
    case "+e", "--no-exact": isExact = false
    case "-i", "--ignore-case": caseRule = .ignore
    case "+i", "--no-ignore-case": caseRule = .respect
    case "--smart-case": caseRule = .smart
    case "-x", "--extended", "--literal", "--unicode", "--bold", "--hscroll": break
    case "+s", "--no-sort": ranking.isSorted = false
    case "--disabled", "--phony": isDisabled = true
    case "--enabled", "--no-phony": isDisabled = false
    case "--tac": ranking.isReversed = true
    case "--no-tac": ranking.isReversed = false
    case "+m", "--no-multi": mostMarks = 0
    case "--ansi": form.readsColors = true
    case "--no-ansi": form.readsColors = false
    case "--read0": separator = 0
    case "--no-read0": separator = 0x0A
    case "--print0": outputSeparator = 0
    case "--no-print0": outputSeparator = 0x0A
    case "-1", "--select-1": selectsOne = true
    case "+1", "--no-select-1": selectsOne = false
    case "-0", "--exit-0": endsWithoutMatch = true
    case "+0", "--no-exit-0": endsWithoutMatch = false
    case "--print-query": printsQuery = true
    case "--no-print-query": printsQuery = false
    case "--sync": isSynchronous = true
    case "--no-sync", "--async": isSynchronous = false
    case "--cycle": cycles = true
    case "--no-cycle": cycles = false
    case "--track": tracks = true
    case "--no-track": tracks = false
    case "--highlight-line", "--no-scrollbar", "--no-separator", "--no-multi-line": break
    case "--no-footer": footer = []
    case "--reverse": layout = .reverse
    case "--no-reverse": layout = .standard
    case "--no-height": height = nil
    case "--no-border": border = .none
    case "--no-header": header = []
    case "--no-header-lines": headerLines = 0
    case "--no-tail": tail = nil
    case "--no-preview": preview = nil
    case "--no-expect": (expected, printsKey) = ([:], false)
    case "--no-info": info = .hidden
    case "--inline-info": info = .inline
    case "--no-color": isColoured = false
    case "--no-mouse": usesMouse = false
    case "--mouse": usesMouse = true
    case "--bash": shell = .bash
    case "--zsh": shell = .zsh
    case "--fish": shell = .fish
    case "--version": printsVersion = true
    case "-h", "--help": printsHelp = true
    case "--files": source = .files(".")
    case "--watch": source = .command([])
    default: return false
    }
    return true
  }

  /// Reads an option with a value. Returns whether it is one.
  private mutating func readValue(_ words: inout OptionWords) throws(Options.Problem) -> Bool {
    switch words.name {
    case "-q", "--query": query = try words.value()
    case "-f", "--filter": filter = try words.value()
    case "-s", "--sort":
      ranking.isSorted = true
      _ = words.optionalNumber()
    case "-n", "--nth": form.searched = try FieldRange.list(try words.value(), of: words.name)
    case "--with-nth": form.shown = try FieldTemplate(try words.value(), of: words.name)
    case "--accept-nth": accepted = try FieldTemplate(try words.value(), of: words.name)
    case "--id-nth": identity = try FieldRange.list(try words.value(), of: words.name)
    case "-d", "--delimiter": form.delimiter = try Delimiter(try words.value())
    case "--tiebreak":
      let found = try LineRanking(criteria: try words.value())
      ranking.criteria = found.criteria
    case "-m", "--multi": mostMarks = try Self.number(words.optionalNumber(), words.name) ?? .max
    case "--header-lines": headerLines = try Self.number(try words.value(), words.name) ?? 0
    case "--tail":
      tail = try Self.number(try words.value(), words.name)
      guard tail != 0 else { throw Options.Problem(words: "--tail is a number of lines from 1") }
    case "--tabstop": form.tabStop = max(1, try Self.number(try words.value(), words.name) ?? 8)
    case "--expect": try expect(try words.value())
    case "--bind": try bind(try words.value())
    case "--layout": layout = try Self.choice(try words.value(), words.name)
    case "--height": height = try Height(try words.value())
    case "--min-height":
      let value = try words.value()
      leastHeight =
        try Self.number(value.hasSuffix("+") ? String(value.dropLast()) : value, words.name) ?? 10
    case "--prompt": prompt = try words.value()
    case "--pointer": pointer = try words.value()
    case "--marker": marker = try words.value()
    case "--header": header = Self.lines(try words.value())
    case "--footer": footer = Self.lines(try words.value())
    case "--ghost": ghost = try words.value()
    case "--jump-labels": jumpLabels = try words.value()
    case "--scroll-off": scrollMargin = try Self.number(try words.value(), words.name) ?? 0
    case "--preview-label": previewLabel = try words.value()
    case "--info":
      let name = try words.value().prefix { $0 != ":" }
      switch name {
      case "default", "right": info = .standard
      case "inline", "inline-right": info = .inline
      case "hidden": info = .hidden
      default: throw Options.Problem(words: "--info is default, inline or hidden, not \(name)")
      }
    case "--border": border = try Border(words.optionalWord() ?? "rounded", of: "--border")
    case "--border-label": borderLabel = try words.value()
    case "--preview": preview = try words.value()
    case "--preview-window": try previewWindow.read(try words.value())
    case "--preview-border":
      previewWindow.border = try Border(words.optionalWord() ?? "rounded", of: words.name)
    case "--list": source = .list(try words.value())
    case "--socket": socket = try words.value()
    case "--interval":
      let value = try words.value()
      guard let seconds = Double(value), seconds >= 0.1, seconds <= 1e6 else {
        throw Options.Problem(words: "--interval is a number of seconds from 0.1, not \(value)")
      }
      interval = seconds
    default: return false
    }
    return true
  }

  /// The lines of a text; none if it is empty.
  static func lines(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func number(_ text: String?, _ option: String) throws(Options.Problem) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw Options.Problem(words: "\(option) is a number, not \(text)")
    }
    return number
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String, _ option: String
  ) throws(Options.Problem) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map { $0.rawValue }
    let hint = text.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
    throw Options.Problem(
      words: "\(option) is one of \(names.joined(separator: ", ")), not \(text)\(hint)")
  }
}
