import ListDiff

/// The pairs of blocks of two texts with the same row, header or footer, in the order of the new
/// text.
package struct RowPairs: Sendable {
  /// Consecutive blocks in both texts.
  package struct Run: Hashable, Sendable {
    package var old: Int32
    package var new: Int32
    package var count: Int32

    /// Whether the blocks are known to be equal in both texts.
    package var isSame: Bool

    package var oldBlocks: Range<Int> { Int(old)..<Int(old + count) }
    package var newBlocks: Range<Int> { Int(new)..<Int(new + count) }
  }

  package private(set) var runs: [Run] = []

  /// Creates no pairs.
  package init() {}

  /// Creates the pairs of two texts with the same rows and sections, in which only some rows may
  /// differ. Their ranges are in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of ranges and *n* the number of rows.
  package init(identityOf text: RenderedText, exceptFor rows: [(at: Path, count: Int)]) {
    var next = 0
    for rows in rows {
      let first = text.block(ofHeader: rows.at.section) + 1 + rows.at.row
      append(next, next, first - next, isSame: true)
      append(first, first, rows.count)
      next = first + rows.count
    }
    append(next, next, text.blockCount - next, isSame: true)
  }

  /// Creates the pairs of a text and of a list whose sections begin with the rows `newStarts`.
  ///
  /// `sameRows` returns the longest run of old rows, in one section, that are equal to the first of
  /// some new rows. It is called in the order of the new rows.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows, and that of `sameRows`.
  package init(
    _ old: RenderedText, _ newStarts: [Int32], _ matching: Matching,
    sameRows: (Range<Int>) -> Range<Int> = { _ in 0..<0 }
  ) {
    let oldStarts = (0...old.sectionCount).map(old.firstRow(ofSection:))
    var section = 0
    /// Returns the old block of an old row. Most rows are in the section of the row before.
    func block(ofRow row: Int) -> Int {
      if !(oldStarts[section]..<oldStarts[section + 1]).contains(row) {
        section = old.section(ofRow: row)
      }
      return old.block(ofRow: row, in: section)
    }
    for (new, partner) in matching.sectionsToOld.enumerated() {
      let partner = Int(partner)
      let shift = 2 * new + 1
      var row = Int(newStarts[new])
      let end = Int(newStarts[new + 1])
      if partner >= 0 { append(oldStarts[partner] + 2 * partner, row + shift - 1, 1) }
      while row < end {
        let same = sameRows(row..<end)
        if !same.isEmpty {
          append(block(ofRow: same.lowerBound), row + shift, same.count, isSame: true)
          row += same.count
          continue
        }
        let before = Int(matching.rowsToOld[row])
        if before >= 0 { append(block(ofRow: before), row + shift, 1) }
        row += 1
      }
      if partner >= 0 { append(oldStarts[partner + 1] + 2 * partner + 1, end + shift, 1) }
    }
  }

  /// Appends consecutive pairs. They follow the others in the new text.
  package mutating func append(_ old: Int, _ new: Int, _ count: Int, isSame: Bool = false) {
    guard count > 0 else { return }
    let run = Run(
      old: Int32(truncatingIfNeeded: old), new: Int32(truncatingIfNeeded: new),
      count: Int32(truncatingIfNeeded: count), isSame: isSame)
    if let last = runs.last, last.isSame == isSame, last.old + last.count == run.old,
      last.new + last.count == run.new
    {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }

  /// Returns the index of the run that contains a new block; `nil` if there is none.
  ///
  /// - Complexity: O(log *r*), where *r* is the number of runs.
  private func run(ofNew block: Int) -> Int? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].newBlocks.upperBound <= block { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].newBlocks.contains(block) ? low : nil
  }

  /// Records that any new block may differ from the old one.
  package mutating func setAllMayDiffer() {
    let pairs = self
    runs = []
    for run in pairs.runs { append(Int(run.old), Int(run.new), Int(run.count)) }
  }

  /// Returns the new block of an old one; `nil` if there is none.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs.
  package func newBlock(ofOld block: Int) -> Int? {
    let run = runs.first { $0.oldBlocks.contains(block) }
    return run.map { Int($0.new) + block - Int($0.old) }
  }

  /// Records that a new block may differ from the old one.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs.
  package mutating func setMayDiffer(_ block: Int) {
    guard let index = run(ofNew: block), runs[index].isSame else { return }
    let run = runs[index]
    let before = Int32(truncatingIfNeeded: block) - run.new
    var parts = [run, run, run]
    parts[0].count = before
    parts[1].old += before
    parts[1].new += before
    parts[1].count = 1
    parts[1].isSame = false
    parts[2].old += before + 1
    parts[2].new += before + 1
    parts[2].count -= before + 1
    runs.replaceSubrange(index...index, with: parts.filter { $0.count > 0 })
  }
}

extension RenderedText {
  /// Reports whether a text has the same bytes as this one, given the pairs of their blocks.
  ///
  /// - Complexity: O(*b* + *r* log *n*), where *b* is the number of bytes that are not known to be
  ///   equal at the same place, *r* the number of runs of pairs and *n* the number of rows.
  package func hasSameBytes(as new: RenderedText, _ pairs: RowPairs) -> Bool {
    guard byteCount == new.byteCount else { return false }
    var start = 0
    for run in pairs.runs where run.isSame {
      let first = new.offset(ofBlock: run.newBlocks.lowerBound)
      guard first == offset(ofBlock: run.oldBlocks.lowerBound) else { continue }
      guard hasSameBytes(as: new, in: start..<first) else { return false }
      start = new.offset(ofBlock: run.newBlocks.upperBound)
    }
    return hasSameBytes(as: new, in: start..<byteCount)
  }
}
