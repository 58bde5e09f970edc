import ListDiff

/// Lines of an old text and the lines of a new text that replace them.
package struct LineEdit: Hashable, Sendable {
  package var old: Range<Int>
  package var new: Range<Int>

  package init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}

/// Lines of an old text that are deleted there and inserted elsewhere because their rows moved.
package struct LineMove: Hashable, Sendable {
  /// The first line in the old text and in the new one.
  package var from: Int
  package var to: Int
  package var count: Int
}

/// The difference between two texts.
package struct TextDifference: Hashable, Sendable {
  /// The edits in ascending order. They do not touch each other.
  package var edits: [LineEdit] = []

  /// The moves among the lines that the edits delete and insert, in the order of the new text.
  package var moves: [LineMove] = []

  package init() {}
}

extension RenderedText {
  /// Returns the edits that turn this text into another one. If `comparesSpans`, lines are equal
  /// only if their spans are. `hasSameBytes` reports whether the texts have the same bytes, if that is
  /// known.
  ///
  /// The edits are ascending, do not touch each other, and replace as few lines as possible, given
  /// the pairs of rows and sections. Of the pairs of rows, headers and footers, those with the same
  /// order in both texts and the most common lines are kept, namely their common first and last
  /// lines. In the gap between two kept pairs or lines, the common first and last lines are kept,
  /// too. All other lines are replaced:
  ///
  /// ```
  ///   old:  | a1 a2 | b | c1 c2 |         kept: a1, c1 c2
  ///   new:  | a1 x2 | y | c1 c2 | b |     edits: a2, b => x2, y; insert b      moves: b
  /// ```
  ///
  /// - Complexity: O(*b* + *r* log *n*), where *b* is the number of bytes that are not known to be
  ///   equal, *r* the number of runs of pairs and of pairs that are not known to be equal, and *n*
  ///   the number of rows.
  package func difference(
    to new: RenderedText, _ pairs: RowPairs, comparesSpans: Bool = false, hasSameBytes: Bool? = nil
  ) -> TextDifference {
    // Rows with equal texts may have been swapped.
    if hasSameBytes ?? self.hasSameBytes(as: new, pairs),
      !comparesSpans || hasSameSpans(as: new, pairs)
    {
      return TextDifference()
    }
    var difference = TextDifference()
    if lineCount == 0 {
      difference.edits = [LineEdit(old: 0..<0, new: 0..<new.lineCount)]
      return difference
    }
    var lines = LinePairs(self, new, comparesSpans: comparesSpans)
    var blocks = BlockPairs()
    for run in pairs.runs {
      if run.isSame {
        blocks.append(run, &lines)
      } else {
        for index in 0..<Int(run.count) {
          blocks.append(Int(run.old) + index, Int(run.new) + index, &lines)
        }
      }
    }
    let (kept, moved) = blocks.byOrder
    difference.edits = edits(keeping: kept, lines)
    difference.moves = difference.edits.moves(
      of: moved.map {
        LineMove(
          from: $0.oldLines.lowerBound, to: $0.newLines.lowerBound,
          count: min($0.oldLines.count, $0.newLines.count))
      })
    return difference
  }

  /// Returns the edits of the gaps between the kept lines.
  private func edits(keeping pairs: [BlockPair], _ texts: LinePairs) -> [LineEdit] {
    var gaps = GapEdits(texts)
    for pair in pairs {
      let (oldLines, newLines) = (pair.oldLines, pair.newLines)
      let head = Int(pair.head)
      let tail = Int(pair.tail)
      gaps.cut(oldLines.lowerBound, newLines.lowerBound)
      if head > 0 { gaps.keep(oldLines.lowerBound, newLines.lowerBound, head) }
      // All lines of equal blocks are common lines at the start.
      guard pair.count == 1 else { continue }
      if tail > 0 { gaps.keep(oldLines.upperBound - tail, newLines.upperBound - tail, tail) }
      gaps.cut(oldLines.upperBound, newLines.upperBound)
    }
    gaps.keep(lineCount, texts.new.text.lineCount, 0)
    return gaps.edits
  }
}

