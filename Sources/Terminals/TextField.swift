/// A line of text that a user edits.
package struct TextField: Sendable {
  /// The text.
  package private(set) var text: String

  /// The number of characters before the cursor.
  package private(set) var position: Int

  /// Creates a field with the cursor at its end.
  package init(_ text: String = "") {
    self.text = text
    position = text.count
  }

  /// Performs the action of a key or of a paste. Returns false if it has none here.
  package mutating func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .paste(let text):
      for character in text where !character.isNewline { insert(character) }
    case .key(.character(let character), []), .key(.character(let character), .shift):
      insert(character)
    case .key(.backspace, []): remove(max(0, position - 1)..<position)
    case .key(.character("h"), .control): remove(max(0, position - 1)..<position)
    case .key(.delete, []): remove(position..<min(text.count, position + 1))
    case .key(.backspace, .alt): remove(wordStart..<position)
    case .key(.character("d"), .alt): remove(position..<wordEnd)
    case .key(.character("w"), .control): remove(blankStart..<position)
    case .key(.character("u"), .control): remove(0..<position)
    case .key(.character("k"), .control): remove(position..<text.count)
    case .key(.left, []), .key(.character("b"), .control): position = max(0, position - 1)
    case .key(.right, []), .key(.character("f"), .control): position = min(text.count, position + 1)
    case .key(.left, .control), .key(.left, .alt), .key(.character("b"), .alt): position = wordStart
    case .key(.right, .control), .key(.right, .alt), .key(.character("f"), .alt): position = wordEnd
    case .key(.home, []), .key(.character("a"), .control): position = 0
    case .key(.end, []), .key(.character("e"), .control): position = text.count
    default: return false
    }
    return true
  }

  private mutating func insert(_ character: Character) {
    text.insert(character, at: text.index(text.startIndex, offsetBy: position))
    // A combining character joins the one before it.
    position = min(text.count, position + 1)
  }

  private mutating func remove(_ range: Range<Int>) {
    let start = text.index(text.startIndex, offsetBy: range.lowerBound)
    text.removeSubrange(start..<text.index(start, offsetBy: range.count))
    position = range.lowerBound
  }

  /// The start of the word before the cursor, and the end of the one after it.
  private var wordStart: Int {
    let before = Array(text.prefix(position))
    let end = before.lastIndex { $0.isLetter || $0.isNumber } ?? -1
    guard end >= 0 else { return 0 }
    return (before[...end].lastIndex { !($0.isLetter || $0.isNumber) } ?? -1) + 1
  }

  /// The start of what is between the cursor and the last blanks before it.
  private var blankStart: Int {
    let before = Array(text.prefix(position))
    guard let end = before.lastIndex(where: { !$0.isWhitespace }) else { return 0 }
    return (before[...end].lastIndex { $0.isWhitespace } ?? -1) + 1
  }

  private var wordEnd: Int {
    let after = Array(text)[position...]
    guard let start = after.firstIndex(where: { $0.isLetter || $0.isNumber }) else {
      return text.count
    }
    return after[start...].firstIndex { !($0.isLetter || $0.isNumber) } ?? text.count
  }
}
