/// A bit for each item of a leaf, by index.
struct ItemMask: Hashable, BitwiseCopyable, Sendable {
  /// The bits of 64 items each, the first one lowest. There are as many as a leaf has items at most.
  private var words = SIMD4<UInt64>()

  /// The number of items.
  private static let width = 256

  /// Whether no bit is set.
  var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  /// The number of bits that are set.
  var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  /// Calls `body` with the indices of the bits that are set, ascending.
  func forEachIndex(_ body: (Int) -> Void) {
    for word in 0..<4 {
      var rest = words[word]
      while rest != 0 {
        body(word << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }

  subscript(index: Int) -> Bool {
    get { words[index >> 6] >> (index & 63) & 1 != 0 }
    set {
      let bit: UInt64 = 1 << (index & 63)
      if newValue { words[index >> 6] |= bit } else { words[index >> 6] &= ~bit }
    }
  }

  /// Inserts bits that are not set before the one at an index.
  mutating func insert(_ count: Int, at index: Int) {
    if isEmpty { return }
    let low = Self.below(index)
    words = words & low | Self.moved(words & ~low, by: count)
  }

  /// Removes the bits at some indices.
  mutating func remove(_ indices: Range<Int>) {
    if isEmpty { return }
    let low = Self.below(indices.lowerBound)
    guard indices.count != 1 else {
      let next = SIMD4(words[1], words[2], words[3], 0)
      words = words & low | (words &>> 1 | next &<< 63) & ~low
      return
    }
    let high = words & ~Self.below(indices.upperBound)
    words = words & low | Self.moved(high, by: -indices.count)
  }

  /// Returns the bits at some indices, the first of them as the first one.
  func part(_ indices: Range<Int>) -> ItemMask {
    var part = ItemMask()
    if isEmpty { return part }
    part.words = Self.moved(words, by: -indices.lowerBound) & Self.below(indices.count)
    return part
  }

  /// Returns the bits below an index.
  private static func below(_ index: Int) -> SIMD4<UInt64> {
    var words = SIMD4<UInt64>()
    for word in 0..<4 {
      let bits = index - word * 64
      words[word] = bits >= 64 ? .max : bits <= 0 ? 0 : (1 << bits) - 1
    }
    return words
  }

  /// Returns bits at indices that are greater by a number. Those outside of the mask are lost.
  private static func moved(_ words: SIMD4<UInt64>, by count: Int) -> SIMD4<UInt64> {
    if count >= width || count <= -width { return SIMD4() }
    let (whole, bits) = (count >> 6, UInt64(count & 63))
    var moved = SIMD4<UInt64>()
    for word in 0..<4 {
      let source = word - whole
      if source >= 0, source < 4 { moved[word] = words[source] << bits }
      if bits > 0, source >= 1, source <= 4 { moved[word] |= words[source - 1] >> (64 - bits) }
    }
    return moved
  }
}

/// Ascending indices of items, of which leaves take theirs.
struct ItemIndices<Indices: Sequence<Int>> {
  private var rest: Indices.Iterator
  private var next: Int?

  init(_ indices: Indices) {
    rest = indices.makeIterator()
    next = rest.next()
  }

  mutating func mask(of range: Range<Int>) -> ItemMask {
    var mask = ItemMask()
    while let index = next, index < range.upperBound {
      mask[index - range.lowerBound] = true
      next = rest.next()
    }
    return mask
  }
}
