/// A range of a line with a highlight group.
package struct TextSpan: Hashable, Sendable {
  package var line: Int

  /// Offsets in the line, in bytes.
  package var start: Int
  package var end: Int

  /// The name of the group, in UTF-8.
  package var group: [UInt8]

  /// The group of text that a query has matched.
  package static let match = Array("match".utf8)

  static func < (a: TextSpan, b: TextSpan) -> Bool {
    (a.line, a.start, a.end) < (b.line, b.start, b.end)
  }
}

extension RenderedText {
  /// Returns the spans of a range of lines, in ascending order.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of spans.
  package func spans(ofLines lines: Range<Int>) -> ArraySlice<TextSpan> {
    spans[firstSpan(atLine: lines.lowerBound)..<firstSpan(atLine: lines.upperBound)]
  }

  private func firstSpan(atLine line: Int) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].line < line { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Reports whether two lines of two texts have the same spans.
  func hasSameSpans(_ line: Int, _ other: Int, of text: RenderedText) -> Bool {
    if spans.isEmpty, text.spans.isEmpty { return true }
    let own = spans(ofLines: line..<line + 1)
    let others = text.spans(ofLines: other..<other + 1)
    return own.count == others.count
      && zip(own, others).allSatisfy {
        $0.start == $1.start && $0.end == $1.end && $0.group == $1.group
      }
  }

  /// Reports whether two texts with the same lines have the same spans.
  package func hasSameSpans(as text: RenderedText) -> Bool { spans == text.spans }
}
