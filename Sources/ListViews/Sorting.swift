import ByteBuffers

/// Sorts items by keys that compare as bytes.
struct Sorting {
  private struct Entry {
    /// The first eight bytes of the key, the first byte most significant.
    var prefix: UInt64

    /// The index of the item in the order of the sources.
    var index: Int32
  }

  private var entries: [Entry] = []
  private var keys: [UInt8] = []

  /// For each item the end in `keys` of the bytes of its key after the prefix.
  private var ends: [Int] = []

  /// Adds the key of the next item in the order of the sources.
  mutating func append(_ key: borrowing ByteBuffer) {
    key.withUnsafeBytes { bytes in
      var prefix: UInt64 = 0
      for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
      entries.append(Entry(prefix: prefix, index: Int32(truncatingIfNeeded: entries.count)))
      if bytes.count > 8 { keys.append(contentsOf: bytes[8...]) }
      ends.append(keys.count)
    }
  }

  /// Sorts the items whose keys were added. The sort is stable. Returns false if it `isStopped`.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of items.
  mutating func sort(_ order: inout [Int32], isStopped: () -> Bool) -> Bool {
    do { try sortEntries(isStopped: isStopped) } catch { return false }
    let before = order
    for index in entries.indices { order[index] = before[Int(entries[index].index)] }
    return true
  }

  private struct Stopped: Error {}

  private mutating func sortEntries(isStopped: () -> Bool) throws {
    let ends = ends
    var compared = 0
    try keys.withUnsafeBytes { keys in
      func rest(_ index: Int32) -> UnsafeRawBufferPointer {
        let index = Int(index)
        return UnsafeRawBufferPointer(
          rebasing: keys[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
      }
      try entries.sort { a, b in
        compared &+= 1
        if compared & 0xFFF == 0, isStopped() { throw Stopped() }
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        let (left, right) = (rest(a.index), rest(b.index))
        if Bytes.precedes(left, right) { return true }
        return a.index < b.index && Bytes.equal(left, right)
      }
    }
  }
}
