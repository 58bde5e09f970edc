/// The index at which each key was last recorded, in any column. Never cleared between uses.
///
/// The entry of a key may come from another column. A reader compares the key at that index with
/// the key that it looks for.
package struct LastKeyIndices: Sendable {
  private var indices: [Int32] = []

  /// The number of columns that were recorded. Identifies the column that was recorded last.
  package private(set) var columnCount = 0

  package init() {}

  /// Records the keys of a column from an index on. Calls `again` for each key that occurred before
  /// among them, with its first index and its present one. If it `isStopped`, does not record the
  /// others.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  package mutating func record(
    _ keys: [UInt32], from start: Int = 0, isStopped: () -> Bool = { false },
    again: (Int, Int) -> Void
  ) {
    reserve(keys[start...])
    columnCount += 1
    for next in stride(from: start, to: keys.count, by: Self.keysBetweenChecks) {
      if next > start, isStopped() { return }
      let end = min(keys.count, next + Self.keysBetweenChecks)
      Self.record(keys.span, from: start, next..<end, in: &indices, again)
    }
  }

  /// The number of keys that are recorded before `isStopped` is called again.
  private static let keysBetweenChecks = 1 << 16

  /// Returns the index of a key in a recorded column, or `nil` if the column does not contain the
  /// key or if another column with the key was recorded after it.
  package func index(of key: UInt32, in keys: [UInt32]) -> Int? {
    guard Int(key) < indices.count else { return nil }
    let index = Int(indices[Int(key)])
    return index < keys.count && keys[index] == key ? index : nil
  }

  /// Appends for each key an index below `count` that may be its index, or -1.
  func guess(_ keys: [UInt32], below count: Int, into guesses: inout [Int32]) {
    let indices = indices.span
    guesses.append(addingCapacity: keys.count) { guesses in
      for key in keys {
        let index = Int(key) < indices.count ? indices[Int(key)] : -1
        guesses.append(Int(index) < count ? index : -1)
      }
    }
  }

  private static func record(
    _ keys: Span<UInt32>, from start: Int, _ range: Range<Int>, in indices: inout [Int32],
    _ again: (Int, Int) -> Void
  ) {
    var indices = indices.mutableSpan
    for index in range {
      let key = keys[index]
      let other = Int(indices[Int(key)])
      // True only if the key occurred before in this column, even if the entry was made by another
      // one.
      if other < index, other >= start, keys[other] == key {
        again(other, index)
      } else {
        indices[Int(key)] = Int32(truncatingIfNeeded: index)
      }
    }
  }

  private mutating func reserve(_ keys: ArraySlice<UInt32>) {
    var largest: UInt32 = 0
    for key in keys { largest = max(largest, key) }
    guard Int(largest) >= indices.count else { return }
    // Every change adds a few keys. Without a reserve, the array would double its memory.
    let count = Int(largest) + 1 + Int(largest) / 16
    indices.reserveCapacity(count)
    indices.append(contentsOf: repeatElement(0, count: count - indices.count))
  }
}
