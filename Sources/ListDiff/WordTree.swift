/// The layout of a set of small numbers that finds the nearest element above a number.
///
/// Each word holds 64 numbers, and each level above has a bit for each word that is not empty: a
/// tree of fan-out 64 without pointers, after van Emde Boas ("Preserving order in a forest in less
/// than logarithmic time", 1975). The caller owns the words and keeps them in a span for a whole
/// loop.
struct WordTree {
  /// The index of the first word of each level.
  private var levels = SIMD8<Int>()
  private var height = 0

  /// The number of words.
  private(set) var wordCount = 0

  /// Creates the layout for numbers below `universe`.
  init(universe: Int) {
    var size = universe
    repeat {
      size = (size + 63) / 64
      levels[height] = wordCount
      height += 1
      wordCount += size
    } while size > 1
  }

  /// Inserts the numbers of a range that is not empty.
  @inline(__always)
  func insert(_ range: Range<Int>, in words: inout MutableArrayView<UInt64>) {
    var position = range.lowerBound >> 6
    // Almost always they are in one word.
    guard position == (range.upperBound &- 1) >> 6 else { return insertApart(range, in: &words) }
    let before = words[position]
    words[position] =
      before | (~0 &<< UInt64(truncatingIfNeeded: range.lowerBound))
      & (~0 &>> UInt64(truncatingIfNeeded: 0 &- range.upperBound))
    var isNew = before == 0
    var level = 1
    while isNew, level < height {
      let index = levels[level] &+ position >> 6
      let before = words[index]
      words[index] = before | 1 &<< UInt64(truncatingIfNeeded: position)
      isNew = before == 0
      position >>= 6
      level &+= 1
    }
  }

  @inline(never)
  private func insertApart(_ range: Range<Int>, in words: inout MutableArrayView<UInt64>) {
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
  func remove(_ number: Int, in words: inout MutableArrayView<UInt64>) {
    var position = number
    for level in 0..<height {
      let index = levels[level] &+ position >> 6
      let after = words[index] & ~(1 &<< UInt64(truncatingIfNeeded: position))
      words[index] = after
      if after != 0 { return }
      position >>= 6
    }
  }

  /// Returns the least element above `number`, or -1, and counts the words visited.
  @inline(__always)
  func next(after number: Int, in words: borrowing MutableArrayView<UInt64>, steps: inout Int)
    -> Int
  {
    var position = number
    for level in 0..<height {
      steps &+= 1
      let word =
        words[levels[level] &+ position >> 6] & (~1 &<< UInt64(truncatingIfNeeded: position))
      if word != 0 {
        position = position & ~63 | word.trailingZeroBitCount
        var below = level
        while below > 0 {
          below &-= 1
          position = position &<< 6 | words[levels[below] &+ position].trailingZeroBitCount
        }
        return position
      }
      position >>= 6
    }
    return -1
  }
}
