/// Pairs of at most 24 rows on each side, found by comparing each with all others instead of in tables.
struct FewRows {
  /// The number of old rows, which are followed by the new ones.
  var old: Int
  var new: Int

  /// Pairs the rows that are not aligned. Returns false if one of their hashes repeats in the rows, of
  /// which the last are the aligned old ones.
  func pairDistinct(_ rows: inout [UnalignedRow]) -> Bool {
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

  /// Returns the structural operations if both lists have the same sections in the same order, with
  /// the counts of rows that they change.
  ///
  /// - Complexity: O(*r*²), where *r* is the number of runs of rows that are in both lists.
  func stage(
    _ rows: [UnalignedRow], _ alignment: Alignment, _ oldShape: ListShape, _ newShape: ListShape
  ) -> (Stage, Counts) {
    var stage = Stage()
    var counts = Counts()
    let rows = rows.view
    var index = 0
    while index < old {
      if rows[index].partner < 0 {
        counts.deletes &+= 1
        stage.append(.deleteItems(at: oldShape.path(rows[index].row), count: 1))
      }
      index &+= 1
    }
    while index < old &+ new {
      if rows[index].partner < 0 {
        counts.inserts &+= 1
        stage.append(.insertItems(at: newShape.path(rows[index].row), count: 1))
      }
      index &+= 1
    }
    index = old
    var next = 0
    // Each gap and each new row begins a run at most, and so does the end.
    var memory = [Run](repeating: Run(), count: new + alignment.gaps.count + 1)
    var runs = Runs(memory: memory.mutableView)
    let gaps = alignment.gaps.view
    while next < gaps.count {
      let section = gaps[next].newSection
      runs.begin(section: Int(section))
      var start = (old: 0, new: 0)
      while next < gaps.count, gaps[next].newSection == section {
        let gap = gaps[next]
        next &+= 1
        runs.appendAligned(old: start.old, new: start.new, count: Int(gap.new) &- start.new)
        var row = Int(gap.new)
        while row < Int(gap.new) &+ Int(gap.newCount) {
          if rows[index].partner >= 0 {
            runs.append(oldShape.path(rows[index].partner), to: row, count: 1)
          }
          index &+= 1
          row &+= 1
        }
        start = (Int(gap.old) &+ Int(gap.oldCount), row)
      }
      let count = oldShape.rows(ofSection: Int(section)).count
      runs.appendAligned(old: start.old, new: start.new, count: count - start.old)
      runs.appendMoves(to: &stage, &counts)
    }
    return (stage, counts)
  }
}

extension FewRows {
  /// Pairs all rows of short lists in which ids repeat, and removes the alignment. Returns false if
  /// a list has more than 16 rows or a section without a partner has rows.
  ///
  /// The rows that do not move are a longest common subsequence of each section, so as few rows as
  /// possible move.
  mutating func pairRepeats(
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
    var pairs = RepeatedPairs(&rows, old: old, new: new)
    for gap in alignment.gaps {
      let before = pairs.bits(oldShape.rows(ofSection: Int(gap.oldSection)))
      let after = pairs.bits(newShape.rows(ofSection: Int(gap.newSection)))
      pairs.align(before, after)
      pairs.pairInOrder(before, after)
    }
    if alignment.gaps.count > 1 { pairs.pairInOrder(.max, .max) }
    for (new, partner) in pairs.partners.enumerated() where partner >= 0 {
      rows[old + new].partner = Int32(partner)
      rows[partner].partner = Int32(new)
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
    (old, new) = (before.count, after.count)
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
