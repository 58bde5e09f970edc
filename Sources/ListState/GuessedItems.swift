/// Which items of a snapshot those may be that strings are the identifiers of.
///
/// Each look-up waits for memory several times. Each step is made for all strings, in a short loop, so
/// that they wait at the same time.
package struct GuessedItems: Sendable {
  private var hashes: [UInt64] = []
  private var slots: [UInt64] = []
  private var keys: [UInt32] = []

  /// The items by the numbers of the strings, -1 where there is none.
  package private(set) var items: [Int32] = []

  /// Where in the first buffer of the snapshot their texts are; empty where there is none.
  package private(set) var texts: [Range<Int>] = []

  package init() {}

  /// Guesses the items of a snapshot, whose keys were noted in `places` last, by the strings at ranges
  /// of `text`.
  package mutating func find(
    _ strings: [Range<Int>], in text: UnsafeRawBufferPointer, of snapshot: Snapshot,
    _ ids: borrowing IDTable, _ places: borrowing KeyPlaces
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
    ids.readSlots(hashes, into: &slots)
    ids.guessKeys(hashes, slots, into: &keys)
    places.guess(keys, below: snapshot.payloads.count, into: &items)
    let payloads = snapshot.payloads.span
    texts.append(addingCapacity: items.count) { texts in
      for item in items {
        // What stands first is as good as anything to read.
        let payload = payloads[max(0, Int(item))]
        let isFound = item >= 0 && payload.buffer == 0
        let start = Int(payload.start)
        texts.append(start..<start + (isFound ? Int(payload.length) : 0))
      }
    }
  }
}
