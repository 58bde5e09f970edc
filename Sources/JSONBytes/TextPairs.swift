/// Pairs of texts that wait to be compared byte by byte together.
///
/// Each text that is in no cache is waited for. Those of a batch are fetched at the same time.
package struct TextPairs: ~Copyable {
  private var lefts: [UnsafeRawPointer] = []
  private var rights: [UnsafeRawPointer] = []
  private var counts: [Int] = []

  /// What was read ahead, so that reading it is not left out.
  private var seen: UInt8 = 0

  package init() {}

  /// Adds a pair, whose bytes live until they have been compared.
  package mutating func append(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
    guard let a = left.baseAddress, let b = right.baseAddress, left.count == right.count else {
      // Nothing is compared where one side is empty or longer.
      let none = UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
      lefts.append(none)
      rights.append(none)
      return counts.append(left.count == right.count ? 0 : -1)
    }
    lefts.append(a)
    rights.append(b)
    counts.append(left.count)
  }

  /// Tells of each pair by number, in order, whether its texts are the same; empties the batch.
  package mutating func compare(_ body: (Int, Bool) -> Void) {
    for place in counts.indices where counts[place] > 0 {
      // In bounds: the last byte, or one before it.
      let last = counts[place] - 1
      seen ^= lefts[place].load(as: UInt8.self)
      seen ^= lefts[place].load(fromByteOffset: min(64, last), as: UInt8.self)
      seen ^= lefts[place].load(fromByteOffset: min(128, last), as: UInt8.self)
    }
    for place in counts.indices {
      let count = counts[place]
      body(place, count == 0 || count > 0 && Bytes.equal(lefts[place], rights[place], count: count))
    }
    lefts.removeAll(keepingCapacity: true)
    rights.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
