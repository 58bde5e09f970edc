/// Where and how a preview is shown: the value of `--preview-window`.
struct PreviewWindow: Sendable, Equatable {
  enum Side: String, Sendable { case up, down, left, right }

  var side = Side.right
  private var size = 50
  private var isPercent = true
  var wraps = false
  var isHidden = false
  var follows = false
  var showsInfo = true
  var border = Border.rounded

  /// What is shown at first: a line number, as a template, with offsets, and a part of the height.
  private(set) var scroll = ""

  /// The lines at the top that do not scroll.
  private(set) var headerLines = 0

  /// What applies if the window is smaller than a number of columns or rows.
  private var limit = 0
  private var alternative: String?

  /// Reads options with commas or colons between them.
  mutating func read(_ value: String) throws(CommandProblem) {
    var text = value[...]
    // An alternative is in parentheses, and has separators of its own.
    if let start = text.firstIndex(of: "<"),
      let open = text[start...].firstIndex(of: "("),
      text.hasSuffix(")"), let limit = Int(text[text.index(after: start)..<open])
    {
      self.limit = limit
      alternative = String(text[text.index(after: open)...].dropLast())
      text = text[..<start]
    }
    for word in text.split(whereSeparator: { $0 == "," || $0 == ":" }) {
      switch word {
      case "up", "top": side = .up
      case "down", "bottom": side = .down
      case "left": side = .left
      case "right": side = .right
      case "wrap", "wrap-word": wraps = true
      case "nowrap": wraps = false
      case "hidden": isHidden = true
      case "nohidden": isHidden = false
      case "follow": follows = true
      case "nofollow": follows = false
      case "info": showsInfo = true
      case "noinfo": showsInfo = false
      case "cycle", "nocycle": break
      case "default": self = PreviewWindow()
      case "border": border = .rounded
      case "noborder": border = .none
      default: try readOther(word)
      }
    }
  }

  private mutating func readOther(_ word: Substring) throws(CommandProblem) {
    if word.hasPrefix("border-") {
      let name = word.dropFirst(7)
      border =
        name == "line" ? try line() : try Border(String(name), of: "--preview-window border-")
    } else if word.first == "~", let number = Int(word.dropFirst()) {
      headerLines = number
    } else if word.first == "+" {
      scroll = String(word.dropFirst())
    } else {
      let digits = word.last == "%" ? word.dropLast() : word
      guard let number = Int(digits), number >= 0, word.last != "%" || number < 100 else {
        throw CommandProblem(words: "--preview-window has no option \(word)")
      }
      (size, isPercent) = (number, word.last == "%")
    }
  }

  /// One line between the window and the rest.
  private func line() throws(CommandProblem) -> Border {
    let name =
      switch side {
      case .up: "bottom"
      case .down: "top"
      case .left: "right"
      case .right: "left"
      }
    return try Border(name, of: "--preview-window")
  }

  /// The window as it is in an area: another one if that is too small.
  func fitted(to area: ScreenArea) -> PreviewWindow {
    let isBeside = side == .left || side == .right
    guard let alternative, isBeside ? area.width < limit : area.height < limit else { return self }
    var other = self
    other.alternative = nil
    do throws(CommandProblem) { try other.read(alternative) } catch { return self }
    return other
  }

  /// Divides an area into that of the window and the rest; nil if it has no room.
  func divide(_ area: ScreenArea) -> (window: ScreenArea, rest: ScreenArea)? {
    guard !isHidden, size > 0 else { return nil }
    let isBeside = side == .left || side == .right
    let whole = isBeside ? area.width : area.height
    let least = isBeside ? 10 : 3
    var wanted = isPercent ? whole * size / 100 : size + borderSize(isBeside: isBeside)
    wanted = min(wanted, whole - least)
    guard wanted >= (isBeside ? 4 : 1) else { return nil }
    var (window, rest) = (area, area)
    switch side {
    case .up:
      window.height = wanted
      rest.y += wanted
      rest.height -= wanted
    case .down:
      rest.height -= wanted
      window.y += rest.height
      window.height = wanted
    case .left:
      window.width = wanted
      rest.x += wanted
      rest.width -= wanted
    case .right:
      rest.width -= wanted
      window.x += rest.width
      window.width = wanted
    }
    return (window, rest)
  }

  private func borderSize(isBeside: Bool) -> Int {
    isBeside
      ? (border.left ? 2 : 0) + (border.right ? 2 : 0)
      : (border.top ? 1 : 0) + (border.bottom ? 1 : 0)
  }
}
