/// Whose a line is; rows are counted through all sections.
package enum LineOwner: Hashable, Sendable {
  case row(Int)
  case header(section: Int)
  case footer(section: Int)
}

extension RenderedText {
  /// The block of a row of a section.
  func block(ofRow row: Int, in section: Int) -> Int { row + 2 * section + 1 }

  /// The blocks of a section: its header, its rows and its footer.
  func blocks(ofSection section: Int) -> Range<Int> {
    rowStarts[section] + 2 * section..<rowStarts[section + 1] + 2 * section + 2
  }

  /// The lines of a block.
  func lines(ofBlock block: Int) -> Range<Int> { lines(ofBlocks: block..<block + 1) }

  /// The lines of consecutive blocks.
  func lines(ofBlocks blocks: Range<Int>) -> Range<Int> {
    Int(blockStarts[blocks.lowerBound])..<Int(blockStarts[blocks.upperBound])
  }

  /// The lines of a row; where it has none, the empty range at which one would be.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func lines(ofRow row: Int) -> Range<Int> {
    lines(ofBlock: block(ofRow: row, in: section(ofRow: row)))
  }

  /// The lines of consecutive rows of one section, such as all rows of an item; for no rows the
  /// empty range at which the first would be.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func lines(ofRows rows: Range<Int>, inSection section: Int) -> Range<Int> {
    let first = block(ofRow: rows.lowerBound, in: section)
    return lines(ofBlocks: first..<first + rows.count)
  }

  /// Whose a line is, `nil` if there is no such line.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows and sections.
  package func owner(ofLine line: Int) -> LineOwner? {
    guard line >= 0, line < lineCount else { return nil }
    // Blocks without lines begin where the next does; the line is in the last of them.
    return owner(ofBlock: blockStarts.last(below: line) { Int($0) })
  }

  /// Whose a block is.
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

  /// The section of a row.
  func section(ofRow row: Int) -> Int { rowStarts.last(below: row) { $0 } }
}

extension Array {
  /// The index of the last element but the very last that is not above a value; elements ascend.
  fileprivate func last(below value: Int, _ key: (Element) -> Int) -> Int {
    var low = 0
    var high = count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle } else { high = middle }
    }
    return low
  }
}
