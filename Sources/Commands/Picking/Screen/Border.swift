import Terminals

/// The lines around a part of the screen.
struct Border: Sendable, Equatable {
  private var lines: Lines
  let top: Bool
  let bottom: Bool
  let left: Bool
  let right: Bool

  static let none = Border(lines: .rounded, top: false, bottom: false, left: false, right: false)
  static let rounded = Border(lines: .rounded, top: true, bottom: true, left: true, right: true)

  /// The characters of a style: horizontal, vertical, and the corners from the upper left one.
  private enum Lines: String {
    case rounded = "─│╭╮╰╯"
    case sharp = "─│┌┐└┘"
    case bold = "━┃┏┓┗┛"
    case double = "═║╔╗╚╝"
    case dashed = "┄┆┌┐└┘"
  }

  static let names = [
    "rounded", "sharp", "bold", "block", "thinblock", "double", "dashed", "horizontal", "vertical",
    "top", "bottom", "left", "right", "line", "none",
  ]

  private init(lines: Lines, top: Bool, bottom: Bool, left: Bool, right: Bool) {
    (self.lines, self.top, self.bottom) = (lines, top, bottom)
    (self.left, self.right) = (left, right)
  }

  /// Reads the name of a style.
  init(_ name: String, of option: String) throws(CommandProblem) {
    var lines = Lines.sharp
    var sides: (top: Bool, bottom: Bool, left: Bool, right: Bool) = (true, true, true, true)
    switch name {
    case "rounded": lines = .rounded
    case "sharp": break
    case "bold", "block", "thinblock": lines = .bold
    case "double": lines = .double
    case "dashed": lines = .dashed
    case "horizontal": sides = (true, true, false, false)
    case "vertical": sides = (false, false, true, true)
    case "top": sides = (true, false, false, false)
    case "bottom": sides = (false, true, false, false)
    case "left", "line": sides = (false, false, true, false)
    case "right": sides = (false, false, false, true)
    case "none": sides = (false, false, false, false)
    default:
      let names = Self.names.joined(separator: ", ")
      throw CommandProblem(words: "\(option) is one of \(names), not \(name)")
    }
    self.init(
      lines: lines, top: sides.top, bottom: sides.bottom, left: sides.left, right: sides.right)
  }

  /// The area inside of the border of an area. Borders need a column beside them.
  func inside(_ area: ScreenArea) -> ScreenArea {
    let (before, after) = ((left ? 2 : 0), (right ? 2 : 0))
    return ScreenArea(
      x: area.x + before, y: area.y + (top ? 1 : 0), width: max(0, area.width - before - after),
      height: max(0, area.height - (top ? 1 : 0) - (bottom ? 1 : 0)))
  }

  /// Draws the border of an area.
  func draw(_ area: ScreenArea, on frame: inout Frame, _ theme: PickTheme, label: String = "") {
    let style = theme.border
    guard area.width > 0, area.height > 0 else { return }
    let signs = Array(lines.rawValue)
    let (endX, endY) = (area.x + area.width - 1, area.y + area.height - 1)
    for x in area.x...endX {
      if top { frame.write(String(signs[0]), at: x, area.y, style) }
      if bottom { frame.write(String(signs[0]), at: x, endY, style) }
    }
    for y in area.y...endY {
      if left { frame.write(String(signs[1]), at: area.x, y, style) }
      if right { frame.write(String(signs[1]), at: endX, y, style) }
    }
    if top, left { frame.write(String(signs[2]), at: area.x, area.y, style) }
    if top, right { frame.write(String(signs[3]), at: endX, area.y, style) }
    if bottom, left { frame.write(String(signs[4]), at: area.x, endY, style) }
    if bottom, right { frame.write(String(signs[5]), at: endX, endY, style) }
    if !label.isEmpty, top || bottom {
      let x = area.x + max(1, (area.width - Frame.columns(of: label)) / 2)
      frame.write(label, at: x, top ? area.y : endY, before: endX, theme.label, isCut: true)
    }
  }
}

/// A part of the screen.
struct ScreenArea: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  func contains(_ x: Int, _ y: Int) -> Bool {
    x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
  }
}
