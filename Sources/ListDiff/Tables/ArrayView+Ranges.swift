extension ArrayView<Int32> {
  /// Calls `body` with the start and the end of each maximal range of negative elements, in order.
  ///
  /// If ranges are short, a branch for each element is mispredicted twice per range. The signs of
  /// 32 elements are therefore collected in a word first, in which the changes are searched.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inline(__always)
  func forEachNegativeRange(from start: Int, to end: Int, _ body: (Int, Int) -> Void) {
    var open = -1
    var index = start
    while index < end {
      let signs = signs(from: index, count: Swift.min(32, end &- index))
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
      index &+= 32
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
      var breaks = breaks(from: index, count: Swift.min(32, end &- index))
      while breaks != 0 {
        let start = index &+ breaks.trailingZeroBitCount
        breaks &= breaks &- 1
        body(open, start)
        open = start
      }
      index &+= 32
    }
    body(open, end)
  }

  /// Whether operations on vectors are not calls, as in a debug build.
  private static var hasFastVectors: Bool { !_isDebugAssertConfiguration() }

  /// Returns a word with a bit for each of up to 32 elements that does not continue a run.
  @inline(__always)
  private func breaks(from start: Int, count: Int) -> UInt32 {
    if count == 32, Self.hasFastVectors {
      if continuesRun(from: start) { return 0 }
      let last = block(at: start &- 1)
      let next = block(at: start)
      return Self.bits { offset in
        let last = last.four(at: offset)
        let next = next.four(at: offset)
        let step = (next &- last) & ~1 | (next ^ last) & .min
        return step | (0 &- step)
      }
    }
    let part = extracting(start - 1..<start + count)
    var breaks: UInt32 = 0
    var offset = 0
    while offset < count {
      breaks |= (part.step(offset) == 0 ? 0 : 1) &<< UInt32(truncatingIfNeeded: offset)
      offset &+= 1
    }
    return breaks
  }

  /// Returns whether 32 elements continue the run of the element before them.
  @inline(__always)
  private func continuesRun(from start: Int) -> Bool {
    let block = block(at: start)
    let last = self[start &- 1]
    let isEmpty = SIMD4(repeating: last &>> 31)
    var expected = (SIMD4(1, 2, 3, 4) & ~isEmpty) &+ last
    let step = SIMD4(repeating: 4) & ~isEmpty
    var difference = SIMD4<Int32>()
    for offset in stride(from: 0, to: 32, by: 4) {
      difference |= block.four(at: offset) ^ expected
      expected &+= step
    }
    return difference[0] | difference[1] | difference[2] | difference[3] == 0
  }

  /// Returns zero if the next element continues the run: both are -1, or it is one more.
  @inline(__always)
  private func step(_ index: Int) -> Int32 {
    let next = self[index &+ 1]
    return (next &- self[index]) & ~1 | (next ^ self[index]) & .min
  }

  /// Returns a word with a bit for each of up to 32 elements that is negative.
  @inline(__always)
  private func signs(from start: Int, count: Int) -> UInt32 {
    if count == 32, Self.hasFastVectors {
      let block = block(at: start)
      var any = SIMD4<Int32>()
      for offset in stride(from: 0, to: 32, by: 4) { any |= block.four(at: offset) }
      if any[0] | any[1] | any[2] | any[3] >= 0 { return 0 }
      return Self.bits { block.four(at: $0) }
    }
    let part = extracting(start..<start + count)
    var signs: UInt32 = 0
    var offset = 0
    while offset < count {
      signs |= (part[offset] < 0 ? 1 : 0) &<< UInt32(truncatingIfNeeded: offset)
      offset &+= 1
    }
    return signs
  }

  /// Returns a word with the signs of 32 numbers, which `four` returns from the offsets 0, 4, 8, …
  /// on.
  @inline(__always)
  private static func bits(_ four: (Int) -> SIMD4<Int32>) -> UInt32 {
    var bits = SIMD4<Int32>()
    var weights = SIMD4<Int32>(1, 2, 4, 8)
    for offset in stride(from: 0, to: 32, by: 4) {
      bits |= four(offset) &>> 31 & weights
      weights &<<= 4
    }
    return UInt32(bitPattern: bits[0] | bits[1] | bits[2] | bits[3])
  }
}
