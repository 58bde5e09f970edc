import ListText

@testable import Terminals

/// A terminal that does what the sequences of `FrameWriter` mean, and nothing else.
struct ModelTerminal {
  /// A character and the parameters of its style.
  struct Cell: Equatable {
    var text = " "
    var style: Set<String> = []
  }

  private let width: Int
  private let height: Int
  private(set) var cells: [Cell]
  private(set) var x = 0
  private(set) var y = 0
  private(set) var isCursorVisible = true
  private var style: Set<String> = []

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    // What is there before the first frame.
    cells = Array(repeating: Cell(text: "?", style: ["7"]), count: width * height)
  }

  /// The cell that a terminal with these colours shows for one of a frame.
  static func shown(_ cell: Frame.Cell, _ colors: TerminalColors) -> Cell {
    var style: Set<String> = []
    if cell.style.isBold { style.insert("1") }
    if cell.style.isDim { style.insert("2") }
    if cell.style.isUnderlined { style.insert("4") }
    if cell.style.isReversed { style.insert("7") }
    for (base, color) in [(30, cell.style.foreground), (40, cell.style.background)] {
      guard let color, colors != .none else { continue }
      style.insert(
        colors == .indexed ? "\(base + 8);5;\(color.index)" : "\(base + Int(color.fallback))")
    }
    return visible(cell.text, style)
  }

  /// A cell. A blank that looks like an erased one may be one.
  private static func visible(_ text: String, _ style: Set<String>) -> Cell {
    let isPlain = style.allSatisfy { $0 == "1" || $0 == "2" || $0.hasPrefix("3") }
    return Cell(text: text, style: text == " " && isPlain ? [] : style)
  }

  mutating func take(_ text: String) {
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        precondition(rest.popFirst() == "[")
        let parameters = String(
          String.UnicodeScalarView(rest.prefix { !$0.properties.isAlphabetic }))
        rest.removeFirst(parameters.unicodeScalars.count)
        perform(rest.removeFirst(), parameters)
      } else if scalar == "\r" {
        x = 0
      } else {
        put(scalar)
      }
    }
  }

  private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
    switch (final, parameters) {
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    case ("J", "2"): cells = cells.map { _ in Cell() }
    case ("J", ""): for index in y * width + x..<cells.count { cells[index] = Cell() }
    case ("A", _): y -= Int(parameters)!
    case ("B", _): y += Int(parameters)!
    case ("C", _): x += Int(parameters)!
    case ("K", ""): for column in x..<width { cells[y * width + column] = Cell() }
    case ("H", _):
      let numbers = parameters.split(separator: ";").map { Int($0)! }
      y = (numbers.first ?? 1) - 1
      x = (numbers.count > 1 ? numbers[1] : 1) - 1
    case ("m", _):
      var parts = parameters.split(separator: ";").map { String($0) }[...]
      while let part = parts.popFirst() {
        switch part {
        case "0": style = []
        case "38", "48": style.insert(([part] + parts.prefix(2)).joined(separator: ";"))
        default: style.insert(part)
        }
        if part == "38" || part == "48" { parts.removeFirst(2) }
      }
    default: preconditionFailure("a sequence that has no meaning here: \(parameters)\(final)")
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let columns = DisplayWidth.of(scalar)
    guard columns > 0 else {
      var index = y * width + x - 1
      if cells[index].text.isEmpty { index -= 1 }
      cells[index].text.unicodeScalars.append(scalar)
      return
    }
    precondition(x + columns <= width && y < height, "a character outside of the terminal")
    let index = y * width + x
    // A half of a wide character that is overwritten erases the other one.
    if cells[index].text.isEmpty, x > 0 {
      cells[index - 1] = Self.visible(" ", cells[index - 1].style)
    }
    if x + columns < width, cells[index + columns].text.isEmpty {
      cells[index + columns] = Self.visible(" ", cells[index + columns].style)
    }
    cells[index] = Self.visible(String(scalar), style)
    if columns == 2 { cells[index + 1] = Cell(text: "", style: style) }
    x += columns
  }
}
