import JSONBytes
import ListText

extension StyledText {
  /// Returns lines of at most `limit` columns that show all differences. Text between differences is
  /// cut, and if they need more room than one line, there are several. Text without differences is
  /// returned as it is.
  ///
  /// - Complexity: O(*n* + *m* log *m*), where *n* is the number of bytes and *m* that of marks.
  func lines(ofWidth limit: Int) -> [StyledText] {
    guard marks.contains(where: { $0.style == .old || $0.style == .new }) else { return [self] }
    let glyphs = glyphs
    guard glyphs.reduce(0, { $0 + $1.columns }) > limit else { return [self] }
    var lines = [StyledText()]
    var column = 0
    for glyph in Self.shortened(glyphs, to: limit) {
      if column > 0, column + glyph.columns > limit {
        lines.append(StyledText())
        column = 0
      }
      column += glyph.columns
      lines[lines.count - 1].append(glyph.text, glyph.style)
    }
    return lines
  }

  /// A character, or what replaces characters.
  private struct Glyph {
    var text: ArraySlice<UInt8>
    var columns: Int
    var style: Style?
  }

  private var glyphs: [Glyph] {
    var glyphs: [Glyph] = []
    var marks = marks[...]
    DisplayText.forEachCharacter(of: bytes) { scalar, shown, offset in
      while let mark = marks.first, offset >= mark.range.upperBound { marks.removeFirst() }
      let isMarked = marks.first.map { offset >= $0.range.lowerBound } ?? false
      if let last = glyphs.indices.last {
        glyphs[last].text = bytes[glyphs[last].text.startIndex..<offset]
      }
      let columns = scalar == "\t" ? 8 : shown?.unicodeScalars.count ?? DisplayWidth.of(scalar)
      glyphs.append(
        Glyph(text: bytes[offset...], columns: columns, style: isMarked ? marks.first?.style : nil))
    }
    return glyphs
  }

  /// The number of columns that text between differences keeps in any case, if all of it is to have
  /// one line, and otherwise.
  private static let leastColumns = (inOne: 8, inSeveral: 24)

  /// Cuts the text between differences so that all of it has `limit` columns, if possible, and each
  /// difference that is longer than two lines.
  private static func shortened(_ glyphs: [Glyph], to limit: Int) -> [Glyph] {
    let parts = glyphs.indices.reduce(into: [Range<Int>]()) { parts, index in
      if let last = parts.last, glyphs[last.lowerBound].style == glyphs[index].style {
        parts[parts.count - 1] = last.lowerBound..<index + 1
      } else {
        parts.append(index..<index + 1)
      }
    }
    let columns = parts.map { glyphs[$0].reduce(0) { $0 + $1.columns } }
    let isGap = parts.map { glyphs[$0.lowerBound].style == nil }
    var widths = columns.map { min($0, 2 * limit) }
    let gaps = parts.indices.filter { isGap[$0] }.sorted { columns[$0] < columns[$1] }
    let kept = parts.indices.reduce(0) { $0 + (isGap[$1] ? 0 : widths[$1]) }
    // Short gaps leave their share to longer ones.
    let isOne = kept + gaps.count * leastColumns.inOne <= limit
    var room =
      isOne ? limit - kept : max(limit - kept, gaps.count * leastColumns.inSeveral)
    for (index, gap) in gaps.enumerated() {
      widths[gap] = min(columns[gap], room / (gaps.count - index))
      room -= widths[gap]
    }
    var result: [Glyph] = []
    for (index, part) in parts.enumerated() {
      let part = glyphs[part]
      guard columns[index] > widths[index] else {
        result += part
        continue
      }
      let room = widths[index] - 1
      // The text beside a difference remains.
      let isFirst = isGap[index] && index == 0
      let isLast = isGap[index] && index == parts.count - 1
      let head = isFirst ? 0 : isLast ? room : room / 2
      result += prefix(of: part, head)
      result.append(Glyph(text: Array("…".utf8)[...], columns: 1, style: part.first?.style))
      result += prefix(of: part.reversed(), room - head).reversed()
    }
    return result
  }

  /// The first glyphs that fit `columns` columns.
  private static func prefix(of glyphs: some Collection<Glyph>, _ columns: Int) -> [Glyph] {
    var rest = columns
    return glyphs.prefix { glyph in
      rest -= glyph.columns
      return rest >= 0
    }
    .map { $0 }
  }
}
