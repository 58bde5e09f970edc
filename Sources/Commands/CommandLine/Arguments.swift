import JSONBytes

/// Splits the words of a command line into options, values and operands, as a command's help
/// defines them.
///
/// A value follows its option after a space or `=`, or directly if the option has one letter. After
/// `--` every word is an operand, and so is `-`.
package struct Arguments {
  /// One argument, from one or two words.
  package enum Argument {
    case option(String)
    case value(String, of: String)
    case operand(String)
  }

  private var words: ArraySlice<String>
  private let help: CommandHelp

  /// Whether no `--` has been read yet.
  private(set) var takesOptions = true

  package init(_ words: ArraySlice<String>, of help: CommandHelp) {
    self.words = words
    self.help = help
  }

  /// Whether `--help` or `-h` is among the options.
  package var asksForHelp: Bool { contains(CommandHelp.helpOption) }

  /// Whether an option without a value is among the arguments before the first invalid one.
  package func contains(_ option: CommandHelp.Option) -> Bool {
    var rest = self
    while let argument = try? rest.next() {
      if case .option(option.name) = argument { return true }
    }
    return false
  }

  /// Returns the next argument; `nil` at the end.
  ///
  /// - Throws: If an option is unknown, lacks its value, has an unexpected value, or has a value
  ///   that is not one of its choices.
  package mutating func next() throws(CommandProblem) -> Argument? {
    guard let word = words.popFirst() else { return nil }
    guard takesOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
    if word == "--" {
      takesOptions = false
      return words.popFirst().map { .operand($0) }
    }
    if word == "-h" { return .option(CommandHelp.helpOption.name) }
    let (name, attached) = Self.split(word)
    guard let option = help.allOptions.first(where: { $0.name == name }) else {
      throw unknown(name)
    }
    guard option.value != nil else {
      if attached != nil { throw CommandProblem(words: "\(name) takes no value") }
      return .option(name)
    }
    guard let value = attached ?? words.popFirst() else {
      throw CommandProblem(words: "\(name) needs a value")
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let choices =
        option.choices.dropLast().joined(separator: ", ") + " or \(option.choices.last!)"
      let hint = value.nearest(among: option.choices).map { "; did you mean \($0)?" } ?? ""
      throw CommandProblem(words: "\(name) must be \(choices), not \(value)\(hint)")
    }
    return .value(value, of: name)
  }

  /// The name of an option, and the value that is attached to it with `=` or directly.
  private static func split(_ word: String) -> (name: String, value: String?) {
    if !word.hasPrefix("--"), word.count > 2 {
      return (String(word.prefix(2)), String(word.dropFirst(2)))
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  private func unknown(_ name: String) -> CommandProblem {
    let hint = name.nearest(among: help.allOptions.map(\.name)).map { "; did you mean \($0)?" }
    let command = help.name.isEmpty ? "" : " of listd \(help.name)"
    return CommandProblem(words: "unknown option \(name)\(command)\(hint ?? "")")
  }
}
