extension Span<Int32> {
  /// Calls `body` with the start and the end of each maximal range of negative elements, in order.
  ///
  /// If ranges are short, a branch for each element is mispredicted twice per range. The signs of
  /// 64 elements are therefore collected in a word first, in which the changes are searched.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inline(__always)
  func forEachNegativeRange(from start: Int, to end: Int, _ body: (Int, Int) -> Void) {
    var open = -1
    var index = start
    while index < end {
      let signs = signs(from: index, count: Swift.min(64, end &- index))
      var edges = signs ^ (signs &<< 1 | (open < 0 ? 0 : 1))
      while edges != 0 {
        let edge = index &+ edges.trailingZeroBitCount
        edges &= edges &- 1
        if open < 0 {
          open = edge
        } else {
          body(open, edge)
          open = -1
        }
      }
      index &+= 64
    }
    if open >= 0 { body(open, end) }
  }

  /// Calls `body` with the start and the end of each maximal range in which each element is one
  /// more than the previous one, or all are -1, in order. Elements that are not negative must be
  /// distinct.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inline(__always)
  func forEachRun(from start: Int, to end: Int, _ body: (Int, Int) -> Void) {
    guard start < end else { return }
    var open = start
    var index = start + 1
    while index < end {
      var breaks = breaks(from: index, count: Swift.min(64, end &- index))
      while breaks != 0 {
        let start = index &+ breaks.trailingZeroBitCount
        breaks &= breaks &- 1
        body(open, start)
        open = start
      }
      index &+= 64
    }
    body(open, end)
  }

  /// Returns a word with a bit for each of up to 64 elements that does not continue a run.
  @inline(__always)
  private func breaks(from start: Int, count: Int) -> UInt64 {
    let part = extracting(start - 1..<start + count)
    var breaks: UInt64 = 0
    if count == 64 {
      var any: Int32 = 0
      for offset in 0..<64 { any |= part.step(offset) }
      if any == 0 { return 0 }
      for offset in 0..<64 { breaks |= (part.step(offset) == 0 ? 0 : 1) &<< UInt64(offset) }
    } else {
      for offset in 0..<count { breaks |= (part.step(offset) == 0 ? 0 : 1) &<< UInt64(offset) }
    }
    return breaks
  }

  /// Returns zero if the next element continues the run: both are -1, or it is one more.
  @inline(__always)
  private func step(_ index: Int) -> Int32 {
    let next = self[index &+ 1]
    return (next &- self[index]) & ~1 | (next ^ self[index]) & .min
  }

  /// Returns a word with a bit for each of up to 64 elements that is negative.
  @inline(__always)
  private func signs(from start: Int, count: Int) -> UInt64 {
    let part = extracting(start..<start + count)
    var any: Int32 = 0
    var all: Int32 = -1
    var signs: UInt64 = 0
    if count == 64 {
      // If all signs are equal, no bits need to be collected.
      for offset in 0..<64 { any |= part[offset] }
      if any >= 0 { return 0 }
      for offset in 0..<64 { all &= part[offset] }
      if all < 0 { return ~0 }
      for offset in 0..<64 { signs |= part.sign(offset) &<< UInt64(offset) }
    } else {
      for offset in 0..<count { signs |= part.sign(offset) &<< UInt64(offset) }
    }
    return signs
  }

  @inline(__always)
  private func sign(_ index: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: UInt32(bitPattern: self[index]) &>> 31)
  }
}
