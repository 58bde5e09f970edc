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

extension RenderedText {
  /// The edits that make another text of this one: ascending, apart, with the fewest lines that can
  /// be, given which rows and sections are which.
  ///
  /// Of the pairs of rows, headers and footers those stay whose order is kept and that have the
  /// most lines in common: the first ones and the last ones of each. Of what is between two pairs, and
  /// of what is between two lines that are kept, the common first and last lines are kept, too. All
  /// other lines are replaced. `nil` says that both texts are of the same rows; `same` are rows of which that is known, in
  /// the order of the new ones.
  ///
  /// - Complexity: O(*b* + *n* + *r* log *r*), where *b* is the number of bytes of what is not known to
  ///   be the same, *n* that of rows and *r* that of runs of rows that are out of order.
  package func edits(
    to new: RenderedText, _ matching: Matching?, same: [SameBlocks] = []
  ) -> [LineEdit] {
    // Rows that look alike may have changed places.
    if bytes == new.bytes { return [] }
    if lineCount == 0 { return [LineEdit(old: 0..<0, new: 0..<new.lineCount)] }
    var pairs = BlockPairs()
    var same = same[...]
    for section in 0..<new.sectionCount {
      let partner = matching.map { Int($0.sectionsToOld[section]) } ?? section
      let newBlocks = new.blocks(ofSection: section)
      if partner >= 0 {
        pairs.append(
          blocks(ofSection: partner).lowerBound, newBlocks.lowerBound, self, new)
      }
      var row = new.rowStarts[section]
      while row < new.rowStarts[section + 1] {
        let newBlock = new.block(ofRow: row, in: section)
        if let known = same.first, known.new == newBlock {
          pairs.append(known, new)
          same.removeFirst()
          row += known.count
          continue
        }
        let old = matching.map { Int($0.rowsToOld[row]) } ?? row
        row += 1
        guard old >= 0 else { continue }
        pairs.append(block(ofRow: old, in: self.section(ofRow: old)), newBlock, self, new)
      }
      if partner >= 0 {
        pairs.append(
          blocks(ofSection: partner).upperBound - 1, newBlocks.upperBound - 1, self, new)
      }
    }
    return edits(to: new, keeping: pairs.inOrder)
  }

  /// The edits of what is between the lines that both texts keep.
  private func edits(to new: RenderedText, keeping pairs: [BlockPair]) -> [LineEdit] {
    var gaps = LineGaps(old: self, new: new)
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

  /// An edit without the lines at both ends that are the same.
  fileprivate func trimmed(_ edit: LineEdit, _ new: RenderedText) -> LineEdit {
    let head = commonHead(edit.old, edit.new, of: new)
    let tail = commonTail(edit.old.dropFirst(head), edit.new.dropFirst(head), of: new)
    return LineEdit(
      old: edit.old.lowerBound + head..<edit.old.upperBound - tail,
      new: edit.new.lowerBound + head..<edit.new.upperBound - tail)
  }

  /// How many lines at the beginning of two ranges are the same.
  func commonHead(_ lines: Range<Int>, _ others: Range<Int>, of new: RenderedText) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSameLine(lines.lowerBound + count, others.lowerBound + count, of: new)
    {
      count += 1
    }
    return count
  }

  /// How many lines at the end of two ranges are the same.
  func commonTail(_ lines: Range<Int>, _ others: Range<Int>, of new: RenderedText) -> Int {
    var count = 0
    while count < min(lines.count, others.count),
      isSameLine(lines.upperBound - 1 - count, others.upperBound - 1 - count, of: new)
    {
      count += 1
    }
    return count
  }
}

/// What is between the lines that two texts have in common, gathered from the first to the last.
private struct LineGaps {
  let old: RenderedText
  let new: RenderedText
  private(set) var edits: [LineEdit] = []
  private var oldLine = 0
  private var newLine = 0

  /// Where blocks that are the same row begin and end, since the last line that is kept.
  private var cuts: [(old: Int, new: Int)] = []

  init(old: RenderedText, new: RenderedText) {
    self.old = old
    self.new = new
  }

  /// Notes where two blocks that are the same row begin or end.
  mutating func cut(_ oldLine: Int, _ newLine: Int) { cuts.append((oldLine, newLine)) }

  /// Keeps lines that both texts have, the next ones after those that were kept before.
  mutating func keep(_ oldStart: Int, _ newStart: Int, _ count: Int) {
    if oldStart > oldLine || newStart > newLine {
      add(old.trimmed(LineEdit(old: oldLine..<oldStart, new: newLine..<newStart), new))
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
    let edit = old.trimmed(part, new)
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
