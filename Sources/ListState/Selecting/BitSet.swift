/// A set of integers below a bound, with one bit for each integer.
package struct BitSet: Sendable {
  /// Empty until a member is inserted: the set takes no memory then.
  private var words: [UInt64] = []

  /// The number of members.
  package private(set) var count = 0

  /// The bound: every member is less than it.
  package let bound: Int

  /// Creates an empty set of integers below `bound`.
  package init(bound: Int) {
    self.bound = bound
  }

  /// Reports whether an integer below the bound is a member.
  package func contains(_ member: Int) -> Bool {
    count > 0 && words[member / 64] >> (member % 64) & 1 != 0
  }

  /// Inserts a member. Returns whether it was inserted, that is, was not a member before.
  @discardableResult
  package mutating func insert(_ member: Int) -> Bool {
    let bit: UInt64 = 1 << (member % 64)
    if words.isEmpty { words = Array(repeating: 0, count: (bound + 63) / 64) }
    guard words[member / 64] & bit == 0 else { return false }
    words[member / 64] |= bit
    count += 1
    return true
  }

  /// Removes a member. Returns whether it was a member.
  @discardableResult
  package mutating func remove(_ member: Int) -> Bool {
    guard contains(member) else { return false }
    let bit: UInt64 = 1 << (member % 64)
    words[member / 64] &= ~bit
    count -= 1
    return true
  }

  /// Removes every member in a range.
  ///
  /// - Complexity: O(*w*), where *w* is the number of 64-bit words that the range overlaps.
  package mutating func remove(in range: Range<Int>) {
    if count == 0 { return }
    for (word, mask) in Self.masks(of: range) {
      count -= (words[word] & mask).nonzeroBitCount
      words[word] &= ~mask
    }
  }

  /// Returns the number of members in a range.
  ///
  /// - Complexity: O(*w*), where *w* is the number of 64-bit words that the range overlaps.
  package func count(in range: Range<Int>) -> Int {
    if count == 0 { return 0 }
    var result = 0
    for (word, mask) in Self.masks(of: range) { result += (words[word] & mask).nonzeroBitCount }
    return result
  }

  /// Returns the least member that is at least `start`, or `nil` if there is none.
  package func first(from start: Int) -> Int? {
    guard count > 0, start < bound else { return nil }
    var word = start / 64
    var bits = words[word] & (.max << (start % 64))
    while bits == 0 {
      word += 1
      guard word < words.count else { return nil }
      bits = words[word]
    }
    return word * 64 + bits.trailingZeroBitCount
  }

  /// The members in ascending order.
  package var members: Members { Members(set: self) }

  /// The members of a set in ascending order.
  package struct Members: Sequence, IteratorProtocol {
    fileprivate let set: BitSet
    private var start = 0

    fileprivate init(set: BitSet) { self.set = set }

    /// Returns the next member, or `nil` after the last one.
    package mutating func next() -> Int? {
      guard let member = set.first(from: start) else { return nil }
      start = member + 1
      return member
    }
  }

  /// Returns the members that are not members of another set with the same bound.
  package func subtracting(_ other: BitSet) -> BitSet {
    guard count > 0, other.count > 0 else { return self }
    var result = self
    for word in words.indices { result.words[word] &= ~other.words[word] }
    result.count = result.words.reduce(0) { $0 + $1.nonzeroBitCount }
    return result
  }

  /// The words that a range overlaps, each with a mask of the range's bits in it.
  private static func masks(of range: Range<Int>) -> some Sequence<(Int, UInt64)> {
    let first = range.lowerBound / 64
    let end = range.isEmpty ? first : (range.upperBound + 63) / 64
    return (first..<end).lazy.map { word in
      let low: UInt64 = word == first ? .max << (range.lowerBound % 64) : .max
      let high: UInt64 = word == end - 1 ? .max >> (63 - (range.upperBound - 1) % 64) : .max
      return (word, low & high)
    }
  }
}

extension BitSet: Equatable {
  package static func == (a: BitSet, b: BitSet) -> Bool {
    a.bound == b.bound && a.count == b.count && (a.count == 0 || a.words == b.words)
  }
}

extension BitSet {
  /// Stops the program if an invariant is violated: the count is the number of set bits, and no bit
  /// is set at or above the bound.
  ///
  /// - Complexity: O(*w*), where *w* is the number of 64-bit words.
  package func checkInvariants() {
    precondition(
      words.isEmpty || words.count == (bound + 63) / 64, "there are words for all members")
    precondition(
      count == words.reduce(0) { $0 + $1.nonzeroBitCount }, "the members are counted")
    precondition(
      bound % 64 == 0 || words.isEmpty || words[words.count - 1] >> (bound % 64) == 0,
      "members are below the bound")
  }
}
