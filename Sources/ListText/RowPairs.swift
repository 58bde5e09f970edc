import ListDiff

/// The pairs of blocks of two texts with the same row, header or footer, in the order of the new
/// text.
package struct RowPairs: Sendable {
  /// Consecutive blocks in both texts.
  struct Run: Hashable, Sendable {
    var old: Int32
    var new: Int32
    var count: Int32

    /// Whether the blocks are known to be equal in both texts.
    var isSame: Bool
  }

  private(set) var runs: [Run] = []

  /// Creates no pairs.
  package init() {}

  /// Creates the pairs of two texts. `matching` has the pairs of rows and sections, or is `nil` if
  /// both texts have the same ones. `same` are rows that are known to be equal, in the order of the
  /// new text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  package init(
    _ old: RenderedText, _ new: RenderedText, _ matching: Matching?, same: [EqualRows] = []
  ) {
    var same = same[...]
    for section in 0..<new.sectionCount {
      let partner = matching.map { Int($0.sectionsToOld[section]) } ?? section
      let blocks = new.blocks(ofSection: section)
      if partner >= 0 { append(old.blocks(ofSection: partner).lowerBound, blocks.lowerBound) }
      var row = new.rowStarts[section]
      while row < new.rowStarts[section + 1] {
        let block = new.block(ofRow: row, in: section)
        if let known = same.first, known.new == block {
          append(known.old, block, known.count, isSame: true)
          same.removeFirst()
          row += known.count
          continue
        }
        let before = matching.map { Int($0.rowsToOld[row]) } ?? row
        row += 1
        if before >= 0 { append(old.block(ofRow: before, in: old.section(ofRow: before)), block) }
      }
      if partner >= 0 {
        append(old.blocks(ofSection: partner).upperBound - 1, blocks.upperBound - 1)
      }
    }
  }

  private mutating func append(_ old: Int, _ new: Int, _ count: Int = 1, isSame: Bool = false) {
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
}

extension RenderedText {
  /// Reports whether a text has the same bytes as this one, given the pairs of their blocks.
  ///
  /// - Complexity: O(*b* + *r*), where *b* is the number of bytes that are not known to be equal at
  ///   the same place and *r* the number of runs of pairs.
  package func hasSameBytes(as new: RenderedText, _ pairs: RowPairs) -> Bool {
    guard bytes.count == new.bytes.count else { return false }
    var start = 0
    for run in pairs.runs where run.isSame {
      let end = Int(run.new + run.count)
      let first = new.lineOffsets[Int(new.blockStarts[Int(run.new)])]
      guard first == lineOffsets[Int(blockStarts[Int(run.old)])] else { continue }
      guard bytes[start..<first] == new.bytes[start..<first] else { return false }
      start = new.lineOffsets[Int(new.blockStarts[end])]
    }
    return bytes[start...] == new.bytes[start...]
  }
}

/// Consecutive rows of two texts that are equal in both.
package struct EqualRows: Hashable, Sendable {
  var old: Int
  var new: Int
  var count: Int
}
