/// A terminal that understands cursor positions and sequences that clear, insert and delete lines.
final class TerminalScreen {
  var lines: [String]

  /// What was written since the last call of ``takeOutput()``.
  private var output = ""
  private var row = 0
  private var end: Int

  init(height: Int) {
    lines = Array(repeating: "", count: height)
    end = height
  }

  func takeOutput() -> String {
    defer { output = "" }
    return output
  }

  func write(_ text: String) {
    output += text
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        lines[row].unicodeScalars.append(scalar)
        continue
      }
      precondition(rest.popFirst() == "[")
      let digits = rest.prefix { "0123456789;".unicodeScalars.contains($0) }
      rest = rest.dropFirst(digits.count)
      let numbers = String(digits).split(separator: ";").compactMap { Int($0) }
      switch rest.popFirst() {
      case "H": row = (numbers.first ?? 1) - 1
      case "J": for line in row..<lines.count { lines[line] = "" }
      case "K": lines[row] = ""
      case "r":
        end = numbers.last ?? lines.count
        row = 0
      case "L":
        lines.removeSubrange(end - numbers[0]..<end)
        lines.insert(contentsOf: Array(repeating: "", count: numbers[0]), at: row)
      case "M":
        lines.removeSubrange(row..<row + numbers[0])
        lines.insert(contentsOf: Array(repeating: "", count: numbers[0]), at: end - numbers[0])
      default: preconditionFailure("an unknown sequence")
      }
    }
  }
}
