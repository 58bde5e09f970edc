/// The rows of a flat list as keys, which are kept from one update to the next, and the memory in
/// which the next change is computed.
@usableFromInline
struct KeptRows: ~Copyable {
  /// The keys of the current rows.
  @usableFromInline var keys: [UInt32] = []

  /// Whether the current rows have keys.
  @usableFromInline var hasKeys = false

  @usableFromInline var pairing = Pairing()

  /// The keys of the rows before the last update.
  private var earlier: [UInt32] = []
  /// Whether a key occurs in `earlier` more than once.
  private var earlierRepeats = false

  /// By key, the number of rows that have it.
  private var counts: [Int32] = []
  /// The number of keys that more than one row has.
  private var repeatedKeys = 0

  init() {}

  /// Whether there are too many keys of ids that are no longer in the list.
  @usableFromInline var hasExcessKeys: Bool { counts.count > 4 * keys.count + 1_024 }

  /// Begins with the keys of all rows.
  @usableFromInline
  mutating func begin(_ keys: [UInt32]) {
    self.keys = keys
    hasKeys = true
    counts.removeAll(keepingCapacity: true)
    counts.reserveCapacity(keys.count)
    repeatedKeys = 0
    for key in keys { count(key) }
  }

  /// Replaces the rows of the gaps by rows with the given keys.
  @usableFromInline
  mutating func replace(_ alignment: Alignment, with new: [UInt32], newCount: Int) {
    earlierRepeats = repeatedKeys > 0
    swap(&earlier, &keys)
    keys.removeAll(keepingCapacity: true)
    keys.reserveCapacity(newCount)
    var row = 0
    var next = 0
    for gap in alignment.gaps {
      keys.append(contentsOf: earlier[row..<Int(gap.old)])
      row = Int(gap.old + gap.oldCount)
      for row in Int(gap.old)..<row {
        let key = Int(earlier[row])
        counts[key] &-= 1
        repeatedKeys &-= counts[key] == 1 ? 1 : 0
      }
      keys.append(contentsOf: new[next..<next + Int(gap.newCount)])
      next += Int(gap.newCount)
    }
    keys.append(contentsOf: earlier[row...])
    for key in new { count(key) }
  }

  private mutating func count(_ key: UInt32) {
    let key = Int(key)
    if key >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: key + 1 - counts.count))
    }
    counts[key] &+= 1
    repeatedKeys &+= counts[key] == 2 ? 1 : 0
  }

  /// Pairs the rows before the last update with the current rows.
  @usableFromInline
  mutating func pair(_ alignment: Alignment) {
    pairing.begin(alignment, oldCount: earlier.count, newCount: keys.count)
    if earlierRepeats || repeatedKeys > 0 {
      pairing.pairRepeats(earlier, keys, keys: counts.count)
    } else {
      pairing.pairRest(oldKeys: earlier, newKeys: keys, keys: counts.count)
    }
  }
}
