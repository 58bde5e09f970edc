/// The row, header or footer that a line belongs to. Rows are counted through all sections.
package enum LineOwner: Hashable, Sendable {
  case row(Int)
  case header(section: Int)
  case footer(section: Int)
}

extension RenderedText {
  /// Returns the block of a row of a section.
  func block(ofRow row: Int, in section: Int) -> Int { row + 2 * section + 1 }

  /// Returns the blocks of a section: its header, its rows and its footer.
  func blocks(ofSection section: Int) -> Range<Int> {
    rowStarts[section] + 2 * section..<rowStarts[section + 1] + 2 * section + 2
  }

  /// Returns the lines of a block.
  func lines(ofBlock block: Int) -> Range<Int> { lines(ofBlocks: block..<block + 1) }

  /// Returns the lines of consecutive blocks.
  func lines(ofBlocks blocks: Range<Int>) -> Range<Int> {
    Int(blockStarts[blocks.lowerBound])..<Int(blockStarts[blocks.upperBound])
  }

  /// Returns the lines of a row. If it has none, the range is empty and starts at the next line.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func lines(ofRow row: Int) -> Range<Int> {
    lines(ofBlock: block(ofRow: row, in: section(ofRow: row)))
  }

  /// Returns the lines of consecutive rows of a section, such as all rows of an item. If there are
  /// no rows, the range is empty and starts at the line of the next row.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func lines(ofRows rows: Range<Int>, inSection section: Int) -> Range<Int> {
    let first = block(ofRow: rows.lowerBound, in: section)
    return lines(ofBlocks: first..<first + rows.count)
  }

  /// Returns the owner of a line, or `nil` if there is no such line.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows and sections.
  package func owner(ofLine line: Int) -> LineOwner? {
    guard line >= 0, line < lineCount else { return nil }
    // A block without lines starts at the same line as the next one. The line is in the last of
    // them.
    return owner(ofBlock: blockStarts.last(atMost: line) { Int($0) })
  }

  /// Returns the owner of a block.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  func owner(ofBlock block: Int) -> LineOwner {
    var low = 0
    var high = sectionCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks(ofSection: middle).lowerBound <= block { low = middle } else { high = middle }
    }
    let blocks = blocks(ofSection: low)
    if block == blocks.lowerBound { return .header(section: low) }
    if block == blocks.upperBound - 1 { return .footer(section: low) }
    return .row(block - 2 * low - 1)
  }

  /// Returns the section of a row.
  func section(ofRow row: Int) -> Int { rowStarts.last(atMost: row) { $0 } }
}

extension Array {
  /// Returns the index of the last element, apart from the final one, that is at most `value`. The
  /// elements ascend.
  fileprivate func last(atMost value: Int, _ key: (Element) -> Int) -> Int {
    var low = 0
    var high = count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle } else { high = middle }
    }
    return low
  }
}
