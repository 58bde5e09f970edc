/// The short options that `diff` has in other programs.
enum ShortOptions {
  /// Replaces the short options before `--` by those of `listd diff`. `-uw` is `-u -w`, and `-U5`
  /// is `-U 5`.
  static func expanded(_ words: ArraySlice<String>) -> ArraySlice<String> {
    var result: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" { return (result + [word] + rest)[...] }
      guard let options = options(in: word) else {
        result.append(word)
        continue
      }
      for (option, value) in options {
        guard let names = replacements[option] else {
          result += withValue[option]!
          if let value = value ?? rest.popFirst() { result.append(value) }
          continue
        }
        result += names
      }
    }
    return result[...]
  }

  private static let replacements: [Character: [String]] = [
    "u": ["--format=unified"], "q": ["--brief"], "w": ["--ignore-space"],
    "b": ["--ignore-space-change"], "i": ["--ignore-case"], "N": ["--new-file"], "r": [], "a": [],
    "p": [],
  ]

  /// Options that a value follows.
  private static let withValue: [Character: [String]] = [
    "d": ["--separator"], "U": ["--format=unified", "--context"],
  ]

  /// The short options of a word, the last of them with its value; nil if it has others.
  private static func options(in word: String) -> [(Character, value: String?)]? {
    guard word.count > 1, word.first == "-", !word.hasPrefix("--") else { return nil }
    var options: [(Character, value: String?)] = []
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      if withValue[letter] != nil {
        options.append((letter, letters.isEmpty ? nil : String(letters)))
        return options
      }
      guard replacements[letter] != nil else { return nil }
      options.append((letter, nil))
    }
    return options
  }
}
