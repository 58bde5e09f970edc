/// Rows between aligned rows, in two paired sections: deleted from the old section and inserted
/// into the new one, unless they have a partner elsewhere. All rows of a section without a partner
/// are a gap, too; the number of the other section is then -1.
///
/// Rows are counted from the start of their sections. Rows that are in no gap are aligned: the rows
/// between two gaps are the same on both sides, in the same order.
@frozen @usableFromInline
struct AlignmentGap: BitwiseCopyable {
  @usableFromInline let oldSection: Int32
  @usableFromInline let newSection: Int32
  @usableFromInline let old: Int32
  @usableFromInline let oldCount: Int32
  @usableFromInline let new: Int32
  @usableFromInline let newCount: Int32

  /// The old row after the gap.
  var oldEnd: Int32 { old &+ oldCount }

  /// Creates a gap from its ranges of rows.
  @_alwaysEmitIntoClient @inline(__always)
  init(_ sections: (old: Int, new: Int), old: Range<Int>, new: Range<Int>) {
    oldSection = Int32(truncatingIfNeeded: sections.old)
    newSection = Int32(truncatingIfNeeded: sections.new)
    self.old = Int32(truncatingIfNeeded: old.lowerBound)
    oldCount = Int32(truncatingIfNeeded: old.upperBound &- old.lowerBound)
    self.new = Int32(truncatingIfNeeded: new.lowerBound)
    newCount = Int32(truncatingIfNeeded: new.upperBound &- new.lowerBound)
  }
}

/// The result of comparing neighbours: gaps, and aligned rows whose content changed.
@frozen @usableFromInline
struct Alignment {
  /// The gaps in the order of the new sections and their rows, then those of deleted sections.
  @usableFromInline var gaps: [AlignmentGap] = []

  /// The aligned new rows whose content changed, as flat indices.
  @usableFromInline var changedRows: [Int32] = []

  @_alwaysEmitIntoClient init() {}

  @_alwaysEmitIntoClient @inline(__always)
  mutating func append(_ gap: AlignmentGap) {
    if gaps.count == 0 { gaps.reserveCapacity(4) }
    gaps.append(gap)
  }

  /// Adds all rows of a section without a partner, of which one number is -1.
  @_alwaysEmitIntoClient
  mutating func append(_ sections: (old: Int, new: Int), old: Int, new: Int) {
    if old + new > 0 { append(AlignmentGap(sections, old: 0..<old, new: 0..<new)) }
  }

  /// The numbers of rows in gaps.
  @usableFromInline var rest: (old: Int, new: Int) {
    let gaps = gaps.view
    var (old, new) = (0, 0)
    var index = 0
    while index < gaps.count {
      old &+= Int(gaps[index].oldCount)
      new &+= Int(gaps[index].newCount)
      index &+= 1
    }
    return (old, new)
  }

  /// Calls `body` with each range of aligned rows, as flat indices, in the order of the new ones.
  func forEachRun(
    _ sections: SectionPartners, _ oldShape: ListShape, _ newShape: ListShape,
    _ body: (_ old: Int, _ new: Int, _ count: Int) -> Void
  ) {
    let gaps = gaps.view
    var gap = 0
    var section = 0
    while section < newShape.sectionCount {
      let (partner, own) = (sections.old(section), newShape.rows(ofSection: section))
      let offset = partner < 0 ? 0 : oldShape.start(ofSection: partner)
      var (old, new) = (offset, own.lowerBound)
      while new < own.upperBound || gap < gaps.count {
        let isGap = gap < gaps.count && Int(gaps[gap].newSection) == section
        let end = isGap ? own.lowerBound &+ Int(gaps[gap].new) : own.upperBound
        if new < end { body(old, new, end &- new) }
        if !isGap { break }
        old = offset &+ Int(gaps[gap].oldEnd)
        new = end &+ Int(gaps[gap].newCount)
        gap &+= 1
      }
      section &+= 1
    }
  }

  /// Calls `body` with each aligned pair of rows, likewise.
  @usableFromInline
  func forEachPair(
    _ sections: SectionPartners, _ oldShape: ListShape, _ newShape: ListShape,
    _ body: (_ old: Int, _ new: Int) -> Void
  ) {
    forEachRun(sections, oldShape, newShape) { old, new, count in
      var offset = 0
      while offset < count {
        body(old &+ offset, new &+ offset)
        offset &+= 1
      }
    }
  }

  /// Aligns the items of two paired sections: first the common items at both ends, then items that
  /// match within three steps on either side, as long as enough of them do.
  ///
  /// `start` is the number of new rows in the sections before.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func align<Item: ~Copyable, ID: Hashable>(
    _ old: Span<Item>, _ new: Span<Item>, sections: (old: Int, new: Int) = (0, 0),
    start: Int = 0, id: (borrowing Item) -> ID,
    isSame: (borrowing Item, borrowing Item) -> Bool
  ) {
    let limit = min(old.count, new.count)
    var i = 0
    while i < limit, id(old[i]) == id(new[i]) {
      if !isSame(old[i], new[i]) {
        changedRows.append(Int32(truncatingIfNeeded: start &+ i))
      }
      i &+= 1
    }
    if i == old.count, i == new.count { return }
    var tail = 0
    while i &+ tail < limit,
      id(old[old.count &- 1 &- tail]) == id(new[new.count &- 1 &- tail])
    {
      tail &+= 1
    }
    let oldEnd = old.count &- tail
    let newEnd = new.count &- tail
    var j = i
    var gap = (old: i, new: j)
    // All rows of short lists are compared with each other anyway.
    var patience = limit > 24 ? 64 : 24
    while i < oldEnd, j < newEnd, patience > 0 {
      if id(old[i]) != id(new[j]) {
        let before = id(old[i])
        let after = id(new[j])
        var skip = (old: 1, new: 1)
        var reach = 1
        while reach <= 3 {
          if i &+ reach < oldEnd, id(old[i &+ reach]) == after {
            skip = (reach, 0)
            break
          }
          if j &+ reach < newEnd, before == id(new[j &+ reach]) {
            skip = (0, reach)
            break
          }
          reach &+= 1
        }
        let isMismatch = skip.old == skip.new
        patience &-= isMismatch ? 8 : 2
        i &+= skip.old
        j &+= skip.new
        if isMismatch { continue }
      }
      // A skip ends at a pair.
      if gap.old < i || gap.new < j {
        append(AlignmentGap(sections, old: gap.old..<i, new: gap.new..<j))
      }
      if !isSame(old[i], new[j]) {
        changedRows.append(Int32(truncatingIfNeeded: start &+ j))
      }
      i &+= 1
      j &+= 1
      gap = (i, j)
      patience = min(patience &+ 1, 64)
    }
    if gap.old < oldEnd || gap.new < newEnd {
      append(AlignmentGap(sections, old: gap.old..<oldEnd, new: gap.new..<newEnd))
    }
    for offset in 0..<tail
    where !isSame(old[oldEnd &+ offset], new[newEnd &+ offset]) {
      changedRows.append(Int32(truncatingIfNeeded: start &+ newEnd &+ offset))
    }
  }
}
