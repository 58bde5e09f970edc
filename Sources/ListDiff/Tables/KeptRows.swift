/// The rows of a flat list as keys, which are kept from one update to the next, and the memory in
/// which the next change is computed.
@usableFromInline
struct KeptRows: ~Copyable {
  /// The keys of the current rows.
  @usableFromInline var keys: [UInt32]

  /// Whether the current rows have keys.
  @usableFromInline var hasKeys: Bool

  @usableFromInline let pairing: Pairing

  /// The keys of the rows before the last update.
  private var earlier: [UInt32]
  /// Whether a key occurs in `earlier` more than once.
  private var earlierRepeats: Bool

  /// By key, the number of rows that have it.
  private var counts: [Int32]
  /// The number of keys that more than one row has.
  private var repeatedKeys: Int

  init() {
    (keys, earlier, counts) = ([], [], [])
    (hasKeys, earlierRepeats, repeatedKeys) = (false, false, 0)
    pairing = Pairing()
  }

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
    reserveCounts(keys)
    count(keys[...], 1)
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
      count(earlier[Int(gap.old)..<row], -1)
      keys.append(contentsOf: new[next..<next + Int(gap.newCount)])
      next += Int(gap.newCount)
    }
    keys.append(contentsOf: earlier[row...])
    reserveCounts(new)
    count(new[...], 1)
  }

  /// Makes sure that each of the keys has a count.
  private mutating func reserveCounts(_ keys: [UInt32]) {
    guard let last = keys.max(), last >= counts.count else { return }
    counts.append(contentsOf: repeatElement(0, count: Int(last) + 1 - counts.count))
  }

  /// Adds rows with these keys if `step` is 1, and removes them if it is -1.
  private mutating func count(_ keys: ArraySlice<UInt32>, _ step: Int32) {
    var counts = counts.mutableView
    let limit: Int32 = step > 0 ? 2 : 1
    var repeated = 0
    for key in keys {
      counts[Int(key)] &+= step
      repeated &+= counts[Int(key)] == limit ? Int(step) : 0
    }
    repeatedKeys &+= repeated
  }

  /// Pairs the rows before the last update with the current rows.
  @usableFromInline
  mutating func pair(_ alignment: Alignment) {
    pairing.begin(.flat(earlier.count), .flat(keys.count))
    pairing.pair(alignment)
    if earlierRepeats || repeatedKeys > 0 {
      pairing.pairRepeats(earlier, keys, keys: counts.count)
    } else {
      pairing.pairRest(oldKeys: earlier, newKeys: keys, keys: counts.count)
    }
  }
}
