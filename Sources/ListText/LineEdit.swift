import ListDiff

/// Lines of an old text that lines of a new one take the place of.
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

/// How to make one text of another.
package struct TextDifference: Hashable, Sendable {
  /// The edits, ascending and apart.
  package var edits: [LineEdit] = []

  /// The lines of rows that moved among those that the edits delete and insert, in the order of the new
  /// text.
  package var moves: [LineMove] = []

  package init() {}
}

extension RenderedText {
  /// The edits that make another text of this one: ascending, apart, with the fewest lines that can
  /// be, given which rows and sections are which; and which of their lines moved. If `comparesSpans`,
  /// lines are the same only if their spans are, too.
  ///
  /// Of the pairs of rows, headers and footers those stay whose order is kept and that have the
  /// most lines in common: the first ones and the last ones of each. Of what is between two pairs, and
  /// of what is between two lines that are kept, the common first and last lines are kept, too. All
  /// other lines are replaced.
  ///
  /// - Complexity: O(*b* + *n* + *r* log *r*), where *b* is the number of bytes of what is not known to
  ///   be the same, *n* that of rows and *r* that of runs of rows that are out of order.
  package func difference(
    to new: RenderedText, _ pairs: RowPairs, comparesSpans: Bool = false
  ) -> TextDifference {
    // Rows that look alike may have changed places.
    if bytes == new.bytes, !comparesSpans || hasSameSpans(as: new) { return TextDifference() }
    var difference = TextDifference()
    if lineCount == 0 {
      difference.edits = [LineEdit(old: 0..<0, new: 0..<new.lineCount)]
      return difference
    }
    let lines = LinePairs(old: self, new: new, comparesSpans: comparesSpans)
    var blocks = BlockPairs()
    for run in pairs.runs {
      if run.isSame {
        blocks.append(run, lines)
      } else {
        for index in 0..<Int(run.count) {
          blocks.append(Int(run.old) + index, Int(run.new) + index, lines)
        }
      }
    }
    let (kept, moved) = blocks.byOrder
    difference.edits = edits(keeping: kept, lines)
    difference.moves = moves(of: moved, to: new, in: difference.edits)
    return difference
  }

  /// The edits of what is between the lines that both texts keep.
  private func edits(keeping pairs: [BlockPair], _ texts: LinePairs) -> [LineEdit] {
    let new = texts.new
    var gaps = LineGaps(texts)
    for pair in pairs {
      let oldLines = lines(ofBlock: Int(pair.old))
      let newLines = new.lines(ofBlock: Int(pair.new))
      let head = Int(pair.head)
      let tail = Int(pair.tail)
      gaps.cut(oldLines.lowerBound, newLines.lowerBound)
      if head > 0 { gaps.keep(oldLines.lowerBound, newLines.lowerBound, head) }
      // Of blocks that are the same, all lines are the first ones.
      guard pair.count == 1 else { continue }
      if tail > 0 { gaps.keep(oldLines.upperBound - tail, newLines.upperBound - tail, tail) }
      gaps.cut(oldLines.upperBound, newLines.upperBound)
    }
    gaps.keep(lineCount, new.lineCount, 0)
    return gaps.edits
  }

  /// The lines of pairs of blocks that edits delete and insert.
  private func moves(
    of pairs: [BlockPair], to new: RenderedText, in edits: [LineEdit]
  ) -> [LineMove] {
    var moves: [LineMove] = []
    for pair in pairs {
      for index in 0..<Int(pair.count) {
        let old = lines(ofBlock: Int(pair.old) + index)
        let now = new.lines(ofBlock: Int(pair.new) + index)
        for (from, to) in zip(old, now)
        where edits.contains(from, \.old) && edits.contains(to, \.new) {
          if let last = moves.last, last.from + last.count == from, last.to + last.count == to {
            moves[moves.count - 1].count += 1
          } else {
            moves.append(LineMove(from: from, to: to, count: 1))
          }
        }
      }
    }
    return moves
  }
}

extension [LineEdit] {
  /// Whether a line is in a range of one of the edits.
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
  let old: RenderedText
  let new: RenderedText

  /// Whether lines are the same only if their spans are.
  let comparesSpans: Bool

  private func isSame(_ line: Int, _ other: Int) -> Bool {
    old.isSameLine(line, other, of: new)
      && (!comparesSpans || old.hasSameSpans(line, other, of: new))
  }

  /// How many lines at the beginning of two ranges are the same.
  func commonHead(_ lines: Range<Int>, _ others: Range<Int>) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSame(lines.lowerBound + count, others.lowerBound + count)
    {
      count += 1
    }
    return count
  }

  /// How many lines at the end of two ranges are the same.
  func commonTail(_ lines: Range<Int>, _ others: Range<Int>) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSame(lines.upperBound - 1 - count, others.upperBound - 1 - count)
    {
      count += 1
    }
    return count
  }

  /// An edit without the lines at both ends that are the same.
  func trimmed(_ edit: LineEdit) -> LineEdit {
    let head = commonHead(edit.old, edit.new)
    let tail = commonTail(edit.old.dropFirst(head), edit.new.dropFirst(head))
    return LineEdit(
      old: edit.old.lowerBound + head..<edit.old.upperBound - tail,
      new: edit.new.lowerBound + head..<edit.new.upperBound - tail)
  }
}

/// What is between the lines that two texts have in common, gathered from the first to the last.
private struct LineGaps {
  private let texts: LinePairs
  private(set) var edits: [LineEdit] = []
  private var oldLine = 0
  private var newLine = 0

  /// Where blocks that are the same row begin and end, since the last line that is kept.
  private var cuts: [(old: Int, new: Int)] = []

  init(_ texts: LinePairs) { self.texts = texts }

  /// Notes where two blocks that are the same row begin or end.
  mutating func cut(_ oldLine: Int, _ newLine: Int) { cuts.append((oldLine, newLine)) }

  /// Keeps lines that both texts have, the next ones after those that were kept before.
  mutating func keep(_ oldStart: Int, _ newStart: Int, _ count: Int) {
    if oldStart > oldLine || newStart > newLine {
      add(texts.trimmed(LineEdit(old: oldLine..<oldStart, new: newLine..<newStart)))
    }
    cuts.removeAll(keepingCapacity: true)
    oldLine = oldStart + count
    newLine = newStart + count
  }

  /// Adds the edits of a gap, part by part.
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
