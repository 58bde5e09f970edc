import JSONBytes
import Terminals

/// The colours of what `listd pick` draws, by their names in fzf.
struct PickTheme: Sendable {
  private(set) var text = CellStyle()
  private(set) var match = CellStyle(CellStyle.Color(108, or: 2), bold: true)
  private(set) var current = CellStyle(.ansi(254), on: .ansi(236))
  private(set) var currentMatch = CellStyle(CellStyle.Color(108, or: 2), bold: true)
  private(set) var query = CellStyle()
  private(set) var ghost = CellStyle(.ansi(144), dim: true)
  private(set) var prompt = CellStyle(.ansi(110))
  private(set) var pointer = CellStyle(.gone)
  private(set) var marker = CellStyle(.marked)
  private(set) var info = CellStyle(.ansi(144))
  private(set) var header = CellStyle(.ansi(109))
  private(set) var footer = CellStyle(.ansi(109))
  private(set) var border = CellStyle(nil, dim: true)
  private(set) var label = CellStyle()

  /// Whether there are colours at all.
  private(set) var isColoured = true

  /// Colours for a light background.
  private static let light: PickTheme = {
    var theme = PickTheme()
    theme.match.foreground = .ansi(66)
    theme.current = CellStyle(.ansi(237), on: .ansi(251))
    theme.currentMatch.foreground = .ansi(23)
    (theme.ghost.foreground, theme.info.foreground) = (.ansi(101), .ansi(101))
    theme.prompt.foreground = .ansi(25)
    theme.pointer.foreground = .ansi(161)
    theme.marker.foreground = .ansi(168)
    (theme.header.foreground, theme.footer.foreground) = (.ansi(31), .ansi(31))
    return theme
  }()

  /// Colours that the terminal defines.
  private static let base16: PickTheme = {
    var theme = PickTheme()
    theme.match.foreground = .ansi(2)
    theme.current = CellStyle(.ansi(15), on: .ansi(8))
    theme.currentMatch.foreground = .ansi(10)
    (theme.ghost.foreground, theme.info.foreground) = (.ansi(3), .ansi(3))
    theme.prompt.foreground = .ansi(4)
    theme.pointer.foreground = .ansi(1)
    theme.marker.foreground = .ansi(5)
    (theme.header.foreground, theme.footer.foreground) = (.ansi(6), .ansi(6))
    return theme
  }()

  private static let monochrome: PickTheme = {
    var theme = PickTheme()
    theme.isColoured = false
    return theme
  }()

  private static let bases: [String: PickTheme] = [
    "dark": PickTheme(), "default": PickTheme(), "light": light, "base16": base16, "16": base16,
    "bw": monochrome, "no": monochrome,
  ]

  /// The names of what pick draws without colours, or does not draw.
  private static let unused = Set(
    """
    selected-fg preview-fg bg list-bg selected-bg preview-bg input-bg header-bg footer-bg selected-hl
    gutter alt-bg alt-gutter disabled list-border scrollbar separator gap-line preview-border
    preview-scrollbar input-border header-border footer-border list-label preview-label input-label
    header-label footer-label spinner nth nomatch current-nth
    """.split { $0.isWhitespace }.map { String($0) })

  /// Reads the value of `--color`: a base, and what differs from it.
  mutating func read(_ value: String) throws(CommandProblem) {
    for entry in value.lowercased().split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let parts = entry.split(separator: ":").map { String($0) }
      guard let name = parts.first else { continue }
      if parts.count == 1, let base = Self.bases[name] {
        self = base
        continue
      }
      var style = CellStyle()
      for part in parts.dropFirst() {
        guard Self.apply(part, to: &style) else {
          throw CommandProblem(words: "--color: \(part) is not a colour or an attribute")
        }
      }
      guard set(name, style) || Self.unused.contains(name) else {
        let known = Self.names + Self.unused.sorted() + Self.bases.keys.sorted()
        let hint = name.nearest(among: known).map { "; did you mean \($0)?" } ?? ""
        throw CommandProblem(words: "--color has no name \(name)\(hint)")
      }
    }
  }

  private static let names = [
    "fg", "hl", "current-fg", "current-bg", "current-hl", "query", "ghost", "prompt", "pointer",
    "marker", "info", "header", "footer", "border", "label",
  ]

  /// Sets the style with a name. Returns false if there is none.
  private mutating func set(_ name: String, _ style: CellStyle) -> Bool {
    switch name {
    case "fg", "list-fg": text = style
    case "hl": match = style
    case "fg+", "current-fg":
      let background = current.background
      current = style
      current.background = background
    case "bg+", "current-bg": current.background = style.foreground
    case "hl+", "current-hl": currentMatch = style
    case "query", "input-fg": query = style
    case "ghost": ghost = style
    case "prompt": prompt = style
    case "pointer": pointer = style
    case "marker": marker = style
    case "info": info = style
    case "header", "header-fg": header = style
    case "footer", "footer-fg": footer = style
    case "border": border = style
    case "label": label = style
    default: return false
    }
    return true
  }

  /// Changes a style by a colour or an attribute. Returns false if the text is neither.
  private static func apply(_ text: String, to style: inout CellStyle) -> Bool {
    let ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    if let number = Int(text), (-1...255).contains(number) {
      style.foreground = number < 0 ? nil : .ansi(number)
    } else if text.hasPrefix("#"), text.utf8.count == 7,
      let number = Int(text.dropFirst(), radix: 16)
    {
      style.foreground = .nearest([number >> 16, number >> 8 & 255, number & 255])
    } else if let index = ansi.firstIndex(of: text) {
      style.foreground = .ansi(index)
    } else if text.hasPrefix("bright-"), let index = ansi.firstIndex(of: String(text.dropFirst(7)))
    {
      style.foreground = .ansi(index + 8)
    } else {
      switch text {
      case "regular", "strip", "italic", "blink", "strikethrough": break
      case "gray", "grey": style.foreground = .ansi(8)
      case "bold": style.isBold = true
      case "dim": style.isDim = true
      case "reverse": style.isReversed = true
      case _ where text.hasPrefix("underline"): style.isUnderlined = true
      default: return false
      }
    }
    return true
  }
}

extension CellStyle {
  /// The style, with what another one adds to it.
  func overlaid(by other: CellStyle) -> CellStyle {
    CellStyle(
      other.foreground ?? foreground, on: other.background ?? background,
      bold: isBold || other.isBold, dim: isDim || other.isDim,
      underlined: isUnderlined || other.isUnderlined, reversed: isReversed || other.isReversed)
  }
}
