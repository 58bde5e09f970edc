/// The text of a list: lines, and which of them are whose.
///
/// It is made of blocks: of each section the header, the rows and the footer, in the order of the
/// list. A block has any number of lines; a header that is not there has none.
package struct RenderedText: Hashable, Sendable {
  /// The text, each line with a line feed at its end.
  package internal(set) var bytes: [UInt8] = []

  /// The offset of each line, and at the end the number of bytes.
  var lineOffsets: [Int] = [0]

  /// By block the number of its first line, and at the end the number of lines.
  var blockStarts: [Int32] = [0]

  /// By section the index of its first row, and at the end the number of rows.
  var rowStarts: [Int] = [0]
  var rowCount = 0

  /// The spans of all lines, ascending.
  package internal(set) var spans: [TextSpan] = []

  /// The text of an empty list.
  package init() {}

  /// The number of lines.
  package var lineCount: Int { lineOffsets.count - 1 }

  /// The number of sections.
  package var sectionCount: Int { rowStarts.count - 1 }

  /// The number of blocks.
  var blockCount: Int { blockStarts.count - 1 }

  /// The bytes of some lines.
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

  /// Makes each line break in the bytes from `start` on, of whatever kind, the end of a line.
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

  /// Appends a value line by line as a column shows it, the first to the line that was begun; notes which
  /// parts belong to the column's group and which were matched.
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
