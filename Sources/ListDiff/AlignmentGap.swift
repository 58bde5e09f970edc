/// Rows between neighbours that are the same, in two sections that are a pair: taken from the old
/// section and put into the new one, unless they are found elsewhere.
///
/// Rows are counted from the start of their sections. What is in no gap is aligned: the rows between
/// two gaps are the same on both sides, in the same order.
@frozen @usableFromInline
struct AlignmentGap: BitwiseCopyable {
  @usableFromInline var oldSection: Int32
  @usableFromInline var newSection: Int32
  @usableFromInline var old: Int32
  @usableFromInline var oldCount: Int32
  @usableFromInline var new: Int32
  @usableFromInline var newCount: Int32

  /// A gap from what it begins and ends at.
  @inlinable @inline(__always)
  init(_ sections: (old: Int, new: Int), old: Range<Int>, new: Range<Int>) {
    oldSection = Int32(truncatingIfNeeded: sections.old)
    newSection = Int32(truncatingIfNeeded: sections.new)
    self.old = Int32(truncatingIfNeeded: old.lowerBound)
    oldCount = Int32(truncatingIfNeeded: old.count)
    self.new = Int32(truncatingIfNeeded: new.lowerBound)
    newCount = Int32(truncatingIfNeeded: new.count)
  }
}

/// What comparing neighbours finds: gaps, and what changed in place.
@frozen @usableFromInline
struct Alignment {
  /// In the order of the new sections and their rows.
  @usableFromInline var gaps: [AlignmentGap] = []

  /// The aligned new rows whose content changed, counted through all sections.
  @usableFromInline var changedRows: [Int32] = []

  /// How many rows are in gaps.
  @usableFromInline var oldRest = 0
  @usableFromInline var newRest = 0

  @inlinable init() {}

  @inlinable @inline(__always)
  mutating func append(_ gap: AlignmentGap) {
    gaps.append(gap)
    oldRest &+= Int(gap.oldCount)
    newRest &+= Int(gap.newCount)
  }

  /// Calls `body` with each aligned pair of rows of a list without sections, in order.
  func forEachPair(oldCount: Int, _ body: (_ old: Int, _ new: Int) -> Void) {
    var next = (old: 0, new: 0)
    for gap in gaps {
      while next.old < Int(gap.old) {
        body(next.old, next.new)
        next = (next.old + 1, next.new + 1)
      }
      next = (Int(gap.old + gap.oldCount), Int(gap.new + gap.newCount))
    }
    while next.old < oldCount {
      body(next.old, next.new)
      next = (next.old + 1, next.new + 1)
    }
  }

  /// Aligns the items of two sections that are the same at both ends, then those that a few steps to
  /// either side explain, as long as that succeeds now and then.
  ///
  /// `start` is the number of new rows in the sections before.
  @inlinable @inline(__always)
  mutating func align<Item, ID: Hashable>(
    _ old: Span<Item>, _ new: Span<Item>, sections: (old: Int, new: Int) = (0, 0),
    start: Int = 0, id: (Item) -> ID, isSame: (Item, Item) -> Bool
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
    var patience = 64
    while i < oldEnd, j < newEnd, patience > 0 {
      if id(old[i]) != id(new[j]) {
        var skip = (old: 1, new: 1)
        for reach in 1...3 {
          if i &+ reach < oldEnd, id(old[i &+ reach]) == id(new[j]) {
            skip = (reach, 0)
            break
          }
          if j &+ reach < newEnd, id(old[i]) == id(new[j &+ reach]) {
            skip = (0, reach)
            break
          }
        }
        let isLost = skip == (1, 1)
        patience &-= isLost ? 8 : 2
        i &+= skip.old
        j &+= skip.new
        if isLost { continue }
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
