import ListText
import Terminals

/// A text whose characters have styles, to be cut and drawn.
struct StyledText {
  /// Code points, each with the number of columns that it takes.
  private var scalars: [Unicode.Scalar] = []
  private var widths: [Int] = []
  private var styles: [CellStyle] = []

  /// The index of each code point of the text, if tabulators were expanded.
  private var indices: [Int] = []

  private init() {}

  /// Creates a text of UTF-8. Bytes that are not UTF-8 are shown as U+FFFD.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(_ bytes: ArraySlice<UInt8>, _ spans: [StyleSpan], tabStop: Int) {
    var column = 0
    var span = spans[...]
    for (offset, scalar) in String(decoding: bytes, as: UTF8.self).unicodeScalars.enumerated() {
      while let first = span.first, first.range.upperBound <= offset { span.removeFirst() }
      let style =
        span.first.flatMap { $0.range.contains(offset) ? $0.style : nil } ?? CellStyle()
      indices.append(scalars.count)
      if scalar == "\t" {
        let count = tabStop - column % tabStop
        for _ in 0..<count { append(" ", 1, style) }
        column += count
      } else {
        let width = Frame.columns(of: String(scalar))
        append(scalar, width, style)
        column += width
      }
    }
    indices.append(scalars.count)
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ width: Int, _ style: CellStyle) {
    scalars.append(scalar)
    widths.append(width)
    styles.append(style)
  }

  var isEmpty: Bool { scalars.isEmpty }

  /// The number of columns.
  var columns: Int { widths.reduce(0, +) }

  /// Changes the styles of ranges of the original text.
  mutating func restyle(_ ranges: [Range<Int>], _ change: (inout CellStyle) -> Void) {
    for range in ranges where range.upperBound < indices.count {
      for index in indices[range.lowerBound]..<indices[range.upperBound] { change(&styles[index]) }
    }
  }

  /// Changes all styles.
  mutating func restyle(_ change: (inout CellStyle) -> Void) {
    for index in styles.indices { change(&styles[index]) }
  }

  /// Removes and returns the beginning that fits into a number of columns: at least one character.
  mutating func takePrefix(columns: Int) -> StyledText {
    var used = 0
    var count = 0
    while count < widths.count, used + widths[count] <= columns || count == 0 {
      used += widths[count]
      count += 1
    }
    var part = StyledText()
    part.scalars = Array(scalars[..<count])
    part.widths = Array(widths[..<count])
    part.styles = Array(styles[..<count])
    scalars.removeFirst(count)
    widths.removeFirst(count)
    styles.removeFirst(count)
    return part
  }

  /// The part of the text that fits into a number of columns and has the end of the last of some ranges,
  /// with two dots where it is cut.
  func cut(to columns: Int, showing last: Int) -> StyledText {
    guard self.columns > columns else { return self }
    let dots = 2
    guard columns > 2 * dots else {
      var rest = self
      return rest.takePrefix(columns: columns)
    }
    let end = last < indices.count ? indices[last] : scalars.count
    var start = 0
    let before = widths[..<end].reduce(0, +)
    if before > columns - dots {
      // Some characters after the match are shown, too.
      let after = min(10, columns / 4, self.columns - before)
      var used = dots + (before + after < self.columns ? dots : 0) + after
      start = end
      while start > 0, used + widths[start - 1] <= columns {
        start -= 1
        used += widths[start]
      }
    }
    var part = StyledText()
    if start > 0 { for _ in 0..<dots { part.append("·", 1, CellStyle(nil, dim: true)) } }
    var used = start > 0 ? dots : 0
    var index = start
    let rest = widths[start...].reduce(0, +)
    let room = used + rest > columns ? columns - dots : columns
    while index < scalars.count, used + widths[index] <= room {
      part.append(scalars[index], widths[index], styles[index])
      used += widths[index]
      index += 1
    }
    if index < scalars.count {
      for _ in 0..<dots { part.append("·", 1, CellStyle(nil, dim: true)) }
    }
    return part
  }

  /// Writes the text, and returns the column after it.
  @discardableResult
  func write(on frame: inout Frame, at x: Int, _ y: Int, before end: Int) -> Int {
    var column = x
    var index = 0
    while index < scalars.count {
      var text = String.UnicodeScalarView()
      let style = styles[index]
      repeat {
        text.append(scalars[index])
        index += 1
      } while index < scalars.count && (styles[index] == style || widths[index] == 0)
      column = frame.write(String(text), at: column, y, before: end, style)
    }
    return column
  }
}
