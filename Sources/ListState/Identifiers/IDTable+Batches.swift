import ByteBuffers

/// String identifiers that are interned together.
///
/// Each look-up in a table that is larger than the caches waits for memory three times. A batch
/// makes each step for all of its identifiers, so that these waits overlap.
package struct IDBatch: Sendable {
  fileprivate var ids: [Range<Int>] = []
  fileprivate var items: [Int] = []
  fileprivate var hashes: [UInt64] = []
  fileprivate var slots: [UInt32] = []
  fileprivate var ranges: [Range<Int>] = []

  /// The number of identifiers in a full batch.
  private static let size = 128

  package init() {}

  /// Forgets the identifiers that were not interned because of a failure.
  package mutating func removeAll() {
    if items.isEmpty { return }
    ids.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  /// Adds the identifier at a range of bytes, for the item with an index.
  ///
  /// - Returns: Whether the batch is full and must be interned before more is added.
  package mutating func append(_ id: Range<Int>, item: Int) -> Bool {
    ids.append(id)
    items.append(item)
    return items.count >= Self.size
  }

  /// Adds the identifiers at ranges of bytes, for the items from an index on.
  ///
  /// - Returns: Whether the batch is full and must be interned before more is added.
  package mutating func append(_ added: [Range<Int>], firstItem: Int) -> Bool {
    ids.append(contentsOf: added)
    items.append(contentsOf: firstItem..<firstItem + added.count)
    return items.count >= Self.size
  }
}

extension IDTable {
  /// Interns the identifiers of a batch in order, sets the key of each item, and empties the batch.
  /// The identifiers' ranges are ranges of `text`.
  ///
  /// - Complexity: O(*b*), where *b* is the total size of the identifiers in bytes.
  mutating func intern(
    _ batch: inout IDBatch, in text: UnsafeRawBufferPointer, into keys: inout [UInt32]
  ) {
    guard !batch.items.isEmpty else { return }
    makeRoom(for: batch.items.count)
    batch.hashes.removeAll(keepingCapacity: true)
    batch.slots.removeAll(keepingCapacity: true)
    batch.ranges.removeAll(keepingCapacity: true)
    batch.hashes.append(addingCapacity: batch.ids.count) { hashes in
      for id in batch.ids {
        hashes.append(seededHash(.string, UnsafeRawBufferPointer(rebasing: text[id])))
      }
    }
    slots.read(batch.hashes, into: &batch.slots)
    readRanges(batch.slots, into: &batch.ranges)
    for index in batch.items.indices {
      let id = UnsafeRawBufferPointer(rebasing: text[batch.ids[index]])
      let hash = batch.hashes[index]
      let slot = batch.slots[index]
      if slots.hasTag(slot, of: hash), isSame(batch.ranges[index], id, slot) {
        keys[batch.items[index]] = marked(slots.key(in: slot))
      } else {
        keys[batch.items[index]] = intern(SoughtID(.string, id), hash)
      }
    }
    batch.removeAll()
  }
}
