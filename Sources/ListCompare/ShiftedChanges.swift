import ByteBuffers

/// The changes of one text, of which each is shifted to the place at which it reads best.
///
/// A group of consecutive changed lines can be shifted down by a line if the line after it is equal
/// to its first one. Groups that touch become one. A group is shifted to a change of the other text,
/// or else to a place between paragraphs or blocks of lines.
struct ShiftedChanges {
  /// By row, whether it is changed.
  private(set) var isChanged: [Bool]
  private let isOtherChanged: [Bool]
  private let keys: [UInt32]

  /// The group of changed rows, and the rows of the other text between the same unchanged rows.
  private var group = 0..<0
  private var other = 0..<0

  /// Shifts the changes of a text whose lines have the given keys. `indents` measures lines.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows, if few groups meet when they are shifted.
  init(_ isChanged: [Bool], _ isOtherChanged: [Bool], keys: [UInt32], _ indents: LineIndents) {
    self.isChanged = isChanged
    self.isOtherChanged = isOtherChanged
    self.keys = keys
    other = 0..<end(ofOther: 0)
    while moveToNextGroup() { shift(indents) }
  }

  private mutating func shift(_ indents: LineIndents) {
    var count = 0
    var highest = 0
    // The last end of the group at which the other text has changes.
    var matching: Int?
    repeat {
      count = group.count
      while shiftUp() {}
      highest = group.upperBound
      matching = other.isEmpty ? nil : group.upperBound
      while shiftDown() {
        if !other.isEmpty { matching = group.upperBound }
      }
    } while group.count != count
    if group.upperBound == highest { return }
    let end = matching ?? indents.bestEnd(of: group, from: highest)
    while group.upperBound > end { _ = shiftUp() }
  }

  private mutating func moveToNextGroup() -> Bool {
    let (row, place) = Self.nextChange(isChanged.span, group.upperBound, isOtherChanged.span, other)
    guard row < isChanged.count else { return false }
    group = row..<end(of: row)
    other = place
    return true
  }

  /// The first changed row from `row` on, and the other rows at its place. `place` is that of `row`.
  private static func nextChange(
    _ isChanged: Span<Bool>, _ row: Int, _ isOtherChanged: Span<Bool>, _ place: Range<Int>
  ) -> (Int, Range<Int>) {
    var row = row
    var (start, end) = (place.lowerBound, place.upperBound)
    while row < isChanged.count, !isChanged[row] {
      row &+= 1
      start = end &+ 1
      end = start
      while end < isOtherChanged.count, isOtherChanged[end] { end &+= 1 }
    }
    return (row, start..<end)
  }

  private mutating func shiftUp() -> Bool {
    let start = group.lowerBound - 1
    guard start >= 0, keys[start] == keys[group.upperBound - 1] else { return false }
    isChanged[start] = true
    isChanged[group.upperBound - 1] = false
    var first = start
    while first > 0, isChanged[first - 1] { first -= 1 }
    group = first..<group.upperBound - 1
    let end = other.lowerBound - 1
    first = end
    while first > 0, isOtherChanged[first - 1] { first -= 1 }
    other = first..<end
    return true
  }

  private mutating func shiftDown() -> Bool {
    let end = group.upperBound
    guard end < keys.count, keys[end] == keys[group.lowerBound] else { return false }
    isChanged[group.lowerBound] = false
    isChanged[end] = true
    group = group.lowerBound + 1..<self.end(of: end)
    other = other.upperBound + 1..<self.end(ofOther: other.upperBound + 1)
    return true
  }

  private func end(of row: Int) -> Int {
    var row = row
    while row < isChanged.count, isChanged[row] { row += 1 }
    return row
  }

  private func end(ofOther row: Int) -> Int {
    var row = row
    while row < isOtherChanged.count, isOtherChanged[row] { row += 1 }
    return row
  }
}

extension ComparedFile {
  /// The number of lines by which a change is shifted at most, to read better.
  package static let mostShiftedLines = 100
}

/// Measures how lines are indented, and finds the places between blocks of lines.
struct LineIndents {
  private let side: TextRows.Side
  private let text: UnsafeRawBufferPointer

  private static let tabWidth = 8

  /// More blank lines than this are not looked at.
  private static let mostBlanks = 20

  init(_ side: TextRows.Side, _ text: UnsafeRawBufferPointer) {
    self.side = side
    self.text = text
  }

  /// Returns the best end of a group that ends at its last place, from `highest` on.
  func bestEnd(of group: Range<Int>, from highest: Int) -> Int {
    let first = max(highest, group.upperBound - ComparedFile.mostShiftedLines)
    var best = group.upperBound
    var least = Border.worst
    for end in first...group.upperBound {
      let border = border(at: end - group.count) + border(at: end)
      if !(least < border) {
        least = border
        best = end
      }
    }
    return best
  }

  /// How well lines are separated between a row and the one before it.
  private func border(at row: Int) -> Border {
    var border = Border()
    var next = row
    while next < min(side.count, row + Self.mostBlanks), indent(next) == nil { next += 1 }
    var last = row - 1
    while last >= max(0, row - Self.mostBlanks), indent(last) == nil { last -= 1 }
    border.indent = next < side.count ? indent(next) ?? 0 : 0
    let before = last >= 0 ? indent(last) ?? 0 : 0
    border.blanksBefore = row - 1 - last
    if border.blanksBefore == 0, next == row, before > border.indent { border.closings = 1 }
    return border
  }

  /// The width of the white space before a line; nil if the line is blank.
  private func indent(_ row: Int) -> Int? {
    var width = 0
    for byte in side.bytes(row, of: text) {
      switch byte {
      case 0x20: width += 1
      case 0x09: width += Self.tabWidth - width % Self.tabWidth
      case 0x0A, 0x0C, 0x0D: break
      default: return width
      }
    }
    return nil
  }
}

/// The quality of a place between lines: the lower, the better.
private struct Border: Comparable {
  /// The indentation of the line after it.
  var indent = 0
  /// Whether that line closes a block, as seen by its indentation.
  var closings = 0
  /// The number of blank lines just before it.
  var blanksBefore = 0

  static let worst = Border(indent: .max)

  static func + (a: Border, b: Border) -> Border {
    Border(
      indent: a.indent + b.indent, closings: a.closings + b.closings,
      blanksBefore: a.blanksBefore + b.blanksBefore)
  }

  static func < (a: Border, b: Border) -> Bool {
    (a.indent, a.closings, -a.blanksBefore) < (b.indent, b.closings, -b.blanksBefore)
  }
}
