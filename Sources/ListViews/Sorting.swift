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

  /// Returns for each item the number of different keys before its own; `nil` if it `isStopped`.
  ///
  /// - Complexity: That of ``sort(_:isStopped:)``.
  mutating func levels(isStopped: () -> Bool) -> [Int32]? {
    do { try sortEntries(isStopped: isStopped) } catch { return nil }
    var levels = [Int32](repeating: 0, count: entries.count)
    var level: Int32 = 0
    for (place, entry) in entries.enumerated() {
      if place > 0, !isEqual(entries[place - 1], entry) { level += 1 }
      levels[Int(entry.index)] = level
    }
    return levels
  }

  private func isEqual(_ a: Entry, _ b: Entry) -> Bool {
    func rest(_ index: Int) -> ArraySlice<UInt8> {
      keys[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }
    return a.prefix == b.prefix && rest(Int(a.index)) == rest(Int(b.index))
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
