/// The words of a command line as fzf reads them: the value of an option follows it, after `=` or as the
/// next word; that of one letter may follow it directly.
struct OptionWords {
  private(set) var rest: ArraySlice<String>

  /// The last option, without its value.
  private(set) var name = ""
  private var attached: String?

  init(_ words: ArraySlice<String>) { rest = words }

  mutating func next() -> String? {
    guard let word = rest.popFirst() else { return nil }
    (name, attached) = (word, nil)
    if word.hasPrefix("--") {
      if let sign = word.firstIndex(of: "=") {
        name = String(word[..<sign])
        attached = String(word[word.index(after: sign)...])
      }
    } else if word.hasPrefix("-"), word.count > 2 {
      name = String(word.prefix(2))
      attached = String(word.dropFirst(2))
    }
    return word
  }

  mutating func value() throws(CommandProblem) -> String {
    guard let value = attached ?? rest.popFirst() else {
      throw CommandProblem(words: "\(name) needs a value")
    }
    return value
  }

  /// The value of an option that may have none: the next word if it does not begin with a sign.
  mutating func optionalWord() -> String? {
    if let attached { return attached }
    guard let word = rest.first, !word.hasPrefix("-"), !word.hasPrefix("+") else { return nil }
    return rest.popFirst()
  }

  mutating func optionalNumber() -> String? {
    if let attached { return attached }
    guard let word = rest.first, Int(word) != nil, !word.hasPrefix("-") else { return nil }
    return rest.popFirst()
  }
}
