/// The style of some characters of a line.
package struct StyleSpan: Hashable, Sendable {
  /// The characters, as code points from the start of the line.
  package var range: Range<Int>
  package var style: CellStyle

  package init(range: Range<Int>, style: CellStyle) {
    self.range = range
    self.style = style
  }
}

/// A line with escape sequences that set styles (SGR, in ECMA-48).
package enum StyledLine {
  /// Returns the bytes of a line without its escape sequences, and the styles that these set.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func read(_ line: ArraySlice<UInt8>) -> (text: [UInt8], styles: [StyleSpan]) {
    guard line.contains(0x1B) else { return (Array(line), []) }
    var text: [UInt8] = []
    text.reserveCapacity(line.count)
    var spans: [StyleSpan] = []
    var style = CellStyle()
    // The number of characters so far, and where the style begins.
    var (count, start) = (0, 0)
    func span() {
      if style != CellStyle(), start < count {
        spans.append(StyleSpan(range: start..<count, style: style))
      }
    }
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      guard byte == 0x1B, let (end, isStyle) = escapeEnd(line, index) else {
        text.append(byte)
        // An estimate for what is not UTF-8, each byte of which is shown.
        if byte & 0xC0 != 0x80 { count += 1 }
        index += 1
        continue
      }
      if isStyle {
        span()
        start = count
        apply(line[index + 2..<end - 1], to: &style)
      }
      index = end
    }
    span()
    return (text, spans)
  }

  /// Returns the end of the escape sequence at an index, and whether it sets a style.
  private static func escapeEnd(
    _ line: ArraySlice<UInt8>, _ index: Int
  ) -> (end: Int, isStyle: Bool)? {
    guard index + 1 < line.endIndex else { return nil }
    switch line[index + 1] {
    case 0x5B:
      var end = index + 2
      while end < line.endIndex, (0x20...0x3F).contains(line[end]) { end += 1 }
      guard end < line.endIndex, (0x40...0x7E).contains(line[end]) else { return nil }
      return (end + 1, line[end] == 0x6D)
    case 0x5D:
      // A command of the system, such as a link.
      var end = index + 2
      while end < line.endIndex {
        if line[end] == 0x07 { return (end + 1, false) }
        if line[end] == 0x1B, end + 1 < line.endIndex, line[end + 1] == 0x5C {
          return (end + 2, false)
        }
        end += 1
      }
      return nil
    case 0x28, 0x29: return index + 2 < line.endIndex ? (index + 3, false) : nil
    default: return nil
    }
  }

  private static func apply(_ parameters: ArraySlice<UInt8>, to style: inout CellStyle) {
    let numbers = parameters.split(omittingEmptySubsequences: false) { $0 == 0x3B || $0 == 0x3A }
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    var index = 0
    while index < numbers.count {
      let number = numbers[index]
      index += 1
      switch number {
      case 0: style = CellStyle()
      case 1: style.isBold = true
      case 2: style.isDim = true
      case 4: style.isUnderlined = true
      case 7: style.isReversed = true
      case 22: (style.isBold, style.isDim) = (false, false)
      case 24: style.isUnderlined = false
      case 27: style.isReversed = false
      case 30...37: style.foreground = .ansi(number - 30)
      case 90...97: style.foreground = .ansi(number - 82)
      case 39: style.foreground = nil
      case 40...47: style.background = .ansi(number - 40)
      case 100...107: style.background = .ansi(number - 92)
      case 49: style.background = nil
      case 38: style.foreground = color(numbers, &index) ?? style.foreground
      case 48: style.background = color(numbers, &index) ?? style.background
      default: break
      }
    }
  }

  /// Reads a colour of 256, or of red, green and blue.
  private static func color(_ numbers: [Int], _ index: inout Int) -> CellStyle.Color? {
    guard index < numbers.count else { return nil }
    if numbers[index] == 5, index + 1 < numbers.count {
      index += 2
      return .ansi(numbers[index - 1] & 255)
    }
    guard numbers[index] == 2, index + 3 < numbers.count else { return nil }
    let parts = numbers[index + 1...index + 3].map { max(0, min($0, 255)) }
    index += 4
    return .nearest(parts)
  }
}

extension CellStyle.Color {
  /// A colour of xterm's 256.
  package static func ansi(_ index: Int) -> Self {
    Self(UInt8(index), or: UInt8(nearestOfEight(index)))
  }

  /// The colour of xterm's cube that is nearest to one of red, green and blue, each from 0 to 255.
  package static func nearest(_ parts: [Int]) -> Self {
    // The cube has six steps, whose values are 0, 95, 135, … 255.
    let steps = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
    return .ansi(16 + 36 * steps[0] + 6 * steps[1] + steps[2])
  }

  private static func nearestOfEight(_ index: Int) -> Int {
    if index < 16 { return index & 7 }
    if index >= 232 { return index >= 244 ? 7 : 0 }
    let (red, green, blue) = ((index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6)
    return (red > 2 ? 1 : 0) | (green > 2 ? 2 : 0) | (blue > 2 ? 4 : 0)
  }
}
