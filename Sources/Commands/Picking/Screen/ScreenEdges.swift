/// The space around a part of the screen, as `--margin` and `--padding` have it.
struct ScreenEdges: Sendable {
  private var top = Length()
  private var right = Length()
  private var bottom = Length()
  private var left = Length()

  private struct Length: Sendable {
    var number = 0
    var isPercent = false

    func cells(of size: Int) -> Int { isPercent ? size * number / 100 : number }
  }

  init() {}

  /// Reads one to four numbers of cells or per cent, with commas between them, clockwise from the top. What
  /// is missing is that of the other side.
  init(_ value: String, of option: String) throws(CommandProblem) {
    var lengths: [Length] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let isPercent = part.hasSuffix("%")
      guard let number = Int(isPercent ? part.dropLast() : part), number >= 0,
        !isPercent || number < 50
      else {
        throw CommandProblem(words: "\(option) is numbers of cells or per cent, not \(value)")
      }
      lengths.append(Length(number: number, isPercent: isPercent))
    }
    guard lengths.count <= 4 else {
      throw CommandProblem(words: "\(option) is at most four numbers, not \(value)")
    }
    top = lengths[0]
    right = lengths.count > 1 ? lengths[1] : top
    bottom = lengths.count > 2 ? lengths[2] : top
    left = lengths.count > 3 ? lengths[3] : right
  }

  /// The number of rows that are numbers of cells.
  var rows: Int { (top.isPercent ? 0 : top.number) + (bottom.isPercent ? 0 : bottom.number) }

  /// The area inside of an area; all of it if that is too small.
  func inside(_ area: ScreenArea) -> ScreenArea {
    let (above, below) = (top.cells(of: area.height), bottom.cells(of: area.height))
    let (before, after) = (left.cells(of: area.width), right.cells(of: area.width))
    guard above + below < area.height, before + after < area.width else { return area }
    return ScreenArea(
      x: area.x + before, y: area.y + above, width: area.width - before - after,
      height: area.height - above - below)
  }
}
