/// The colours that a terminal can show.
package enum TerminalColors: Int, Comparable, Sendable {
  /// None, only bold, underlined and reversed text.
  case none
  /// The eight colours of ANSI.
  case eight
  /// The 256 colours of xterm.
  case indexed

  /// Reads the environment variables `TERM` and `COLORTERM`; nil if one is not set.
  package init(term: String?, colorTerm: String?) {
    guard let term, !term.isEmpty, term != "dumb" else {
      self = .none
      return
    }
    let names = ["256color", "direct", "kitty", "alacritty", "foot", "ghostty", "wezterm"]
    // String.contains(_: String) would link the library of regular expressions, 0.7 MB of a release.
    let hasMany = term.split { $0 == "-" || $0 == "." }.contains { names.contains(String($0)) }
    if hasMany || colorTerm == "truecolor" || colorTerm == "24bit" {
      self = .indexed
    } else if term.hasPrefix("vt") || term.hasSuffix("-mono") || term.hasSuffix("-m") {
      self = .none
    } else {
      self = .eight
    }
  }

  package static func < (a: TerminalColors, b: TerminalColors) -> Bool { a.rawValue < b.rawValue }
}

/// How a cell is displayed.
package struct CellStyle: Hashable, Sendable {
  /// The index of a colour of 256, and the one of eight that replaces it; nil for the terminal's own
  /// colour.
  package struct Color: Hashable, Sendable {
    package var index: UInt8
    package var fallback: UInt8

    package init(_ index: UInt8, or fallback: UInt8) {
      self.index = index
      self.fallback = fallback
    }
  }

  package var foreground: Color?
  package var background: Color?
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isReversed = false

  package init() {}

  package init(
    _ foreground: Color?, on background: Color? = nil, bold: Bool = false, dim: Bool = false,
    underlined: Bool = false, reversed: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    isBold = bold
    isDim = dim
    isUnderlined = underlined
    isReversed = reversed
  }

  /// Whether a blank cell of this style looks like an erased cell.
  var isPlain: Bool { background == nil && !isUnderlined && !isReversed }
}
