/// Words as a shell separates them.
enum ShellWords {
  /// Returns the words of a text, with quotation marks and backslashes removed.
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        if quote == "\"", character != "\"", character != "\\", character != "$" {
          word = (word ?? "") + "\\"
        }
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// Returns a word of a shell that stands for a text.
  static func quoted(_ text: String) -> String {
    "'" + text.substituting("'", by: "'\\''") + "'"
  }
}
