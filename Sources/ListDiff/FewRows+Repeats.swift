extension FewRows {
  /// For each row, the index of the first old row with the same id; -1 if there is none.
  @frozen @usableFromInline
  struct Keys {
    @usableFromInline var old = SIMD16<Int8>(repeating: -1)
    @usableFromInline var new = SIMD16<Int8>(repeating: -1)

    @inlinable init() {}
  }

  /// Pairs all rows of short lists in which ids repeat, and removes the alignment. Returns false if
  /// a list has more than 16 rows or a section without a partner has rows.
  ///
  /// The rows that do not move are a longest common subsequence of each section, so as few rows as
  /// possible move.
  @_alwaysEmitIntoClient
  mutating func pairRepeats<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ alignment: inout Alignment, _ oldLists: Lists, _ newLists: Lists,
    _ sections: SectionPartners, by rule: Rule
  ) -> Bool where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    let oldCount = oldLists.reduce(0) { $0 &+ $1.count }
    let newCount = newLists.reduce(0) { $0 &+ $1.count }
    guard oldCount <= 16, newCount <= 16, alignment.isInPairedSections else { return false }
    self = FewRows()
    alignment.removeAll()
    for (section, items) in newLists.enumerated() where sections.old(section) >= 0 {
      let partner = sections.old(section)
      alignment.append(
        AlignmentGap(
          (partner, section), old: 0..<oldLists[partner].count, new: 0..<items.count))
    }
    old.locate(oldLists)
    new.locate(newLists)
    var keys = Keys()
    for index in 0..<oldCount {
      let id = old.id(index, in: oldLists, rule)
      var first = 0
      while first < index, old.id(first, in: oldLists, rule) != id { first &+= 1 }
      keys.old[index] = Int8(truncatingIfNeeded: first)
    }
    for index in 0..<newCount {
      let id = new.id(index, in: newLists, rule)
      for other in 0..<oldCount where old.id(other, in: oldLists, rule) == id {
        keys.new[index] = Int8(truncatingIfNeeded: other)
        break
      }
    }
    pair(keys, alignment)
    for index in 0..<newCount where partners[index] >= 0 {
      let partner = Int(partners[index])
      let before = oldLists[Int(old.sections[partner])][Int(old.rows[partner])]
      let after = newLists[Int(new.sections[index])][Int(new.rows[index])]
      if !rule.isSame(before, after) { changed |= 1 &<< UInt16(truncatingIfNeeded: index) }
    }
    return true
  }

  /// Pairs the rows by their keys: in each section a longest common subsequence, then in order what
  /// is left, first within the section.
  @usableFromInline
  mutating func pair(_ keys: Keys, _ alignment: Alignment) {
    // By key, a bit for each row that has it.
    var rows = (old: SIMD16<UInt16>(), new: SIMD16<UInt16>())
    for index in 0..<alignment.oldRest { rows.old[Int(keys.old[index])] |= 1 &<< UInt16(index) }
    for index in 0..<alignment.newRest where keys.new[index] >= 0 {
      rows.new[Int(keys.new[index])] |= 1 &<< UInt16(index)
    }
    for gap in alignment.gaps {
      let before = old.bits(ofSection: Int(gap.oldSection), alignment.oldRest)
      let after = new.bits(ofSection: Int(gap.newSection), alignment.newRest)
      align(before, after, keys, rows.new)
      pairInOrder(before, after, keys, rows.old)
    }
    if alignment.gaps.count > 1 { pairInOrder(.max, .max, keys, rows.old) }
  }

  /// Pairs a longest common subsequence of two sections, whose rows are given as bits. `rows` has
  /// the new rows by key.
  ///
  /// This is the table of ``BandAlignment`` in one word for each old row.
  private mutating func align(
    _ oldSection: UInt16, _ newSection: UInt16, _ keys: Keys, _ rows: SIMD16<UInt16>
  ) {
    var old = oldSection
    var new = newSection
    while old != 0, new != 0 {
      let (before, after) = (old.trailingZeroBitCount, new.trailingZeroBitCount)
      if keys.old[before] != keys.new[after] { break }
      pair(before, after)
      old &= old &- 1
      new &= new &- 1
    }
    if old == 0 || new == 0 { return }
    let first = old.trailingZeroBitCount
    let end = UInt16.bitWidth - old.leadingZeroBitCount
    var lengths = SIMD16<UInt16>()
    var length = UInt16.max
    for index in first..<end {
      let same = rows[Int(keys.old[index])] & new
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
  /// with the second and so on. `rows` has the old rows by key.
  private mutating func pairInOrder(
    _ oldRows: UInt16, _ newRows: UInt16, _ keys: Keys, _ rows: SIMD16<UInt16>
  ) {
    for index in 0..<UInt16.bitWidth
    where newRows & 1 &<< UInt16(index) != 0 && partners[index] < 0 && keys.new[index] >= 0 {
      let candidates = rows[Int(keys.new[index])] & oldRows & ~paired
      if candidates != 0 { pair(candidates.trailingZeroBitCount, index) }
    }
  }
}

extension FewRows.Positions {
  /// Stores the positions of all rows.
  @_alwaysEmitIntoClient
  mutating func locate<Lists: RandomAccessCollection>(_ lists: Lists)
  where Lists.Element: RandomAccessCollection, Lists.Index == Int {
    var count = 0
    for section in lists.indices {
      for row in 0..<lists[section].count {
        sections[count] = Int32(truncatingIfNeeded: section)
        rows[count] = Int32(truncatingIfNeeded: row)
        count &+= 1
      }
    }
  }
}
