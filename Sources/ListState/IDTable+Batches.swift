import enum JSONBytes.Bytes

/// String identifiers that wait to be interned together.
///
/// Each look-up of a table that is larger than the caches waits for memory three times. Of a batch
/// each step is made for all, so that they wait at the same time.
package struct IDBatch: Sendable {
  fileprivate var ids: [Range<Int>] = []
  fileprivate var items: [Int] = []
  fileprivate var hashes: [UInt64] = []
  fileprivate var slots: [UInt64] = []
  fileprivate var ranges: [Range<Int>] = []

  /// How many identifiers are worth waiting for.
  private static let size = 128

  package init() {}

  /// Adds the identifier that stands at a range of bytes, of an item by number.
  ///
  /// - Returns: Whether the batch is to be interned before more is added.
  package mutating func append(_ id: Range<Int>, item: Int) -> Bool {
    ids.append(id)
    items.append(item)
    return items.count == Self.size
  }
}

extension IDTable {
  /// Interns the identifiers of a batch in order, whose ranges are ones of `text`, tells each
  /// item's key and empties the batch.
  ///
  /// - Complexity: O(*b*), where *b* is the number of their bytes.
  package mutating func intern(
    _ batch: inout IDBatch, in text: UnsafeRawBufferPointer, _ body: (Int, UInt32) -> Void
  ) {
    guard !batch.items.isEmpty else { return }
    makeRoom(for: batch.items.count)
    batch.hashes.removeAll(keepingCapacity: true)
    batch.slots.removeAll(keepingCapacity: true)
    batch.ranges.removeAll(keepingCapacity: true)
    for id in batch.ids {
      batch.hashes.append(seededHash(.string, UnsafeRawBufferPointer(rebasing: text[id])))
    }
    readSlots(batch.hashes, into: &batch.slots)
    readRanges(batch.slots, into: &batch.ranges)
    for place in batch.items.indices {
      let id = UnsafeRawBufferPointer(rebasing: text[batch.ids[place]])
      let hash = batch.hashes[place]
      let slot = batch.slots[place]
      if (slot ^ hash) >> 32 == 0, slot != 0, isSame(batch.ranges[place], id, slot) {
        body(batch.items[place], UInt32(truncatingIfNeeded: slot) - 1)
      } else {
        body(batch.items[place], intern(.string, id, hash))
      }
    }
    batch.ids.removeAll(keepingCapacity: true)
    batch.items.removeAll(keepingCapacity: true)
  }
}
