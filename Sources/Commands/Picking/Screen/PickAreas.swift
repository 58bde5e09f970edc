import FuzzyMatch
import Terminals

/// Where the parts of the screen are.
struct PickAreas {
  var list = ScreenArea(x: 0, y: 0, width: 0, height: 0)
  var preview: ScreenArea?

  /// Whether the first line is at the bottom of the list.
  var growsUpwards = true

  /// The place of the first line on the screen.
  var top = 0

  var rows: Int { list.height }

  /// The place of the line in a row of the screen.
  func place(atRow y: Int) -> Int? {
    guard y >= list.y, y < list.y + list.height else { return nil }
    return top + (growsUpwards ? list.y + list.height - 1 - y : y - list.y)
  }
}

/// Lines as they are drawn for one query and width.
struct LineCache {
  private var lines: [Int: StyledText] = [:]
  private var query = Query("")
  private var width = 0

  mutating func removeAll() { lines = [:] }

  mutating func line(
    _ number: Int, _ query: Query, width: Int, _ make: () -> StyledText
  ) -> StyledText {
    if query != self.query || width != self.width || lines.count > 1000 {
      (lines, self.query, self.width) = ([:], query, width)
    }
    if let found = lines[number] { return found }
    let text = make()
    lines[number] = text
    return text
  }
}
