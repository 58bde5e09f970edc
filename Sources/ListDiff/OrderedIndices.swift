/// A set of small numbers that finds the next one below or above any number.
///
/// Sixty-four numbers to a word, and above each level a summary of which of its words are not empty: a
/// tree of fan-out 64 without pointers, after van Emde Boas ("Preserving order in a forest in less
/// than logarithmic time", 1975).
struct OrderedIndices {
  private var words: [UInt64] = []
  private var levels: InlineArray<6, Int> = .init(repeating: 0)
  private var height = 0

  /// How many words were looked at.
  private(set) var steps = 0

  /// Empties the set and makes room for the numbers below `universe`.
  ///
  /// - Complexity: O(*u* / 64), where *u* is the universe.
  mutating func removeAll(universe: Int) {
    height = 0
    var total = 0
    var size = universe
    repeat {
      size = (size + 63) / 64
      levels[height] = total
      height += 1
      total += size
    } while size > 1
    words.fill(total, with: 0)
  }

  /// Adds the numbers of a range, which is not empty.
  mutating func insert(_ range: Range<Int>) {
    var first = range.lowerBound
    var last = range.upperBound - 1
    for level in 0..<height {
      let base = levels[level]
      let start = first >> 6
      let end = last >> 6
      let head = ~UInt64(0) << UInt64(first & 63)
      let tail = ~UInt64(0) >> UInt64(63 - last & 63)
      if start == end {
        let before = words[base + start]
        words[base + start] = before | (head & tail)
        if before != 0 { return }
      } else {
        words[base + start] |= head
        for word in start + 1..<end { words[base + word] = ~0 }
        words[base + end] |= tail
      }
      first = start
      last = end
    }
  }

  mutating func remove(_ number: Int) {
    var place = number
    for level in 0..<height {
      let index = levels[level] + place >> 6
      words[index] &= ~(1 << UInt64(place & 63))
      if words[index] != 0 { return }
      place >>= 6
    }
  }

  /// The least number above `number`, or -1.
  mutating func next(after number: Int) -> Int {
    var place = number
    for level in 0..<height {
      steps &+= 1
      let word = words[levels[level] + place >> 6] & (~1 << UInt64(place & 63))
      if word != 0 {
        place = place & ~63 | word.trailingZeroBitCount
        for below in stride(from: level - 1, through: 0, by: -1) {
          place = place << 6 | words[levels[below] + place].trailingZeroBitCount
        }
        return place
      }
      place >>= 6
    }
    return -1
  }

  /// The greatest number below `number`, or -1.
  mutating func last(before number: Int) -> Int {
    var place = number
    for level in 0..<height {
      steps &+= 1
      let word = words[levels[level] + place >> 6] & ~(~0 << UInt64(place & 63))
      if word != 0 {
        place = place & ~63 | (63 - word.leadingZeroBitCount)
        for below in stride(from: level - 1, through: 0, by: -1) {
          place = place << 6 | (63 - words[levels[below] + place].leadingZeroBitCount)
        }
        return place
      }
      place >>= 6
    }
    return -1
  }
}
