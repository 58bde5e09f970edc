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
///
/// Blocks are in pieces of a tree. A text is never changed; one that is made from another one shares
/// most pieces with it.
///
/// In complexities, *n* is the number of rows and sections.
package final class RenderedText: Sendable {
  let root: TextNode

  /// Creates the text of an empty list.
  package convenience init() { self.init(root: .empty) }

  init(root: TextNode) { self.root = root }

  var sums: TextSums { root.sums }

  /// The number of lines.
  package var lineCount: Int { sums.lines }

  /// The number of bytes. Each line ends with a line feed.
  package var byteCount: Int { sums.bytes }

  /// The number of sections.
  package var sectionCount: Int { sums.sections }

  /// The number of rows.
  package var rowCount: Int { sums.rows }

  /// The number of blocks.
  var blockCount: Int { sums.blocks }

  /// Whether any line has a span.
  package var hasSpans: Bool { sums.spans > 0 }

  /// Calls `body` with consecutive parts of a range of lines. Each part consists of whole lines.
  ///
  /// - Complexity: O(*b* + *p* log *n*), where *b* is the number of bytes and *p* the number of
  ///   parts.
  package func forEachPart(ofLines lines: Range<Int>, _ body: (ArraySlice<UInt8>) -> Void) {
    forEachPiece(of: lines) { piece, _, own in
      body(piece.bytes[piece.offset(ofLine: own.lowerBound)..<piece.offset(ofLine: own.upperBound)])
    }
  }

  /// Returns the bytes of a range of lines.
  package func bytes(ofLines lines: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    forEachPart(ofLines: lines) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The bytes of all lines.
  package var bytes: [UInt8] { bytes(ofLines: 0..<lineCount) }

  /// Returns the spans of a range of lines, in ascending order.
  package func spans(ofLines lines: Range<Int>) -> [TextSpan] {
    guard hasSpans else { return [] }
    var spans: [TextSpan] = []
    forEachPiece(of: lines) { piece, before, own in
      for var span in piece.spans(ofLines: own) {
        span.line += before.lines
        spans.append(span)
      }
    }
    return spans
  }

  /// Calls `body` with the pieces that contain lines, the sums before each, and its lines.
  private func forEachPiece(
    of lines: Range<Int>, _ body: (borrowing TextPiece, TextSums, Range<Int>) -> Void
  ) {
    var line = lines.lowerBound
    while line < lines.upperBound {
      let (piece, before) = root.find(line, .lines)
      let end = min(lines.upperBound, before.lines + piece.blocks.lineEnds.count)
      body(piece.blocks, before, line - before.lines..<end - before.lines)
      line = end
    }
  }

  /// Reports whether a range of bytes is equal in another text.
  ///
  /// - Complexity: O(*b* + *p* log *n*), where *b* is the number of equal bytes and *p* the number
  ///   of their pieces.
  func hasSameBytes(as other: RenderedText, in range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let (piece, before) = root.find(offset, .bytes)
      let (otherPiece, otherBefore) = other.root.find(offset, .bytes)
      let start = offset - before.bytes
      let otherStart = offset - otherBefore.bytes
      let count = min(
        range.upperBound - offset, piece.blocks.bytes.count - start,
        otherPiece.blocks.bytes.count - otherStart)
      guard
        piece.blocks.bytes[start..<start + count]
          .elementsEqual(otherPiece.blocks.bytes[otherStart..<otherStart + count])
      else { return false }
      offset += count
    }
    return true
  }
}

extension RenderedText {
  /// Stops the program if an invariant is violated: those of the tree, and sections consist of a
  /// header, rows and a footer.
  ///
  /// - Complexity: O(*b* + *n*), where *b* is the number of bytes.
  package func checkInvariants() {
    if blockCount > 0 { root.checkInvariants() }
    var isInSection = false
    var block = 0
    while block < blockCount {
      let (piece, before) = root.find(block, .blocks)
      for kind in piece.blocks.kinds {
        precondition((kind == .header) != isInSection, "blocks are between headers and footers")
        isInSection = kind != .footer
      }
      block = before.blocks + piece.blocks.kinds.count
    }
    precondition(!isInSection, "the last section has a footer")
    precondition(blockCount == rowCount + 2 * sectionCount, "each row and section has its blocks")
  }
}
