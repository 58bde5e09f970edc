/// How a template shows a member: in how many columns of a terminal, and under which name clients
/// find it.
package struct Column: Hashable, Sendable {
  /// Where a value is in a column that is wider.
  package enum Alignment: Hashable, Sendable {
    case left
    case right
    case center
  }

  package var alignment = Alignment.left

  /// The least number of display columns; 0 if the member takes what it needs.
  package var width = 0

  /// Whether a value that is wider is cut, with an ellipsis at its end.
  package var truncates = false

  /// The name of a highlight group.
  package var group: [UInt8]?

  /// As a member is shown of which the template says nothing.
  package static let plain = Column()

  /// The widths that a template may ask for.
  package static let widths = 1...1000

  package init() {}
}

extension Column {
  /// Reads `[<>^]WIDTH…#GROUP`: an alignment, which may be omitted; a width; an ellipsis, which may be
  /// omitted; and the name of a group. The width with what belongs to it or the group may be omitted,
  /// but not both.
  ///
  /// Returns `nil` for anything else.
  init?(_ source: ArraySlice<UInt8>) {
    guard !source.isEmpty else { return nil }
    self.init()
    var rest = source
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

  /// The name of a group after its number sign; `nil` if it is not one.
  static func group(_ source: ArraySlice<UInt8>) -> [UInt8]? {
    guard source.first == 0x23, source.count > 1 else { return nil }
    let name = source.dropFirst()
    return name.contains { $0 <= 0x20 || $0 == 0x23 || $0 == 0x7F } ? nil : Array(name)
  }

  static let ellipsis = Array("…".utf8)

  /// What is shown of a line of a value.
  struct Fitted {
    /// The spaces before and after it.
    var before = 0
    var after = 0

    /// How many bytes of the line are shown.
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
    // Where the line is cut if it is too wide: one column is for the ellipsis.
    var cut = (count: 0, columns: 0)
    DisplayWidth.forEachCharacter(of: line) { length, size in
      columns += size
      if columns < width { cut = (cut.count + length, columns) }
      // What combines with a character that is left out is left out, too.
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
