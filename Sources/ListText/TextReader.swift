/// Reads blocks and lines of a text. Neighbors of what was read last are found in O(1).
struct TextReader {
  let text: RenderedText
  private var piece = TextNode.empty
  private var before = TextSums()

  init(_ text: RenderedText) { self.text = text }

  /// Finds the piece that covers an offset; if that is the end of the text, an empty one.
  @inline(__always)
  private mutating func seek(_ offset: Int, _ lane: TextSums.Lane, _ count: Int) {
    let start = before[lane]
    if offset < start || offset >= start + count { find(offset, lane) }
  }

  private mutating func find(_ offset: Int, _ lane: TextSums.Lane) {
    guard offset < text.sums[lane] else {
      (piece, before) = (.empty, text.sums)
      return
    }
    (piece, before) = text.root.find(offset, lane)
  }

  /// Finds the piece of a block. Returns its first block and the number of its blocks.
  mutating func piece(ofBlock block: Int) -> (start: Int, count: Int) {
    seek(block, .blocks, piece.blocks.kinds.count)
    return (before.blocks, piece.blocks.kinds.count)
  }

  /// Appends blocks of the piece that was found last to another one.
  func append(_ blocks: Range<Int>, to other: inout TextPiece) {
    if other.isEmpty { other.reserve(like: piece.blocks) }
    other.append(
      blocks.lowerBound - before.blocks..<blocks.upperBound - before.blocks, of: piece.blocks)
  }

  /// Returns the lines of a block.
  mutating func lines(ofBlock block: Int) -> Range<Int> {
    seek(block, .blocks, piece.blocks.kinds.count)
    let own = block - before.blocks
    return before.lines + piece.blocks.line(ofBlock: own)..<before.lines
      + piece.blocks.line(ofBlock: own + 1)
  }

  /// Returns the lines of one or more consecutive blocks.
  mutating func lines(ofBlocks blocks: Range<Int>) -> Range<Int> {
    let first = lines(ofBlock: blocks.lowerBound)
    if blocks.count == 1 { return first }
    return first.lowerBound..<lines(ofBlock: blocks.upperBound - 1).upperBound
  }

  /// Reports whether a line is equal in another text.
  mutating func isSameLine(_ line: Int, _ other: Int, of reader: inout TextReader) -> Bool {
    let (own, others) = (offsets(ofLine: line), reader.offsets(ofLine: other))
    return own.count == others.count
      && piece.blocks.bytes[own].elementsEqual(reader.piece.blocks.bytes[others])
  }

  /// Returns the range of a line in the current piece.
  private mutating func offsets(ofLine line: Int) -> Range<Int> {
    seek(line, .lines, piece.blocks.lineEnds.count)
    let own = line - before.lines
    return piece.blocks.offset(ofLine: own)..<piece.blocks.offset(ofLine: own + 1)
  }

  /// Reports whether a line has the same spans in another text.
  mutating func hasSameSpans(_ line: Int, _ other: Int, of reader: inout TextReader) -> Bool {
    if !text.hasSpans, !reader.text.hasSpans { return true }
    let own = spans(ofLine: line)
    let others = reader.spans(ofLine: other)
    return own.count == others.count
      && zip(own, others).allSatisfy {
        $0.start == $1.start && $0.end == $1.end && $0.group == $1.group
      }
  }

  private mutating func spans(ofLine line: Int) -> ArraySlice<TextSpan> {
    seek(line, .lines, piece.blocks.lineEnds.count)
    return piece.blocks.spans(ofLines: line - before.lines..<line - before.lines + 1)
  }
}

extension RenderedText {
  /// Reports whether a text with the same lines has the same spans as this one, given the pairs of
  /// their blocks.
  ///
  /// - Complexity: O(*l* + *r* log *n*), where *l* is the number of lines that are not known to be
  ///   equal at the same place, *r* the number of runs of pairs and *n* the number of rows.
  func hasSameSpans(as new: RenderedText, _ pairs: RowPairs) -> Bool {
    if !hasSpans, !new.hasSpans { return true }
    var (reader, newReader) = (TextReader(self), TextReader(new))
    var start = 0
    func isSame(_ lines: Range<Int>) -> Bool {
      lines.allSatisfy { reader.hasSameSpans($0, $0, of: &newReader) }
    }
    for run in pairs.runs where run.isSame {
      let first = new.lines(ofBlocks: run.newBlocks)
      guard first.lowerBound == lines(ofBlocks: run.oldBlocks).lowerBound else { continue }
      guard isSame(start..<first.lowerBound) else { return false }
      start = first.upperBound
    }
    return isSame(start..<lineCount)
  }
}
