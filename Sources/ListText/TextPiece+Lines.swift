extension TextPiece {
  /// Ends a line at each line break of any kind in the bytes from `start` on.
  mutating func breakLines(from start: Int) {
    guard let first = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      return
    }
    let rest = Array(bytes[first...])
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
    let lineStart = offset(ofLine: lineEnds.count)
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
      spans.append(TextSpan(line: lineEnds.count, start: start, end: end, group: group))
    }
    for match in matches {
      let part = match.clamped(to: shown)
      guard !part.isEmpty else { continue }
      spans.append(
        TextSpan(
          line: lineEnds.count, start: part.lowerBound + shift, end: part.upperBound + shift,
          group: TextSpan.match))
    }
  }
}
