extension PairedRows {
  /// Pairs at most 24 rows on each side by comparing each with all others. Returns false if one of their hashes
  /// repeats in the rows, of which the last are the aligned old ones.
  mutating func pairFewDistinct(_ rows: inout [UnalignedRow]) -> Bool {
    let count = rows.count
    var rows = rows.mutableView
    var index = old
    while index < old &+ new {
      let hash = rows[index].hash
      var other = 0
      while other < old {
        if rows[other].hash == hash {
          if rows[index].partner >= 0 || rows[other].partner >= 0 { return false }
          rows[index].partner = rows[other].row
          rows[other].partner = rows[index].row
          pairs &+= 1
        }
        other &+= 1
      }
      index &+= 1
    }
    // Other pairs may need fewer moves if an aligned row has one of the ids.
    while index < count {
      let hash = rows[index].hash
      var other = 0
      while other < old &+ new {
        if rows[other].hash == hash { return false }
        other &+= 1
      }
      index &+= 1
    }
    return true
  }

  /// Pairs all rows of short lists in which ids repeat, and removes the alignment. Returns false if
  /// a list has more than 16 rows or a section without a partner has rows.
  ///
  /// The rows that do not move are a longest common subsequence of each section, so as few rows as
  /// possible move.
  mutating func pairFewRepeats(
    _ rows: inout [UnalignedRow], _ alignment: inout Alignment, _ sections: SectionPartners,
    oldShape: ListShape, newShape: ListShape
  ) -> Bool {
    guard oldShape.count <= 16, newShape.count <= 16, alignment.isInPairedSections else {
      return false
    }
    collect(&rows, alignment, sections, oldShape: oldShape, newShape: newShape)
    alignment.removeAll()
    for section in 0..<newShape.sectionCount where sections.old(section) >= 0 {
      let partner = sections.old(section)
      alignment.append(
        AlignmentGap(
          (partner, section), old: 0..<oldShape.rows(ofSection: partner).count,
          new: 0..<newShape.rows(ofSection: section).count))
    }
    var repeated = RepeatedPairs(&rows, old: old, new: new)
    for gap in alignment.gaps {
      let before = repeated.bits(oldShape.rows(ofSection: Int(gap.oldSection)))
      let after = repeated.bits(newShape.rows(ofSection: Int(gap.newSection)))
      repeated.align(before, after)
      repeated.pairInOrder(before, after)
    }
    if alignment.gaps.count > 1 { repeated.pairInOrder(.max, .max) }
    for (new, partner) in repeated.partners.enumerated() where partner >= 0 {
      rows[old + new].partner = Int32(partner)
      rows[partner].partner = Int32(new)
      pairs &+= 1
    }
    return true
  }

  /// Replaces the rows by all rows of both lists.
  private mutating func collect(
    _ rows: inout [UnalignedRow], _ alignment: Alignment, _ sections: SectionPartners,
    oldShape: ListShape, newShape: ListShape
  ) {
    var before = [UInt64](repeating: 0, count: oldShape.count)
    var after = [UInt64](repeating: 0, count: newShape.count)
    for (index, row) in rows.enumerated() {
      if index >= old, index < old + new {
        after[Int(row.row)] = row.hash
      } else {
        before[Int(row.row)] = row.hash
      }
    }
    alignment.forEachPair(sections, oldShape, newShape) { after[$1] = before[$0] }
    self = PairedRows(old: before.count, new: after.count)
    rows = before.enumerated().map { UnalignedRow(hash: $1, row: $0) }
    rows += after.enumerated().map { UnalignedRow(hash: $1, row: $0) }
  }
}

/// The pairs of at most 16 rows on each side whose ids repeat.
private struct RepeatedPairs {
  /// By old row, the first old row with its id; by new row, the same or -1.
  private var oldKeys: [Int] = []
  private var newKeys: [Int] = []
  /// By key, a bit for each row that has it.
  private var oldRows: [UInt16]
  private var newRows: [UInt16]
  /// A bit for each old row that has a partner.
  private var paired: UInt16 = 0

  /// By new row, its partner or -1.
  private(set) var partners: [Int]

  init(_ rows: inout [UnalignedRow], old: Int, new: Int) {
    oldRows = [UInt16](repeating: 0, count: old)
    newRows = oldRows
    partners = [Int](repeating: -1, count: new)
    for index in 0..<old + new {
      let hash = rows[index].hash
      let key = rows[..<old].firstIndex { $0.hash == hash } ?? -1
      if index < old {
        oldKeys.append(key)
        oldRows[key] |= 1 &<< UInt16(index)
      } else {
        newKeys.append(key)
        if key >= 0 { newRows[key] |= 1 &<< UInt16(index - old) }
      }
    }
  }

  /// Returns a bit for each row of a range.
  func bits(_ rows: Range<Int>) -> UInt16 {
    rows.reduce(0) { $0 | 1 &<< UInt16(truncatingIfNeeded: $1) }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    partners[new] = old
    paired |= 1 &<< UInt16(truncatingIfNeeded: old)
  }

  /// Pairs a longest common subsequence of two sections, whose rows are given as bits.
  ///
  /// This is the table of ``BandAlignment`` in one word for each old row.
  mutating func align(_ oldSection: UInt16, _ newSection: UInt16) {
    var old = oldSection
    var new = newSection
    while old != 0, new != 0 {
      let (before, after) = (old.trailingZeroBitCount, new.trailingZeroBitCount)
      if oldKeys[before] != newKeys[after] { break }
      pair(before, after)
      old &= old &- 1
      new &= new &- 1
    }
    if old == 0 || new == 0 { return }
    let first = old.trailingZeroBitCount
    let end = UInt16.bitWidth - old.leadingZeroBitCount
    var lengths = [UInt16](repeating: 0, count: end)
    var length = UInt16.max
    for index in first..<end {
      let same = newRows[oldKeys[index]] & new
      length = length &+ (length & same) | length & ~same
      lengths[index] = length
    }
    for index in (first..<end).reversed() {
      let growths = ~lengths[index] & new
      if growths == 0 { break }
      let last = UInt16(truncatingIfNeeded: growths.bitWidth - 1 - growths.leadingZeroBitCount)
      new &= ~(~1 &<< last)
      // If the length also grows in the row above, that row may have the pair.
      if index > first, ~lengths[index - 1] & 1 &<< last != 0 { continue }
      pair(index, Int(last))
      new &= ~(1 &<< last)
    }
  }

  /// Pairs rows without a partner, given as bits: of each key the first with the first, the second
  /// with the second and so on.
  mutating func pairInOrder(_ oldSection: UInt16, _ newSection: UInt16) {
    for index in partners.indices
    where newSection & 1 &<< UInt16(index) != 0 && partners[index] < 0 && newKeys[index] >= 0 {
      let candidates = oldRows[newKeys[index]] & oldSection & ~paired
      if candidates != 0 { pair(candidates.trailingZeroBitCount, index) }
    }
  }
}
