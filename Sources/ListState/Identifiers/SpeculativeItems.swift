/// Finds items of a snapshot that probably have given identifiers. The caller must check them.
///
/// A look-up in a large table waits for memory several times. Each step is made for all identifiers
/// in a short loop, so that these waits overlap.
package struct SpeculativeItems: Sendable {
  private var hashes: [UInt64] = []
  private var slots: [UInt32] = []
  private var keys: [UInt32] = []

  /// The item for each string, or -1 if there is none.
  package private(set) var items: [Int32] = []

  /// The range of each item's text in the first buffer of the snapshot. Empty if there is none.
  package private(set) var texts: [Range<Int>] = []

  package init() {}

  /// Looks up the strings at ranges of `text` among the items of a snapshot. The snapshot's keys
  /// must be those that `keyIndices` recorded last.
  package mutating func find(
    _ strings: [Range<Int>], in text: UnsafeRawBufferPointer, of snapshot: Snapshot,
    _ ids: borrowing IDTable, _ keyIndices: borrowing LastKeyIndices
  ) {
    hashes.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    hashes.append(addingCapacity: strings.count) { hashes in
      for string in strings {
        hashes.append(ids.seededHash(.string, UnsafeRawBufferPointer(rebasing: text[string])))
      }
    }
    ids.slots.read(hashes, into: &slots)
    ids.slots.guessKeys(hashes, slots, into: &keys)
    keyIndices.guess(keys, below: snapshot.payloads.count, into: &items)
    let payloads = snapshot.payloads.span
    texts.append(addingCapacity: items.count) { texts in
      for item in items {
        // If there is no item, item 0 is read and ignored.
        let payload = payloads[max(0, Int(item))]
        let isFound = item >= 0 && payload.buffer == 0
        let start = Int(payload.start)
        texts.append(start..<start + (isFound ? Int(payload.length) : 0))
      }
    }
  }
}
