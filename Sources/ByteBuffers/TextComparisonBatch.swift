/// A batch of pairs of texts to compare byte by byte.
///
/// Comparing a text that is in no cache has to wait for memory; the texts of a batch are loaded at
/// the same time.
package struct TextComparisonBatch: ~Copyable {
  private var lefts: [UnsafeRawPointer] = []
  private var rights: [UnsafeRawPointer] = []
  private var counts: [Int] = []

  /// A checksum of the bytes read ahead, so that the compiler keeps the loads.
  private var seen: UInt8 = 0

  package init() {}

  /// Adds a pair. Its bytes must stay valid until they have been compared.
  package mutating func append(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
    guard let a = left.baseAddress, let b = right.baseAddress, left.count == right.count else {
      // A pair with an empty side or different lengths needs no comparison.
      let none = UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
      lefts.append(none)
      rights.append(none)
      return counts.append(left.count == right.count ? 0 : -1)
    }
    lefts.append(a)
    rights.append(b)
    counts.append(left.count)
  }

  /// Calls `body` with the index of each pair, in order, and whether its texts are equal, and then
  /// empties the batch.
  package mutating func compare(_ body: (Int, Bool) -> Void) {
    for index in counts.indices where counts[index] > 0 {
      // In bounds: the last byte, or one before it.
      let last = counts[index] - 1
      seen ^= lefts[index].load(as: UInt8.self)
      seen ^= lefts[index].load(fromByteOffset: min(64, last), as: UInt8.self)
      seen ^= lefts[index].load(fromByteOffset: min(128, last), as: UInt8.self)
    }
    for index in counts.indices {
      let count = counts[index]
      body(index, count == 0 || count > 0 && Bytes.equal(lefts[index], rights[index], count: count))
    }
    lefts.removeAll(keepingCapacity: true)
    rights.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
