/// How a template shows a member: the number of terminal columns and the highlight group.
package struct Column: Hashable, Sendable {
  /// The alignment of a value that is narrower than the column.
  package enum Alignment: Hashable, Sendable {
    case left
    case right
    case center
  }

  /// How a value is written.
  package enum Form: Hashable, Sendable {
    /// As it is.
    case plain
    /// In one line, with `^J` and the like for control characters.
    case line
    /// As a number of bytes with a unit.
    case bytes
  }

  package var form = Form.plain

  package var alignment = Alignment.left

  /// The minimum number of display columns, 0 for the width of the member.
  package var width = 0

  /// Whether a wider value is cut and ends with an ellipsis.
  package var truncates = false

  /// The name of a highlight group.
  package var group: [UInt8]?

  /// The column of a member without column options.
  package static let plain = Column()

  /// The widths that a template may specify.
  package static let widths = 1...1000

  package init() {}
}

extension Column {
  /// Parses `FORM[<>^]WIDTH…#GROUP`: an optional form, an optional alignment, a width, an optional
  /// ellipsis, and the name of a group. The form, the width with its alignment and ellipsis, and the
  /// group may be omitted, but not all of them.
  ///
  /// Returns `nil` for anything else.
  init?(_ source: ArraySlice<UInt8>) {
    guard !source.isEmpty else { return nil }
    self.init()
    var rest = source
    if let (word, form) = Self.forms.first(where: { rest.starts(with: $0.0.utf8) }) {
      self.form = form
      rest.removeFirst(word.utf8.count)
      if rest.isEmpty { return }
    }
    let alignments: [(UInt8, Alignment)] = [(0x3C, .left), (0x3E, .right), (0x5E, .center)]
    let named = alignments.first { $0.0 == rest.first }
    if let named {
      alignment = named.1
      rest.removeFirst()
    }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[digits.endIndex...]
    truncates = rest.starts(with: Self.ellipsis)
    if truncates { rest.removeFirst(Self.ellipsis.count) }
    if digits.isEmpty {
      guard named == nil, !truncates else { return nil }
    } else {
      let width = Int(String(decoding: digits, as: UTF8.self))
      guard let width, Self.widths.contains(width) else { return nil }
      self.width = width
    }
    guard !rest.isEmpty else { return }
    guard let group = Self.group(rest) else { return nil }
    self.group = group
  }

  /// Parses a number sign and the name of a group. Returns `nil` for anything else.
  static func group(_ source: ArraySlice<UInt8>) -> [UInt8]? {
    guard source.first == 0x23, source.count > 1 else { return nil }
    let name = source.dropFirst()
    return name.contains { $0 <= 0x20 || $0 == 0x23 || $0 == 0x7F } ? nil : Array(name)
  }

  static let ellipsis = Array("…".utf8)
  private static let forms: [(String, Form)] = [("line", .line), ("bytes", .bytes)]

  /// How much of a line of a value is shown.
  struct Fitted {
    /// The number of spaces before and after it.
    var before = 0
    var after = 0

    /// The number of bytes of the line that are shown.
    var count: Int

    var isCut = false
  }

  /// Fits a line of a value into the column.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the line.
  func fit(_ line: ArraySlice<UInt8>) -> Fitted {
    var fitted = Fitted(count: line.count)
    guard width > 0 else { return fitted }
    var columns = 0
    // The position at which a line that is too wide is cut. One column is for the ellipsis.
    var cut = (count: 0, columns: 0)
    DisplayWidth.forEachCharacter(of: line) { length, size in
      columns += size
      if columns < width { cut = (cut.count + length, columns) }
      // A combining character after an omitted character is omitted, too.
      return columns <= width || !truncates
    }
    if truncates, columns > width {
      fitted.count = cut.count
      fitted.isCut = true
      columns = cut.columns + 1
    }
    let room = max(0, width - columns)
    switch alignment {
    case .left: fitted.after = room
    case .right: fitted.before = room
    case .center: (fitted.before, fitted.after) = (room / 2, room - room / 2)
    }
    return fitted
  }
}
