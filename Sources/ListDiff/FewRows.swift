/// The rows that are not aligned, at most 16 on each side, and their pairs, found by comparing each
/// with all others instead of in tables. If ids repeat, no row is aligned.
@frozen @usableFromInline
struct FewRows {
  /// The sections of the rows, and their positions there, in order.
  @frozen @usableFromInline
  struct Positions {
    @usableFromInline var sections = SIMD16<Int32>()
    @usableFromInline var rows = SIMD16<Int32>()

    @inlinable init() {}

    @_alwaysEmitIntoClient @inline(__always)
    func id<Lists: RandomAccessCollection, Rule: ItemRule>(
      _ index: Int, in lists: Lists, _ rule: Rule
    ) -> Rule.ID where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
      rule.id(lists[Int(sections[index])][Int(rows[index])])
    }

    /// Returns a bit for each of the first `count` rows that is in the section.
    @inlinable @inline(__always)
    func bits(ofSection section: Int, _ count: Int) -> UInt16 {
      var bits: UInt16 = 0
      for index in 0..<count where sections[index] == Int32(truncatingIfNeeded: section) {
        bits |= 1 &<< UInt16(truncatingIfNeeded: index)
      }
      return bits
    }

    /// Returns a row as a flat index.
    func row(_ index: Int, _ shape: ListShape) -> Int {
      shape.rows(ofSection: Int(sections[index])).lowerBound + Int(rows[index])
    }

    fileprivate func path(_ index: Int) -> ListPath {
      ListPath(section: Int(sections[index]), row: Int(rows[index]))
    }
  }

  @usableFromInline var old = Positions()
  @usableFromInline var new = Positions()

  /// By index of a new row, the index of its partner in `old`; -1 if it has none.
  @usableFromInline var partners = SIMD16<Int8>(repeating: -1)

  /// A bit for each old row that has a partner, and for each new row whose content changed.
  @usableFromInline var paired: UInt16 = 0
  @usableFromInline var changed: UInt16 = 0

  @inlinable init() {}

  /// Pairs the rows that are not aligned. If some of their ids repeat, aligns no rows and pairs all
  /// of them. Returns `nil` if that takes more than a few hundred comparisons of ids.
  @_alwaysEmitIntoClient
  init?<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ alignment: inout Alignment, _ oldLists: Lists, _ newLists: Lists,
    _ sections: SectionPartners, by rule: Rule
  ) where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    let (oldCount, newCount) = (alignment.oldRest, alignment.newRest)
    let aligned = oldLists.reduce(0) { $0 &+ $1.count } &- oldCount
    // Hashing long texts is faster than more comparisons.
    guard oldCount <= 16, newCount <= 16, aligned <= 144,
      oldCount &* newCount &+ (oldCount &+ newCount) &* aligned <= 144,
      pairDistinct(alignment, oldLists, newLists, by: rule)
        || pairRepeats(&alignment, oldLists, newLists, sections, by: rule)
    else { return nil }
  }

  /// Pairs the rows that are not aligned. Returns false if one of their ids repeats.
  @_alwaysEmitIntoClient
  mutating func pairDistinct<Lists: RandomAccessCollection, Rule: ItemRule>(
    _ alignment: Alignment, _ oldLists: Lists, _ newLists: Lists, by rule: Rule
  ) -> Bool where Lists.Element == ContiguousArray<Rule.Item>, Lists.Index == Int {
    let (oldCount, newCount) = (alignment.oldRest, alignment.newRest)
    if oldCount &+ newCount == 0 { return true }
    locate(alignment)
    for index in 0..<newCount {
      let id = new.id(index, in: newLists, rule)
      for other in 0..<oldCount where old.id(other, in: oldLists, rule) == id {
        if partners[index] >= 0 || paired & 1 &<< UInt16(other) != 0 { return false }
        pair(other, index)
        let before = oldLists[Int(old.sections[other])][Int(old.rows[other])]
        let after = newLists[Int(new.sections[index])][Int(new.rows[index])]
        if !rule.isSame(before, after) { changed |= 1 &<< UInt16(index) }
      }
    }
    // Other pairs may need fewer moves if an aligned row has one of the ids.
    for section in oldLists.indices {
      var rest = old.bits(ofSection: section, oldCount)
      let items = oldLists[section]
      for row in items.indices {
        if rest != 0, Int(old.rows[rest.trailingZeroBitCount]) == row {
          rest &= rest &- 1
          continue
        }
        let id = rule.id(items[row])
        for other in 0..<oldCount where old.id(other, in: oldLists, rule) == id { return false }
        for other in 0..<newCount where new.id(other, in: newLists, rule) == id { return false }
      }
    }
    return true
  }

  /// Pairs two rows.
  @inlinable @inline(__always)
  mutating func pair(_ old: Int, _ new: Int) {
    partners[new] = Int8(truncatingIfNeeded: old)
    paired |= 1 &<< UInt16(truncatingIfNeeded: old)
  }

  /// Stores the positions of the rows.
  @usableFromInline
  mutating func locate(_ alignment: Alignment) {
    var count = (old: 0, new: 0)
    for gap in alignment.gaps {
      for row in gap.old..<gap.old + gap.oldCount {
        old.sections[count.old] = gap.oldSection
        old.rows[count.old] = row
        count.old += 1
      }
      for row in gap.new..<gap.new + gap.newCount {
        new.sections[count.new] = gap.newSection
        new.rows[count.new] = row
        count.new += 1
      }
    }
  }
}

