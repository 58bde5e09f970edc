extension PickOption {
  private typealias Problem = CommandProblem

  /// All options, in the order of `--help`.
  static let table: Table = {
    var table = Table()
    addSearching(to: &table)
    addKeys(to: &table)
    addScreen(to: &table)
    addInput(to: &table)
    return table
  }()

  private static func addSearching(to table: inout Table) {
    table.value("-q --query", "TEXT", "the query at first (-q)") { $0.query = $1.value }
    table.value("-f --filter", "TEXT", "print all lines that match, without a screen (-f)") {
      $0.filter = $1.value
    }
    table.flag("-e --exact", "find words as they are, not their letters in order (-e; +e)") {
      $0.isExact = true
    }
    table.flag("+e --no-exact") { $0.isExact = false }
    table.flag(
      "-i --ignore-case", "ignore case (-i); +i never; otherwise if the query has no capital"
    ) { $0.caseRule = .ignore }
    table.flag("+i --no-ignore-case") { $0.caseRule = .respect }
    table.flag("--smart-case") { $0.caseRule = .smart }
    table.value("-n --nth", "N,..", "search only fields, such as 2 or 1,3.. (-n)") {
      options, given throws(Problem) in
      options.form.searched = try FieldRange.list(given.value, of: given.name)
    }
    table.value(
      "--with-nth", "N,..", "show and search only fields, or a text such as '{1}: {2..}'"
    ) { options, given throws(Problem) in
      options.form.shown = try FieldTemplate(given.value, of: given.name)
    }
    table.value("--accept-nth", "N,..", "print only fields") { options, given throws(Problem) in
      options.accepted = try FieldTemplate(given.value, of: given.name)
    }
    table.value(
      "-d --delimiter", "TEXT", "what is between fields, a text or a regular expression (-d)"
    ) { options, given throws(Problem) in
      options.form.delimiter = try Delimiter(given.value)
    }
    table.flag("+s --no-sort", "keep the order of the input (+s)") { $0.ranking.isSorted = false }
    table.value("-s --sort", "[N]", form: .number) { options, _ in options.ranking.isSorted = true }
    table.flag("--tac", "reverse the order of the input") { $0.ranking.isReversed = true }
    table.flag("--no-tac") { $0.ranking.isReversed = false }
    table.value("--tail", "N", "keep only the last N lines, of an input that does not end") {
      options, given throws(Problem) in
      let most = try given.number()
      guard most > 0 else { throw Problem(words: "--tail is a number of lines from 1") }
      options.tail = most
    }
    table.flag("--no-tail") { $0.tail = nil }
    table.value(
      "--tiebreak", "LIST",
      "what decides if scores are equal: length, chunk, pathname, begin, end"
    ) { options, given throws(Problem) in
      options.ranking.criteria = try LineRanking(criteria: given.value).criteria
    }
    table.flag("--phony --disabled", "do not search, as with --bind change:reload(...)") {
      $0.isDisabled = true
    }
    table.flag("--enabled --no-phony") { $0.isDisabled = false }
  }

  private static func addKeys(to table: inout Table) {
    table.value("-m --multi", "[N]", "mark several lines, at most N (-m); +m: one", form: .number) {
      options, given throws(Problem) in
      options.mostMarks = try given.number(or: .max)
    }
    table.flag("+m --no-multi") { $0.mostMarks = 0 }
    table.flag("--track", "keep the cursor on its line if the query changes") { $0.tracks = true }
    table.flag("--no-track") { $0.tracks = false }
    table.flag("--cycle", "move from the last line to the first one") { $0.cycles = true }
    table.flag("--no-cycle") { $0.cycles = false }
    table.value("--bind", "BINDINGS", "what keys and events do: KEY:ACTION+ACTION,...") {
      options, given throws(Problem) in
      try options.bind(given.value)
    }
    table.value("--expect", "KEYS", "keys that end it as Enter does, and are printed first") {
      options, given throws(Problem) in
      try options.expect(given.value)
    }
    table.flag("--no-expect") { ($0.expected, $0.printsKey) = ([:], false) }
  }

  private static func addScreen(to table: inout Table) {
    table.value(
      "--preview", "COMMAND", "show the output of a command for the current line, {}"
    ) { $0.preview = $1.value }
    table.flag("--no-preview") { $0.preview = nil }
    table.value(
      "--preview-window", "OPTIONS", "right, left, up or down,50%,wrap,hidden,follow,+{2},..."
    ) { options, given throws(Problem) in
      try options.previewWindow.read(given.value)
    }
    table.value("--preview-border", "[STYLE]", form: .word) { options, given throws(Problem) in
      options.previewWindow.border = try Border(given.value(or: "rounded"), of: given.name)
    }
    table.value("--preview-label", "TEXT", "a title on the border of the preview") {
      $0.previewLabel = $1.value
    }
    table.value(
      "--height", "[~]N[%]", "use so many rows below the cursor; ~: no more than needed"
    ) { options, given throws(Problem) in
      options.height = try PickOptions.Height(given.value)
    }
    table.flag("--no-height") { $0.height = nil }
    table.value(
      "--min-height", "N", "the least number of rows if --height is in per cent (10)"
    ) { options, given throws(Problem) in
      let text = given.value.hasSuffix("+") ? String(given.value.dropLast()) : given.value
      options.leastHeight = try given.with(text).number()
    }
    let layouts = PickOptions.Layout.allCases.map { $0.rawValue }.joined(separator: "|")
    table.value("--layout", layouts, "where the lines begin") { options, given throws(Problem) in
      options.layout = try given.choice()
    }
    table.flag("--reverse", "begin at the top; short for --layout reverse") { $0.layout = .reverse }
    table.flag("--no-reverse") { $0.layout = .standard }
    table.value(
      "--border", "[STYLE]", "draw a border: rounded, sharp, bold, double, horizontal, top, ...",
      form: .word
    ) { options, given throws(Problem) in
      options.border = try Border(given.value(or: "rounded"), of: given.name)
    }
    table.flag("--no-border") { $0.border = .none }
    table.value("--border-label", "TEXT", "a title on the border") { $0.borderLabel = $1.value }
    table.value("--margin", "T,R,B,L", "the space around everything, in cells or per cent") {
      options, given throws(Problem) in
      options.margin = try ScreenEdges(given.value, of: given.name)
    }
    table.value("--padding", "T,R,B,L", "the space inside of the border") {
      options, given throws(Problem) in
      options.padding = try ScreenEdges(given.value, of: given.name)
    }
    table.flag("--no-margin") { $0.margin = ScreenEdges() }
    table.flag("--no-padding") { $0.padding = ScreenEdges() }
    table.value("--header", "TEXT", "lines that stay beside the prompt") {
      $0.header = PickOptions.lines($1.value)
    }
    table.flag("--no-header") { $0.header = [] }
    table.value("--header-lines", "N", "the first lines of the input are a header") {
      options, given throws(Problem) in
      options.headerLines = try given.number()
    }
    table.flag("--no-header-lines") { $0.headerLines = 0 }
    table.value("--footer", "TEXT", "lines that stay at the other end") {
      $0.footer = PickOptions.lines($1.value)
    }
    table.flag("--no-footer") { $0.footer = [] }
    table.value("--ghost", "TEXT", "what is shown in place of an empty query") {
      $0.ghost = $1.value
    }
    table.value("--jump-labels", "CHARACTERS", "the labels of lines for the action jump") {
      $0.jumpLabels = $1.value
    }
    table.value("--scroll-off", "N", "the lines that are seen above and below the cursor (0)") {
      options, given throws(Problem) in
      options.scrollMargin = try given.number()
    }
    table.value("--prompt", "TEXT", "what is before the query") { $0.prompt = $1.value }
    table.value("--pointer", "SIGN", "what is before the current line") { $0.pointer = $1.value }
    table.value("--marker", "SIGN", "what is before marked lines") { $0.marker = $1.value }
    table.value(
      "--info", "STYLE", "where the numbers of lines are: default, inline or hidden"
    ) { options, given throws(Problem) in
      let name = given.value.prefix { $0 != ":" }
      switch name {
      case "default", "right": options.info = .standard
      case "inline", "inline-right": options.info = .inline
      case "hidden": options.info = .hidden
      default: throw Problem(words: "--info is default, inline or hidden, not \(name)")
      }
    }
    table.flag("--no-info") { $0.info = .hidden }
    table.flag("--inline-info") { $0.info = .inline }
    table.value("--tabstop", "N", "the width of columns of tabulators (8)") {
      options, given throws(Problem) in
      options.form.tabStop = max(1, try given.number())
    }
    table.flag("--ansi", "read escape sequences as colours") { $0.form.readsColors = true }
    table.flag("--no-ansi") { $0.form.readsColors = false }
    table.value(
      "--color", "COLORS", "dark, light, base16 or bw, and others such as hl:2:bold,fg+:#ffffff",
      form: .word
    ) { options, given throws(Problem) in
      try options.theme.read(given.value(or: "dark"))
    }
    table.flag("--no-color", "show no colours, as if $NO_COLOR were set") { $0.isColoured = false }
    table.flag("--no-mouse", "leave the mouse to the terminal") { $0.usesMouse = false }
    table.flag("--mouse") { $0.usesMouse = true }
    // What is always so.
    table.flag(
      "-x --extended --literal --unicode --bold --hscroll --highlight-line --no-scrollbar "
        + "--no-separator --no-multi-line"
    ) { _ in }
  }

  private static func addInput(to table: inout Table) {
    table.flag("-1 --select-1", "print the only match at once (-1)") { $0.selectsOne = true }
    table.flag("+1 --no-select-1") { $0.selectsOne = false }
    table.flag("-0 --exit-0", "end at once if nothing matches (-0)") { $0.endsWithoutMatch = true }
    table.flag("+0 --no-exit-0") { $0.endsWithoutMatch = false }
    table.flag("--print-query", "print the query first") { $0.printsQuery = true }
    table.flag("--no-print-query") { $0.printsQuery = false }
    table.flag("--read0", "lines end with NUL, as from find -print0") { $0.separator = 0 }
    table.flag("--no-read0") { $0.separator = 0x0A }
    table.flag("--print0", "end what is printed with NUL") { $0.outputSeparator = 0 }
    table.flag("--no-print0") { $0.outputSeparator = 0x0A }
    table.flag("--sync", "wait for all lines first") { $0.isSynchronous = true }
    table.flag("--no-sync --async") { $0.isSynchronous = false }
    table.flag("--watch", "run the command after -- again and again") { $0.source = .command([]) }
    table.value("--interval", "SECONDS", "the time between two runs (2)") {
      options, given throws(Problem) in
      guard let seconds = Double(given.value), seconds >= 0.1, seconds <= 1e6 else {
        throw Problem(
          words: "--interval is a number of seconds from 0.1, not \(given.value)")
      }
      options.interval = seconds
    }
    table.flag("--files", "choose among the files of a folder, as they change") {
      $0.source = .files(".")
    }
    table.value(
      "--list", "NAME", "choose among the items of a daemon's list, as they change"
    ) { $0.source = .list($1.value) }
    table.value(
      "--columns", "NAME[,NAME]...",
      "search and show these members of the list's items (text, path or name)"
    ) { $0.columns = $1.value.split(separator: ",").map { String($0) } }
    let socket = ListClient.option
    table.value(socket.name, socket.value ?? "", socket.text) { $0.socket = $1.value }
    table.value(
      "--id-nth", "N,..", "the fields that identify a line when lines are read again"
    ) { options, given throws(Problem) in
      options.identity = try FieldRange.list(given.value, of: given.name)
    }
    table.flag("--bash", "print key bindings for bash") { $0.shell = .bash }
    table.flag("--zsh", "print key bindings for zsh") { $0.shell = .zsh }
    table.flag("--fish", "print key bindings for fish") { $0.shell = .fish }
    table.flag("--version") { $0.printsVersion = true }
    table.flag("-h --help") { $0.printsHelp = true }
  }
}
