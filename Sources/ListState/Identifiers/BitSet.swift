/// A set of integers below a bound, with one bit for each integer.
struct BitSet: Sendable {
  /// Empty until a member is inserted: the set takes no memory then.
  private var words: [UInt64] = []

  /// The bound: every member is less than it.
  let bound: Int

  /// Creates an empty set of integers below `bound`.
  init(bound: Int) { self.bound = bound }

  /// Reports whether an integer below the bound is a member.
  func contains(_ member: Int) -> Bool {
    !words.isEmpty && words[member / 64] >> (member % 64) & 1 != 0
  }

  /// Inserts a member. Returns whether it was inserted, that is, was not a member before.
  mutating func insert(_ member: Int) -> Bool {
    let bit: UInt64 = 1 << (member % 64)
    if words.isEmpty { words = Array(repeating: 0, count: (bound + 63) / 64) }
    guard words[member / 64] & bit == 0 else { return false }
    words[member / 64] |= bit
    return true
  }
}