extension FewRows {
  /// Returns the structural operations if both lists have the same sections in the same order, with
  /// the counts of rows that they change. `shape` is that of the old list.
  ///
  /// - Complexity: O(*r*²), where *r* is the number of runs of rows that are in both lists.
  func stage(_ alignment: Alignment, _ shape: ListShape) -> (Stage, Counts) {
    var stage = Stage()
    for index in 0..<alignment.oldRest where paired & 1 &<< UInt16(index) == 0 {
      stage.append(.deleteItems(at: old.path(index), count: 1))
    }
    for index in 0..<alignment.newRest where partners[index] < 0 {
      stage.append(.insertItems(at: new.path(index), count: 1))
    }
    let pairs = paired.nonzeroBitCount
    var counts = Counts(deletes: alignment.oldRest - pairs, inserts: alignment.newRest - pairs)
    var gaps = alignment.gaps[...]
    var index = 0
    while let section = gaps.first?.newSection {
      var runs = Runs(section: Int(section), capacity: 2 * alignment.newRest + 1)
      var next = (old: 0, new: 0)
      while let gap = gaps.first, gap.newSection == section {
        gaps.removeFirst()
        runs.appendAligned(old: next.old, new: next.new, count: Int(gap.new) - next.new)
        for row in Int(gap.new)..<Int(gap.new + gap.newCount) {
          if partners[index] >= 0 { runs.append(old.path(Int(partners[index])), to: row, count: 1) }
          index += 1
        }
        next = (Int(gap.old + gap.oldCount), Int(gap.new + gap.newCount))
      }
      let count = shape.rows(ofSection: Int(section)).count
      runs.appendAligned(old: next.old, new: next.new, count: count - next.old)
      runs.appendMoves(to: &stage, &counts)
    }
    return (stage, counts)
  }

  /// Returns the new rows whose content changed, as flat indices in order, including those that are
  /// aligned. `shape` is that of the new list.
  func changedRows(_ alignment: Alignment, _ shape: ListShape) -> [Int32] {
    var rows = alignment.changedRows
    if changed == 0 { return rows }
    for index in 0..<alignment.newRest where changed & 1 &<< UInt16(index) != 0 {
      rows.append(Int32(truncatingIfNeeded: new.row(index, shape)))
    }
    return rows.sorted()
  }
}

/// The rows of a section that were in the old list, as maximal runs in their new order.
private struct Runs {
  /// Consecutive rows. A run from the section itself has the largest number of rows in an increasing
  /// sequence of such runs that ends with it, and its predecessor there, or -1.
  private struct Run {
    var from: ListPath
    var to: Int
    var count: Int
    var weight = 0
    var last = -1
  }

  private let section: Int
  private var runs: [Run] = []

  init(section: Int, capacity: Int) {
    self.section = section
    runs.reserveCapacity(capacity)
  }

  mutating func appendAligned(old: Int, new: Int, count: Int) {
    if count > 0 { append(ListPath(section: section, row: old), to: new, count: count) }
  }

  mutating func append(_ from: ListPath, to row: Int, count: Int) {
    if let last = runs.last, last.from.advanced(by: last.count) == from, last.to + last.count == row
    {
      runs[runs.count - 1].count += count
      runs[runs.count - 1].weight += from.section == section ? count : 0
      return
    }
    var run = Run(from: from, to: row, count: count)
    if from.section == section {
      for (index, earlier) in runs.enumerated()
      where earlier.weight >= run.weight && earlier.from < from && earlier.from.section == section {
        (run.weight, run.last) = (earlier.weight, index)
      }
      run.weight += count
    }
    runs.append(run)
  }

  /// Appends moves of the runs that are not in an increasing sequence with the most rows.
  func appendMoves(to stage: inout Stage, _ counts: inout Counts) {
    var staying = 0
    for index in runs.indices where runs[index].weight >= runs[staying].weight { staying = index }
    var stays = [Bool](repeating: false, count: runs.count)
    while staying >= 0, staying < runs.count, runs[staying].weight > 0 {
      stays[staying] = true
      staying = runs[staying].last
    }
    for (index, run) in runs.enumerated() where !stays[index] {
      counts.moves += run.count
      stage.ops.append(
        .moveItems(
          from: run.from, to: ListPath(section: section, row: run.to), count: run.count))
    }
  }
}
