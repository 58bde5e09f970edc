/// The short options that `diff` has in other programs.
enum ShortOptions {
  /// Replaces the short options before `--` by those of `listd diff`.
  static func expanded(_ words: ArraySlice<String>) -> ArraySlice<String> {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var result: [String] = []
    for word in words[..<end] {
      if let option = replacements[word] {
        result += option
      } else if let (name, value) = attached(word), let option = replacements[name] {
        result += option + [value]
      } else {
        result.append(word)
      }
    }
    return (result + words[end...])[...]
  }

  /// A short option and the value that follows it directly.
  private static func attached(_ word: String) -> (String, String)? {
    guard word.utf8.count > 2, word.first == "-", !word.hasPrefix("--") else { return nil }
    return (String(word.prefix(2)), String(word.dropFirst(2)))
  }

  private static let replacements = [
    "-d": ["--separator"]
  ]
}
