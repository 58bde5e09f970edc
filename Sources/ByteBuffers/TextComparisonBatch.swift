/// A batch of pairs of texts to compare byte by byte.
///
/// Comparing a text that is in no cache has to wait for memory; the texts of a batch are loaded at
/// the same time.
package struct TextComparisonBatch: ~Copyable {
  private struct Pair: BitwiseCopyable {
    let left: UnsafeRawPointer
    let right: UnsafeRawPointer

    /// The number of bytes of both; -1 if their lengths differ.
    let count: Int
  }

  private var pairs: [Pair] = []

  /// A checksum of the bytes read ahead, so that the compiler keeps the loads.
  private var seen: UInt8 = 0

  package init() {}

  /// Adds a pair. Its bytes must stay valid until they have been compared.
  package mutating func append(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
    guard let a = left.baseAddress, let b = right.baseAddress, left.count == right.count else {
      // A pair with an empty side or different lengths needs no comparison.
      let none = UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
      let count = left.count == right.count ? 0 : -1
      return pairs.append(Pair(left: none, right: none, count: count))
    }
    pairs.append(Pair(left: a, right: b, count: left.count))
  }

  /// Calls `body` with the index of each pair, in order, and whether its texts are equal, and then
  /// empties the batch.
  package mutating func compare(_ body: (Int, Bool) -> Void) {
    for index in pairs.indices where pairs[index].count > 0 {
      let pair = pairs[index]
      // In bounds: the last byte, or one before it.
      let last = pair.count - 1
      seen ^= pair.left.load(as: UInt8.self)
      seen ^= pair.left.load(fromByteOffset: min(64, last), as: UInt8.self)
      seen ^= pair.left.load(fromByteOffset: min(128, last), as: UInt8.self)
    }
    for index in pairs.indices {
      let pair = pairs[index]
      body(
        index,
        pair.count == 0
          || pair.count > 0 && Bytes.equal(pair.left, pair.right, count: pair.count))
    }
    pairs.removeAll(keepingCapacity: true)
  }
}
