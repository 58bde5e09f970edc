/// A set of numbers that finds the nearest element above a number.
///
/// Each word holds 64 numbers, and two levels above have a bit for each word that is not empty: a tree of
/// fan-out 64 without pointers, after van Emde Boas ("Preserving order in a forest in less than logarithmic
/// time", 1975). The highest level is searched from word to word.
struct PileTops: ~Escapable {
  /// The words of all levels, the lowest one first.
  private var words: MutableArrayView<UInt64>
  /// The index of the first word of the two upper levels.
  private let middle: Int
  private let high: Int

  /// The word of the middle level that was used last, which is written back when another one is used.
  private var group = 0
  private var filled: UInt64 = 0

  /// Returns the number of words for numbers below `universe`.
  static func wordCount(_ universe: Int) -> Int {
    let low = words(universe)
    return low + words(low) + words(words(low))
  }

  private static func words(_ bits: Int) -> Int { (bits + 63) / 64 }

  /// Creates an empty set of numbers below `universe` in words with any values.
  @_lifetime(copy words)
  init(words: consuming MutableArrayView<UInt64>, universe: Int) {
    let count = Self.wordCount(universe)
    precondition(words.count >= count)
    self.words = words
    var word = 0
    while word < count {
      self.words[unchecked: word] = 0
      word &+= 1
    }
    middle = Self.words(universe)
    high = middle + Self.words(middle)
  }

  @_lifetime(self: copy self)
  @_transparent
  private mutating func use(_ other: Int) {
    if other == group { return }
    words[middle &+ group] = filled
    filled = words[middle &+ other]
    group = other
  }

  /// Returns the least element above a number that is not an element. There must be one.
  @_lifetime(self: copy self)
  @_transparent
  mutating func nearest(above number: Int) -> Int {
    let word = number &>> 6
    use(word &>> 6)
    let near = words[unchecked: word] & ~0 &<< UInt64(truncatingIfNeeded: number)
    let later = filled & ~1 &<< UInt64(truncatingIfNeeded: word)
    if near | later == 0 { return firstOfNextGroup() }
    let above = near != 0 ? word : group &<< 6 | later.trailingZeroBitCount
    return above &<< 6 | (near != 0 ? near : words[above]).trailingZeroBitCount
  }

  @inline(never)
  private func firstOfNextGroup() -> Int {
    var index = high &+ (group &+ 1) &>> 6
    var bits = words[index] & ~0 &<< UInt64(truncatingIfNeeded: group &+ 1)
    while bits == 0 {
      index &+= 1
      bits = words[index]
    }
    let next = (index &- high) &<< 6 | bits.trailingZeroBitCount
    let word = next &<< 6 | words[middle &+ next].trailingZeroBitCount
    return word &<< 6 | words[word].trailingZeroBitCount
  }

  /// Removes an element.
  @_lifetime(self: copy self)
  @_transparent
  mutating func remove(_ number: Int) {
    let word = number &>> 6
    use(word &>> 6)
    let left = words[unchecked: word] ^ 1 &<< UInt64(truncatingIfNeeded: number)
    words[unchecked: word] = left
    filled ^= (left == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: word)
    if filled == 0 {
      words[high &+ group &>> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: group))
    }
  }

  /// Inserts some of the 64 numbers of a word.
  @_lifetime(self: copy self)
  @_transparent
  mutating func insert(_ bits: UInt64, at word: Int) {
    use(word &>> 6)
    words[unchecked: word] |= bits
    if filled == 0 { words[high &+ group &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: group) }
    filled |= 1 &<< UInt64(truncatingIfNeeded: word)
  }

  /// Removes the nearest element above a number, which has just been found, and inserts the number.
  @_lifetime(self: copy self)
  @_transparent
  mutating func replace(_ covered: Int, by number: Int) {
    if covered &>> 12 != group { return replaceApart(covered, by: number) }
    let word = covered &>> 6
    let own = number &>> 6
    let left = words[unchecked: word] ^ 1 &<< UInt64(truncatingIfNeeded: covered)
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
    if own == word {
      words[unchecked: word] = left | bit
      return
    }
    words[unchecked: word] = left
    filled ^= (left == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: word)
    words[unchecked: own] |= bit
    filled |= 1 &<< UInt64(truncatingIfNeeded: own)
  }

  @_lifetime(self: copy self)
  @inline(never)
  private mutating func replaceApart(_ covered: Int, by number: Int) {
    remove(covered)
    insert(1 &<< UInt64(truncatingIfNeeded: number), at: number &>> 6)
  }
}
