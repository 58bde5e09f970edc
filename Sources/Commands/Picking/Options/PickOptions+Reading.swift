import JSONBytes

extension PickOptions {
  /// Reads the words of a command line. In `isDefault`, options of fzf that pick has not are ignored.
  mutating func read(_ words: ArraySlice<String>, isDefault: Bool) throws(CommandProblem) {
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
      let options = PickOption.table.options
      let valued = options[words.name].flatMap { $0.form == .flag ? nil : $0 }
      if let option = options[word] ?? valued {
        try option.apply(to: &self, &words)
        continue
      }
      guard let takesValue = PickHelp.refused[words.name] else {
        let name = words.name
        guard options[name] == nil else {
          throw CommandProblem(words: "\(name) takes no value")
        }
        let known =
          name.nearest(among: PickOption.table.help.map { $0.name })
          ?? name.nearest(among: PickHelp.refused.keys.sorted())
        let hint = known.map { "; did you mean \($0)?" } ?? ""
        throw CommandProblem(words: "unknown option \(words.name) of listd pick\(hint)")
      }
      guard isDefault else {
        throw CommandProblem(words: "listd pick does not have fzf's option \(words.name)")
      }
      if takesValue { _ = try words.value() }
    }
  }

  /// Shows the rows of a recipe.
  private mutating func use(_ name: String) throws(CommandProblem) {
    guard let recipe = try Recipe.named(name) else {
      throw CommandProblem(
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
  ) throws(CommandProblem) {
    switch source {
    case .files where words.count == 1 && !isProgram: source = .files(words[0])
    case .command(let command) where command.isEmpty && isProgram && !words.isEmpty:
      source = .command(words)
    default:
      throw CommandProblem(
        words: "listd pick takes no \(words.first ?? "--") there: a command follows --watch --")
    }
  }

  /// The lines of a text; none if it is empty.
  static func lines(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
