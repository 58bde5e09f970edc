import ListDiff

/// A change of a tree to the content of a snapshot.
struct Adoption: Sendable {
  /// The tree before the change.
  let before: ListTree

  /// Items that are equal on both sides, by their indices, in the new order. Each run is in one section
  /// on either side.
  let runs: [MatchedRun]

  /// The indices of the runs in the order of the old items.
  let byOld: [Int]

  /// The sections on both sides in order, and their first items, followed by the number of items.
  let oldSections: [Int]
  let oldStarts: [Int32]
  var newSections: [Int] = []
  let newStarts: [Int32]

  /// The first rows of the old sections, followed by the number of rows.
  let oldRowStarts: [Int32]

  /// The first row of each new item, followed by the number of rows; `nil` if no item has parts.
  let newRows: [Int32]?

  /// The number that is added to those of the buffers of the tree before.
  let firstOldBuffer: UInt32

  /// The items that were selected before, and that are deleted or may not be selected any more.
  var deselected: [UInt32] = []

  /// Returns the most items and runs of a snapshot that are worth to be followed one by one, given the
  /// numbers of items.
  static func limit(for old: Int, _ new: Int) -> Int { 256 + max(old, new) / 16 }

  /// Returns the first row of a new item.
  func row(ofNewItem item: Int32) -> Int32 { newRows?[Int(item)] ?? item }

  /// Returns the number of rows of some new items.
  func rowCount(of items: Range<Int32>) -> Int32 {
    row(ofNewItem: items.upperBound) - row(ofNewItem: items.lowerBound)
  }

  /// Returns an item of the tree before, with its text in the present tree.
  func oldItem(_ index: Int) -> ItemRecord {
    guard let location = before.location(at: index) else {
      preconditionFailure("an item index is in bounds")
    }
    var record = before.record(at: location)
    record.payload.buffer += firstOldBuffer
    return record
  }
}

extension [MatchedRun] {
  /// Returns the runs, which are in the new order, cut so that each is in one section on either side.
  /// `old` and `new` are the first items of the sections, followed by the number of items. Returns `nil`
  /// if an old item is in two runs.
  ///
  /// - Complexity: O(*k* log *k* + *s*), where *k* is the number of runs and *s* that of sections.
  func cut(atSections old: [Int32], _ new: [Int32]) -> [MatchedRun]? {
    if old.count <= 2, new.count <= 2 { return haveOverlap ? nil : self }
    var cut: [MatchedRun] = []
    cut.reserveCapacity(count)
    var section = 0
    var oldSection = 0
    for var run in self {
      while run.count > 0 {
        while new[section + 1] <= run.new { section += 1 }
        // Most runs are in the same section as the last one, or in the next.
        if old[oldSection + 1] <= run.old, oldSection + 2 < old.count { oldSection += 1 }
        if !(old[oldSection]..<old[oldSection + 1]).contains(run.old) {
          oldSection = old.section(ofRow: Int(run.old))
        }
        let oldEnd = old[oldSection + 1]
        let count = Swift.min(run.count, new[section + 1] - run.new, oldEnd - run.old)
        cut.append(MatchedRun(old: Int(run.old), new: Int(run.new), count: Int(count)))
        run.old += count
        run.new += count
        run.count -= count
      }
    }
    return cut.haveOverlap ? nil : cut
  }

  /// Whether an old item is in two runs.
  var haveOverlap: Bool {
    let order = byOld
    return zip(order, order.dropFirst()).contains { self[$0].oldEnd > self[$1].old }
  }

  /// The indices of the runs in the order of the old items.
  ///
  /// - Complexity: O(*k*) if that is the order of the new ones; else O(*k* log *k*).
  var byOld: [Int] {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.old <= $1.old }
    if isSorted { return Swift.Array(indices) }
    // Sorting numbers takes a third of the time that sorting by a closure takes.
    let numbers = enumerated().map { Int($1.old) << 32 | $0 }
    return numbers.sorted().map { $0 & Int(UInt32.max) }
  }

  /// Returns the ranges of `count` old items that are in no run.
  func oldRest(of count: Int, _ byOld: [Int]) -> [Range<Int>] {
    var rest: [Range<Int>] = []
    var next = 0
    for run in byOld.lazy.map({ self[$0] }) {
      if next < run.old { rest.append(next..<Int(run.old)) }
      next = Int(run.oldEnd)
    }
    if next < count { rest.append(next..<count) }
    return rest
  }

  /// Returns the ranges of `count` new items that are in no run.
  func newRest(of count: Int) -> [Range<Int>] {
    var rest: [Range<Int>] = []
    var next = 0
    for run in self {
      if next < run.new { rest.append(next..<Int(run.new)) }
      next = Int(run.newEnd)
    }
    if next < count { rest.append(next..<count) }
    return rest
  }

  /// Returns the runs without some new items, given in order.
  func removing(_ items: [Int]) -> [MatchedRun] {
    if items.isEmpty { return self }
    var result: [MatchedRun] = []
    var next = 0
    for var run in self {
      while next < items.count, items[next] < run.new { next += 1 }
      while next < items.count, items[next] < run.newEnd {
        let count = items[next] - Int(run.new)
        if count > 0 {
          result.append(MatchedRun(old: Int(run.old), new: Int(run.new), count: count))
        }
        let removed = Int32(truncatingIfNeeded: count + 1)
        run.old += removed
        run.new += removed
        run.count -= removed
        next += 1
      }
      if run.count > 0 { result.append(run) }
    }
    return result
  }
}

extension MatchedRun {
  /// The ends of the rows on both sides.
  var oldEnd: Int32 { old + count }
  var newEnd: Int32 { new + count }
}
