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
  /// a list has more than 64 rows or a section without a partner has rows.
  ///
  /// The rows that do not move are a longest common subsequence of each section, so as few rows as
  /// possible move.
  mutating func pairFewRepeats(
    _ rows: inout [UnalignedRow], _ alignment: inout Alignment, _ sections: SectionPartners,
    oldShape: ListShape, newShape: ListShape
  ) -> Bool {
    guard oldShape.count <= 64, newShape.count <= 64,
      sections.areInOrder
        || alignment.gaps.allSatisfy({ $0.oldSection >= 0 && $0.newSection >= 0 })
    else { return false }
    collect(&rows, alignment, sections, oldShape: oldShape, newShape: newShape)
    alignment.gaps.removeAll(keepingCapacity: true)
    alignment.changedRows.removeAll(keepingCapacity: true)
    for section in 0..<newShape.sectionCount where sections.old(section) >= 0 {
      let partner = sections.old(section)
      alignment.append(
        AlignmentGap(
          (partner, section), old: 0..<oldShape.rows(ofSection: partner).count,
          new: 0..<newShape.rows(ofSection: section).count))
    }
    var repeated = RepeatedPairs(&rows, old: old, new: new)
    var gap = 0
    while gap < alignment.gaps.count {
      let before = oldShape.rows(ofSection: Int(alignment.gaps[gap].oldSection))
      let after = newShape.rows(ofSection: Int(alignment.gaps[gap].newSection))
      repeated.align(repeated.bits(before), repeated.bits(after))
      repeated.pairInOrder(repeated.bits(before), repeated.bits(after))
      gap &+= 1
    }
    if gap > 1 { repeated.pairInOrder(.max, .max) }
    pairs = repeated.store(in: &rows)
    return true
  }

  /// Replaces the rows by all rows of both lists.
  private mutating func collect(
    _ rows: inout [UnalignedRow], _ alignment: Alignment, _ sections: SectionPartners,
    oldShape: ListShape, newShape: ListShape
  ) {
    let first = oldShape.count
    var all: [UnalignedRow] = []
    all.fill(first &+ newShape.count, with: UnalignedRow(hash: 0, row: 0))
    var view = all.mutableView
    var index = 0
    while index < rows.count {
      let row = Int(rows[index].row)
      let isNew = index >= old && index < old &+ new
      view[isNew ? first &+ row : row] = UnalignedRow(hash: rows[index].hash, row: row)
      index &+= 1
    }
    alignment.forEachPair(sections, oldShape, newShape) {
      view[first &+ $1] = UnalignedRow(hash: view[$0].hash, row: $1)
    }
    self = PairedRows(old: first, new: newShape.count)
    rows = all
  }
}

/// The pairs of at most 64 rows on each side whose ids repeat.
private struct RepeatedPairs {
  /// By row, the number of its id.
  private var oldKeys: [UInt32] = []
  private var newKeys: [UInt32] = []
  /// By key, a bit for each row that has it.
  private var oldRows: [UInt64] = []
  private var newRows: [UInt64] = []
  /// A bit for each old row that has a partner, and for each new one.
  private var pairedOld: UInt64 = 0
  private var pairedNew: UInt64 = 0

  /// By new row, its partner if it has one.
  private var partners: [Int32] = []

  init(_ rows: inout [UnalignedRow], old: Int, new: Int) {
    oldKeys.fill(old, with: 0)
    newKeys.fill(new, with: 0)
    var table = RowTable(capacity: old &+ new)
    var view = rows.mutableView
    table.number(0..<old, of: &view, in: &oldKeys)
    table.number(old..<old &+ new, of: &view, in: &newKeys)
    oldRows = Self.rows(oldKeys, keys: table.count)
    newRows = Self.rows(newKeys, keys: table.count)
    partners.fill(new, with: -1)
  }

  /// Returns by key a bit for each row that has it.
  private static func rows(_ keys: [UInt32], keys count: Int) -> [UInt64] {
    var rows: [UInt64] = []
    rows.fill(count, with: 0)
    var view = rows.mutableView
    let keys = keys.view
    var row = 0
    while row < keys.count {
      view[Int(keys[row])] |= 1 &<< UInt64(truncatingIfNeeded: row)
      row &+= 1
    }
    return rows
  }

  /// Returns a bit for each row of a range.
  func bits(_ rows: Range<Int>) -> UInt64 {
    let end: UInt64 = rows.upperBound == 64 ? 0 : 1 &<< UInt64(truncatingIfNeeded: rows.upperBound)
    return rows.isEmpty ? 0 : end &- 1 &<< UInt64(truncatingIfNeeded: rows.lowerBound)
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    partners[new] = Int32(truncatingIfNeeded: old)
    pairedOld |= 1 &<< UInt64(truncatingIfNeeded: old)
    pairedNew |= 1 &<< UInt64(truncatingIfNeeded: new)
  }

  /// Stores the partners of the rows, and returns the number of pairs.
  func store(in rows: inout [UnalignedRow]) -> Int {
    var rows = rows.mutableView
    var row = 0
    while row < rows.count {
      rows[row].partner = -1
      row &+= 1
    }
    row = 0
    while row < partners.count {
      let partner = partners[row]
      if partner >= 0 {
        rows[oldKeys.count &+ row].partner = partner
        rows[Int(partner)].partner = Int32(truncatingIfNeeded: row)
      }
      row &+= 1
    }
    return pairedNew.nonzeroBitCount
  }

  /// Pairs a longest common subsequence of two sections, whose rows are given as bits.
  ///
  /// This is the table of ``BandAlignment`` in one word for each old row.
  mutating func align(_ oldSection: UInt64, _ newSection: UInt64) {
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
    let end = UInt64.bitWidth &- old.leadingZeroBitCount
    var lengths: [UInt64] = []
    lengths.fill(end, with: 0)
    var length = UInt64.max
    var index = first
    while index < end {
      let same = newRows[Int(oldKeys[index])] & new
      length = length &+ (length & same) | length & ~same
      lengths[index] = length
      index &+= 1
    }
    while index > first {
      index &-= 1
      let growths = ~lengths[index] & new
      if growths == 0 { break }
      let last = UInt64.bitWidth &- 1 &- growths.leadingZeroBitCount
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: last)
      new &= bit | (bit &- 1)
      // If the length also grows in the row above, that row may have the pair.
      if index > first, ~lengths[index &- 1] & bit != 0 { continue }
      pair(index, last)
      new &= ~bit
    }
  }

  /// Pairs rows without a partner, given as bits: of each key the first with the first, the second
  /// with the second and so on.
  mutating func pairInOrder(_ oldSection: UInt64, _ newSection: UInt64) {
    var rest = newSection & ~pairedNew
    while rest != 0 {
      let row = rest.trailingZeroBitCount
      rest &= rest &- 1
      if row >= newKeys.count { return }
      let candidates = oldRows[Int(newKeys[row])] & oldSection & ~pairedOld
      if candidates != 0 { pair(candidates.trailingZeroBitCount, row) }
    }
  }
}
