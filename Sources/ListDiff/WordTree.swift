/// The shape of a set of small numbers that finds the next one below or above any number.
///
/// Sixty-four numbers to a word, and above each level a summary of which of its words are not empty: a
/// tree of fan-out 64 without pointers, after van Emde Boas ("Preserving order in a forest in less
/// than logarithmic time", 1975). The words are the caller's, who holds them for a whole loop.
struct WordTree {
  /// Where in the words each level begins.
  private var levels = SIMD8<Int>()
  private var height = 0

  /// How many words there are.
  private(set) var wordCount = 0

  /// The shape for numbers below `universe`.
  init(universe: Int) {
    var size = universe
    repeat {
      size = (size + 63) / 64
      levels[height] = wordCount
      height += 1
      wordCount += size
    } while size > 1
  }

  /// Adds the numbers of a range, which is not empty.
  @inline(__always)
  func insert(_ range: Range<Int>, in words: inout MutableSpan<UInt64>) {
    var place = range.lowerBound >> 6
    // Nearly always they are in one word.
    guard place == (range.upperBound &- 1) >> 6 else { return insertApart(range, in: &words) }
    let before = words[place]
    words[place] =
      before | (~0 &<< UInt64(truncatingIfNeeded: range.lowerBound))
      & (~0 &>> UInt64(truncatingIfNeeded: 0 &- range.upperBound))
    var isNew = before == 0
    var level = 1
    while isNew, level < height {
      let index = levels[level] &+ place >> 6
      let before = words[index]
      words[index] = before | 1 &<< UInt64(truncatingIfNeeded: place)
      isNew = before == 0
      place >>= 6
      level &+= 1
    }
  }

  @inline(never)
  private func insertApart(_ range: Range<Int>, in words: inout MutableSpan<UInt64>) {
    var first = range.lowerBound
    var last = range.upperBound - 1
    for level in 0..<height {
      let start = levels[level] + first >> 6
      let end = levels[level] + last >> 6
      let head = ~UInt64(0) &<< UInt64(truncatingIfNeeded: first)
      let tail = ~UInt64(0) &>> UInt64(truncatingIfNeeded: 63 - last & 63)
      if start == end {
        let before = words[start]
        words[start] = before | head & tail
        if before != 0 { return }
      } else {
        words[start] |= head
        for word in start + 1..<end { words[word] = ~0 }
        words[end] |= tail
      }
      first >>= 6
      last >>= 6
    }
  }

  @inline(__always)
  func remove(_ number: Int, in words: inout MutableSpan<UInt64>) {
    var place = number
    for level in 0..<height {
      let index = levels[level] &+ place >> 6
      let after = words[index] & ~(1 &<< UInt64(truncatingIfNeeded: place))
      words[index] = after
      if after != 0 { return }
      place >>= 6
    }
  }

  /// The least number above `number`, or -1; counts the words looked at.
  @inline(__always)
  func next(after number: Int, in words: borrowing MutableSpan<UInt64>, _ steps: inout Int) -> Int {
    var place = number
    for level in 0..<height {
      steps &+= 1
      let word =
        words[levels[level] &+ place >> 6] & (~1 &<< UInt64(truncatingIfNeeded: place))
      if word != 0 {
        place = place & ~63 | word.trailingZeroBitCount
        var below = level
        while below > 0 {
          below &-= 1
          place = place &<< 6 | words[levels[below] &+ place].trailingZeroBitCount
        }
        return place
      }
      place >>= 6
    }
    return -1
  }

  /// The greatest number below `number` and the least above it, where there are both.
  @inline(__always)
  func neighbours(
    of number: Int, in words: borrowing MutableSpan<UInt64>, _ steps: inout Int
  ) -> (below: Int, above: Int) {
    var below = -1
    var above = -1
    var place = number
    var level = 0
    while below < 0 || above < 0 {
      steps &+= 1
      let word = words[levels[level] &+ place >> 6]
      let low = word & ~(~0 &<< UInt64(truncatingIfNeeded: place))
      let high = word & (~1 &<< UInt64(truncatingIfNeeded: place))
      if low != 0, below < 0 {
        below = place & ~63 | (63 &- low.leadingZeroBitCount)
        for lower in stride(from: level - 1, through: 0, by: -1) {
          below = below &<< 6 | (63 &- words[levels[lower] &+ below].leadingZeroBitCount)
        }
      }
      if high != 0, above < 0 {
        above = place & ~63 | high.trailingZeroBitCount
        for lower in stride(from: level - 1, through: 0, by: -1) {
          above = above &<< 6 | words[levels[lower] &+ above].trailingZeroBitCount
        }
      }
      place >>= 6
      level &+= 1
    }
    return (below, above)
  }
}
