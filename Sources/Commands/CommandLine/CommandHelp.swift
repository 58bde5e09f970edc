/// The description of a command. `--help` prints it, and `Arguments` parses by it.
///
/// `clients/install.d` makes the manual pages and the completions from the printed text.
package struct CommandHelp: Sendable {
  /// An option. Its name begins with `--`, or is one letter after `-`.
  package struct Option: Sendable {
    package let name: String

    /// The placeholder of the value, or all values separated by `|`; `nil` if the option takes no
    /// value.
    let value: String?
    let text: String

    package init(_ name: String, _ value: String?, _ text: String) {
      self.name = name
      self.value = value
      self.text = text
    }

    package init(_ name: String, _ text: String) { self.init(name, nil, text) }

    /// Creates an option whose value is one of several.
    package init(_ name: String, oneOf choices: [String], _ text: String) {
      var value = ""
      for choice in choices { value += (value.isEmpty ? "" : "|") + choice }
      self.init(name, value, text)
    }

    /// All values, if the placeholder lists them.
    var choices: [String] {
      let words = value?.split(separator: "|").map(String.init) ?? []
      return words.count > 1 ? words : []
    }
  }

  /// The word that selects the command; empty for the daemon itself.
  let name: String
  let summary: String

  /// The forms of the command line, without the program's name.
  let usage: [String]
  package let options: [Option]

  /// Paragraphs after the options. Lines that are indented by two spaces are literal.
  let notes: String

  package init(
    name: String, summary: String, usage: [String], options: [Option] = [], notes: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.options = options
    self.notes = notes
  }

  static let helpOption = Option("--help", "print this help")

  /// The options of the command and `--help`.
  var allOptions: [Option] { options + [Self.helpOption] }

  /// The output of `--help`.
  package var text: String {
    let title = name.isEmpty ? "listd" : "listd \(name)"
    var text = "\(title): \(summary)\n\nUsage: "
    text += usage.map { "listd" + ($0.isEmpty ? "" : " \($0)") }.joined(separator: "\n       ")
    text += "\n\nOptions:\n"
    for option in allOptions { text += Self.line(option) }
    if !notes.isEmpty { text += "\n\(notes)\n" }
    return text
  }

  private static func line(_ option: Option) -> String {
    let head = "  " + option.name + (option.value.map { " \($0)" } ?? "")
    let column = 30
    let gap =
      head.count + 2 <= column
      ? String(repeating: " ", count: column - head.count)
      : "\n" + String(repeating: " ", count: column)
    return "\(head)\(gap)\(option.text)\n"
  }
}
