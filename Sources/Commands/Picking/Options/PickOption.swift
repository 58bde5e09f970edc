import JSONBytes

/// An option of `listd pick`: how it is written, and what it does.
struct PickOption: Sendable {
  /// Whether a value follows.
  enum Form: Sendable {
    case flag
    case value

    /// A number follows or not.
    case number

    /// A word that does not begin with a sign follows or not.
    case word
  }

  /// What was given: the name, and the value if there is one.
  struct Given {
    let name: String
    fileprivate let text: String?

    /// The value; empty if there is none.
    var value: String { text ?? "" }

    /// The value, or another one if there is none.
    func value(or other: String) -> String { text ?? other }

    /// The same option with another value.
    func with(_ text: String) -> Given { Given(name: name, text: text) }

    /// The value as a number, or another one if there is none.
    func number(or other: Int = 0) throws(CommandProblem) -> Int {
      guard let text else { return other }
      guard let number = Int(text), number >= 0 else {
        throw CommandProblem(words: "\(name) is a number, not \(text)")
      }
      return number
    }

    /// The value as one of several.
    func choice<Choice: RawRepresentable & CaseIterable>() throws(CommandProblem) -> Choice
    where Choice.RawValue == String {
      if let choice = Choice(rawValue: value) { return choice }
      let names = Choice.allCases.map { $0.rawValue }
      let hint = value.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
      throw CommandProblem(
        words: "\(name) is one of \(names.joined(separator: ", ")), not \(value)\(hint)")
    }
  }

  typealias Effect = @Sendable (inout PickOptions, Given) throws(CommandProblem) -> Void

  let form: Form
  private let effect: Effect

  /// Reads the value of the option that was read last, and applies it.
  func apply(to options: inout PickOptions, _ words: inout OptionWords) throws(CommandProblem) {
    let text: String? =
      switch form {
      case .flag: nil
      case .value: try words.value()
      case .number: words.optionalNumber()
      case .word: words.optionalWord()
      }
    try effect(&options, Given(name: words.name, text: text))
  }

  /// The options by their names, and what `--help` describes of them.
  struct Table: Sendable {
    private(set) var options: [String: PickOption] = [:]
    private(set) var help: [CommandHelp.Option] = []

    /// Adds an option that has no value.
    ///
    /// - Parameters:
    ///   - names: All names, with blanks between them. Help has the last one.
    ///   - text: What help says; nil if the option is not described.
    mutating func flag(
      _ names: String, _ text: String? = nil,
      _ effect: @escaping @Sendable (inout PickOptions) -> Void
    ) {
      add(names, form: .flag, placeholder: nil, text) { options, _ in effect(&options) }
    }

    /// Adds an option that has a value, whose placeholder is given.
    mutating func value(
      _ names: String, _ placeholder: String, _ text: String? = nil, form: Form = .value,
      _ effect: @escaping Effect
    ) {
      add(names, form: form, placeholder: placeholder, text, effect)
    }

    private mutating func add(
      _ names: String, form: Form, placeholder: String?, _ text: String?, _ effect: @escaping Effect
    ) {
      let option = PickOption(form: form, effect: effect)
      let names = names.split(separator: " ").map { String($0) }
      for name in names { options[name] = option }
      if let text { help.append(CommandHelp.Option(names[names.count - 1], placeholder, text)) }
    }
  }
}
