import ListDiff

/// The row, header or footer that a line belongs to. Rows are counted through all sections.
package enum LineOwner: Hashable, Sendable {
  case row(Int)
  case header(section: Int)
  case footer(section: Int)
}

/// What a line of an earlier text belongs to.
package enum LineTarget: Hashable, Sendable {
  /// A row, header or footer of the current text.
  case owner(LineOwner)

  /// A row that the text no longer has, by its path at a revision of the list.
  case lost(Path, revision: Int)
}

extension RenderedText {
  /// Returns the block of a row of a section.
  package func block(ofRow row: Int, in section: Int) -> Int { row + 2 * section + 1 }

  /// Returns the block of a flat row.
  ///
  /// - Complexity: O(log *n*).
  package func block(ofRow row: Int) -> Int { block(ofRow: row, in: section(ofRow: row)) }

  /// Returns the header of a section; for the number of sections, the end of the text.
  ///
  /// - Complexity: O(log *n*).
  func block(ofHeader section: Int) -> Int {
    if section == 0 { return 0 }
    guard section < sectionCount else { return blockCount }
    let (piece, before) = root.find(section, .sections)
    return before.blocks + piece.blocks.block(section - before.sections, of: .header)
  }

  /// Returns the blocks of consecutive sections: their headers, rows and footers.
  ///
  /// - Complexity: O(log *n*).
  package func blocks(ofSections sections: Range<Int>) -> Range<Int> {
    block(ofHeader: sections.lowerBound)..<block(ofHeader: sections.upperBound)
  }

  /// Returns the blocks of a section.
  func blocks(ofSection section: Int) -> Range<Int> { blocks(ofSections: section..<section + 1) }

  /// Returns the index of the first row of a section; for the number of sections, the number of
  /// rows.
  ///
  /// - Complexity: O(log *n*).
  package func firstRow(ofSection section: Int) -> Int { block(ofHeader: section) - 2 * section }

  /// Returns the lines of a block.
  func lines(ofBlock block: Int) -> Range<Int> { lines(ofBlocks: block..<block + 1) }

  /// Returns the lines of consecutive blocks.
  ///
  /// - Complexity: O(log *n*).
  func lines(ofBlocks blocks: Range<Int>) -> Range<Int> {
    firstLine(ofBlock: blocks.lowerBound)..<firstLine(ofBlock: blocks.upperBound)
  }

  /// Returns the first line of a block; for the number of blocks, the number of lines.
  private func firstLine(ofBlock block: Int) -> Int {
    if block == 0 { return 0 }
    guard block < blockCount else { return lineCount }
    let (piece, before) = root.find(block, .blocks)
    return before.lines + piece.blocks.line(ofBlock: block - before.blocks)
  }

  /// Returns the offset of a block; for the number of blocks, the number of bytes.
  ///
  /// - Complexity: O(log *n*).
  func offset(ofBlock block: Int) -> Int {
    if block == 0 { return 0 }
    guard block < blockCount else { return byteCount }
    let (piece, before) = root.find(block, .blocks)
    return before.bytes
      + piece.blocks.offset(ofLine: piece.blocks.line(ofBlock: block - before.blocks))
  }

  /// Returns the lines of a row. If it has none, the range is empty and starts at the next line.
  ///
  /// - Complexity: O(log *n*).
  package func lines(ofRow row: Int) -> Range<Int> {
    lines(ofBlock: block(ofRow: row))
  }

  /// Returns the lines of consecutive rows of a section, such as all rows of an item. If there are
  /// no rows, the range is empty and starts at the line of the next row.
  ///
  /// - Complexity: O(log *n*).
  package func lines(ofRows rows: Range<Int>, inSection section: Int) -> Range<Int> {
    let first = block(ofRow: rows.lowerBound, in: section)
    return lines(ofBlocks: first..<first + rows.count)
  }

  /// Returns the owner of a line, or `nil` if there is no such line.
  ///
  /// - Complexity: O(log *n*).
  package func owner(ofLine line: Int) -> LineOwner? { ownerAndStart(ofLine: line)?.owner }

  /// Returns the owner of a line and the first line of its block, or `nil` if there is no such line.
  ///
  /// - Complexity: O(log *n*).
  func ownerAndStart(ofLine line: Int) -> (owner: LineOwner, start: Int)? {
    guard line >= 0, line < lineCount else { return nil }
    let (piece, before) = root.find(line, .lines)
    let block = piece.blocks.block(ofLine: line - before.lines)
    return (
      owner(ofBlock: block, in: piece, before), before.lines + piece.blocks.line(ofBlock: block)
    )
  }

  /// Returns the owner of a block.
  ///
  /// - Complexity: O(log *n*).
  func owner(ofBlock block: Int) -> LineOwner {
    let (piece, before) = root.find(block, .blocks)
    return owner(ofBlock: block - before.blocks, in: piece, before)
  }

  private func owner(ofBlock block: Int, in piece: TextNode, _ before: TextSums) -> LineOwner {
    let headers = before.sections + piece.blocks.count(of: .header, before: block)
    return switch piece.blocks.kinds[block] {
    case .header: .header(section: headers)
    case .row: .row(before.rows + piece.blocks.count(of: .row, before: block))
    case .footer: .footer(section: headers - 1)
    }
  }

  /// Returns the section of a row.
  ///
  /// - Complexity: O(log *n*).
  func section(ofRow row: Int) -> Int {
    let (piece, before) = root.find(row, .rows)
    let block = piece.blocks.block(row - before.rows, of: .row)
    return before.sections + piece.blocks.count(of: .header, before: block) - 1
  }

  /// Returns the section and row of a flat row.
  ///
  /// - Complexity: O(log *n*).
  package func path(ofRow row: Int) -> Path {
    let section = section(ofRow: row)
    return Path(section: section, row: row - firstRow(ofSection: section))
  }
}
