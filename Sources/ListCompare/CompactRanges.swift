/// Ranges of bytes of a file, which is smaller than 2 GiB, or of a buffer smaller than 4 GiB.
struct CompactRanges: RandomAccessCollection {
  private var bounds: [SIMD2<UInt32>] = []

  var startIndex: Int { 0 }
  var endIndex: Int { bounds.count }

  @inline(__always)
  subscript(index: Int) -> Range<Int> { Int(bounds[index][0])..<Int(bounds[index][1]) }

  mutating func reserveCapacity(_ count: Int) { bounds.reserveCapacity(count) }

  @inline(__always)
  mutating func append(_ range: Range<Int>) {
    bounds.append(
      SIMD2(
        UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound)))
  }
}

/// Ranges of bytes of a buffer smaller than 4 GiB, each of which begins where the one before ends.
struct ConsecutiveRanges: RandomAccessCollection {
  /// The start of each range, and the end of the last one.
  private var bounds: [UInt32] = [0]

  var startIndex: Int { 0 }
  var endIndex: Int { bounds.count - 1 }

  @inline(__always)
  subscript(index: Int) -> Range<Int> { Int(bounds[index])..<Int(bounds[index + 1]) }

  mutating func reserveCapacity(_ count: Int) { bounds.reserveCapacity(count + 1) }

  @inline(__always)
  mutating func append(upTo end: Int) { bounds.append(UInt32(truncatingIfNeeded: end)) }
}