extension [LineEdit] {
  /// Returns the lines of moved rows that the edits delete and insert, as few moves as possible.
  func moves(of rows: [LineMove]) -> [LineMove] {
    var moves: [LineMove] = []
    for row in rows {
      for (from, to) in zip(row.from..<row.from + row.count, row.to..<row.to + row.count)
      where contains(from, \.old) && contains(to, \.new) {
        if let last = moves.last, last.from + last.count == from, last.to + last.count == to {
          moves[moves.count - 1].count += 1
        } else {
          moves.append(LineMove(from: from, to: to, count: 1))
        }
      }
    }
    return moves
  }

  /// Reports whether a line is in a range of one of the edits.
  fileprivate func contains(_ line: Int, _ range: (LineEdit) -> Range<Int>) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if range(self[middle]).upperBound <= line { low = middle + 1 } else { high = middle }
    }
    return low < count && range(self[low]).contains(line)
  }
}

/// Two texts whose lines are compared.
struct LinePairs {
  var old: TextReader
  var new: TextReader

  /// Whether lines are equal only if their spans are.
  private let comparesSpans: Bool

  init(_ old: RenderedText, _ new: RenderedText, comparesSpans: Bool) {
    self.old = TextReader(old)
    self.new = TextReader(new)
    self.comparesSpans = comparesSpans
  }

  private mutating func isSame(_ line: Int, _ other: Int) -> Bool {
    old.isSameLine(line, other, of: &new)
      && (!comparesSpans || old.hasSameSpans(line, other, of: &new))
  }

  /// Returns the number of equal lines at the start of two ranges.
  mutating func commonHead(_ lines: Range<Int>, _ others: Range<Int>) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSame(lines.lowerBound + count, others.lowerBound + count)
    {
      count += 1
    }
    return count
  }

  /// Returns the number of equal lines at the end of two ranges.
  mutating func commonTail(_ lines: Range<Int>, _ others: Range<Int>) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSame(lines.upperBound - 1 - count, others.upperBound - 1 - count)
    {
      count += 1
    }
    return count
  }

  /// Returns an edit without the equal lines at both ends.
  mutating func trimmed(_ edit: LineEdit) -> LineEdit {
    let head = commonHead(edit.old, edit.new)
    let tail = commonTail(edit.old.dropFirst(head), edit.new.dropFirst(head))
    return LineEdit(
      old: edit.old.lowerBound + head..<edit.old.upperBound - tail,
      new: edit.new.lowerBound + head..<edit.new.upperBound - tail)
  }
}

/// The edits of the gaps between common lines of two texts, collected from start to end.
private struct GapEdits {
  private var texts: LinePairs
  private(set) var edits: [LineEdit] = []
  private var oldLine = 0
  private var newLine = 0

  /// The boundaries of paired blocks since the last kept line.
  private var cuts: [(old: Int, new: Int)] = []

  init(_ texts: LinePairs) { self.texts = texts }

  /// Records a boundary of paired blocks.
  mutating func cut(_ oldLine: Int, _ newLine: Int) { cuts.append((oldLine, newLine)) }

  /// Keeps lines that both texts have. They follow the lines that were kept before.
  mutating func keep(_ oldStart: Int, _ newStart: Int, _ count: Int) {
    if oldStart > oldLine || newStart > newLine {
      add(texts.trimmed(LineEdit(old: oldLine..<oldStart, new: newLine..<newStart)))
    }
    cuts.removeAll(keepingCapacity: true)
    oldLine = oldStart + count
    newLine = newStart + count
  }

  /// Adds the edits of a gap, one part after the other.
  private mutating func add(_ gap: LineEdit) {
    var rest = gap
    for (old, new) in cuts
    where rest.old.lowerBound...rest.old.upperBound ~= old
      && rest.new.lowerBound...rest.new.upperBound ~= new
    {
      append(LineEdit(old: rest.old.lowerBound..<old, new: rest.new.lowerBound..<new))
      rest = LineEdit(old: old..<rest.old.upperBound, new: new..<rest.new.upperBound)
    }
    append(rest)
  }

  private mutating func append(_ part: LineEdit) {
    let edit = texts.trimmed(part)
    guard !edit.old.isEmpty || !edit.new.isEmpty else { return }
    if let last = edits.last, last.old.upperBound == edit.old.lowerBound,
      last.new.upperBound == edit.new.lowerBound
    {
      edits[edits.count - 1] = LineEdit(
        old: last.old.lowerBound..<edit.old.upperBound,
        new: last.new.lowerBound..<edit.new.upperBound)
    } else {
      edits.append(edit)
    }
  }
}
