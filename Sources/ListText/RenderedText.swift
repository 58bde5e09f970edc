/// The text of a list, as lines, with the owner of each line.
///
/// The text consists of blocks: the header, the rows and the footer of each section, in list order.
/// A block has any number of lines. A missing header has none:
///
/// ```
///   block  owner        lines
///   0      header 0     0..<1
///   1      row 0        1..<2
///   2      row 1        2..<5
///   3      footer 0     5..<5
/// ```
package struct RenderedText: Hashable, Sendable {
  /// The text. Each line ends with a line feed.
  package internal(set) var bytes: [UInt8] = []

  /// The offset of each line, followed by the number of bytes.
  var lineOffsets: [Int] = [0]

  /// The first line of each block, followed by the number of lines.
  var blockStarts: [Int32] = [0]

  /// The first row of each section, followed by the number of rows.
  var rowStarts: [Int] = [0]
  var rowCount = 0

  /// The spans of all lines, in ascending order.
  package internal(set) var spans: [TextSpan] = []

  /// Creates the text of an empty list.
  package init() {}

  /// The number of lines.
  package var lineCount: Int { lineOffsets.count - 1 }

  /// The number of sections.
  package var sectionCount: Int { rowStarts.count - 1 }

  /// The number of blocks.
  var blockCount: Int { blockStarts.count - 1 }

  /// Returns the bytes of a range of lines.
  package func bytes(ofLines lines: Range<Int>) -> ArraySlice<UInt8> {
    bytes[lineOffsets[lines.lowerBound]..<lineOffsets[lines.upperBound]]
  }

  func isSameLine(_ line: Int, _ other: Int, of text: RenderedText) -> Bool {
    bytes(ofLines: line..<line + 1).elementsEqual(text.bytes(ofLines: other..<other + 1))
  }
}

extension RenderedText {
  mutating func endLine() {
    bytes.append(0x0A)
    lineOffsets.append(bytes.count)
  }

  mutating func endBlock() { blockStarts.append(Int32(truncatingIfNeeded: lineCount)) }

  /// Ends a line at each line break of any kind in the bytes from `start` on.
  mutating func breakLines(from start: Int) {
    guard let first = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      return
    }
    let rest = bytes[first...]
    bytes.removeSubrange(first...)
    var isAfterReturn = false
    for byte in rest {
      if byte == 0x0D || (byte == 0x0A && !isAfterReturn) {
        endLine()
      } else if byte != 0x0A {
        bytes.append(byte)
      }
      isAfterReturn = byte == 0x0D
    }
  }

  /// Appends a value line by line in the format of a column, starting in the current line. Adds
  /// spans for the column's group and for matches.
  mutating func append(_ value: [UInt8], in column: Column, matches: [Range<Int>]) {
    var start = 0
    while true {
      let end = value[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? value.endIndex
      append(line: value[start..<end], in: column, matches: matches)
      guard end < value.endIndex else { return }
      endLine()
      let isPair = value[end] == 0x0D && end + 1 < value.endIndex && value[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
    }
  }

  private mutating func append(
    line: ArraySlice<UInt8>, in column: Column, matches: [Range<Int>]
  ) {
    let lineStart = lineOffsets[lineCount]
    let start = bytes.count - lineStart
    let fitted = column.fit(line)
    bytes.append(contentsOf: repeatElement(0x20, count: fitted.before))
    let shown = line.startIndex..<line.startIndex + fitted.count
    let shift = bytes.count - lineStart - shown.lowerBound
    bytes.append(contentsOf: line[shown])
    if fitted.isCut { bytes.append(contentsOf: Column.ellipsis) }
    bytes.append(contentsOf: repeatElement(0x20, count: fitted.after))
    let end = bytes.count - lineStart
    if let group = column.group, start < end {
      spans.append(TextSpan(line: lineCount, start: start, end: end, group: group))
    }
    for match in matches {
      let part = match.clamped(to: shown)
      guard !part.isEmpty else { continue }
      spans.append(
        TextSpan(
          line: lineCount, start: part.lowerBound + shift, end: part.upperBound + shift,
          group: TextSpan.match))
    }
  }
}

extension RenderedText {
  /// Stops the program if an invariant is violated: each line ends with a line feed, blocks and
  /// sections divide the lines, and spans are ascending and within their lines.
  ///
  /// - Complexity: O(*b* + *n*), where *b* is the number of bytes and *n* the number of rows.
  package func checkInvariants() {
    precondition(
      lineOffsets[0] == 0 && lineOffsets[lineCount] == bytes.count, "lines are all bytes")
    for (start, end) in zip(lineOffsets, lineOffsets.dropFirst()) {
      precondition(
        bytes[start..<end].firstIndex(of: 0x0A) == end - 1, "a line ends with a line feed")
    }
    precondition(
      blockStarts[0] == 0 && Int(blockStarts[blockCount]) == lineCount, "blocks are all lines")
    precondition(
      zip(blockStarts, blockStarts.dropFirst()).allSatisfy { $0 <= $1 }, "blocks are in order")
    precondition(
      rowStarts[0] == 0 && rowStarts[sectionCount] == rowCount, "sections contain all rows")
    precondition(
      zip(rowStarts, rowStarts.dropFirst()).allSatisfy { $0 <= $1 }, "sections are in order")
    precondition(blockCount == rowCount + 2 * sectionCount, "each row and section has its blocks")
    precondition(!zip(spans, spans.dropFirst()).contains { $1 < $0 }, "spans are ascending")
    for span in spans {
      precondition(
        0 <= span.start && span.start <= span.end
          && span.end < bytes(ofLines: span.line..<span.line + 1).count, "a span is in its line")
    }
  }
}
