/// The rows of a flat list as keys, which are kept from one update to the next.
@usableFromInline
struct KeptRows: ~Copyable {
  /// The keys of the current rows, if they have any, and those of the rows before the last update.
  @usableFromInline private(set) var keys: [UInt32]
  private var earlier: [UInt32]

  /// Whether the current rows have keys.
  @usableFromInline private(set) var hasKeys: Bool

  /// By key, the number of rows that have it.
  private var counts: [Int32]
  /// The number of keys that more than one row has, and that before the last update.
  private var repeatedKeys: Int
  private var earlierRepeats: Int

  /// By key, the number of the row that had it when rows were last paired, if any.
  private var positions: [Int32]

  init() {
    (keys, earlier, counts, positions) = ([], [], [], [])
    (hasKeys, repeatedKeys, earlierRepeats) = (false, 0, 0)
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
    earlierRepeats = repeatedKeys
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
  mutating func pair(_ alignment: Alignment) -> UnalignedRows {
    var unaligned = UnalignedRows(
      alignment, alignment.rest, SectionPartners(), changedSections: [],
      oldRows: .flat(earlier.count), newRows: .flat(keys.count))
    if earlierRepeats == 0, repeatedKeys == 0 {
      positions.reserve(universe: counts.count)
      unaligned.pairDistinct(earlier, keys, positions: &positions)
    } else {
      unaligned.pairExactly(earlier, keys, keys: counts.count)
    }
    return unaligned
  }
}
