import FuzzyMatch
import ListText

/// Converts the offsets of ascending spans of a text from bytes to another unit.
struct LineOffsets {
  private let text: RenderedText
  private let unit: OffsetUnit

  /// The line of the last span, and its start in bytes and in the unit.
  private var line = -1
  private var bytes: [UInt8] = []
  private var start = 0
  private var unitStart = 0

  init(_ text: RenderedText, _ unit: OffsetUnit) {
    self.text = text
    self.unit = unit
  }

  /// Returns the range of a span in its line.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes from the start of the span before to the
  ///   end of this one; of the first span of a line, from the start of the line.
  mutating func range(of span: TextSpan) -> Range<Int> {
    if unit == .utf8 { return span.start..<span.end }
    if span.line != line {
      line = span.line
      bytes = text.bytes(ofLines: line..<line + 1)
      (start, unitStart) = (0, 0)
    }
    unitStart += unit.length(of: bytes[start..<span.start])
    start = span.start
    return unitStart..<unitStart + unit.length(of: bytes[start..<span.end])
  }
}
