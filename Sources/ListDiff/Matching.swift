/// Which old sections and rows are which new ones; `-1` where there is no partner.
package struct Matching: Sendable {
  package internal(set) var sectionsToNew: [Int32] = []
  package internal(set) var sectionsToOld: [Int32] = []
  package internal(set) var rowsToNew: [Int32] = []
  package internal(set) var rowsToOld: [Int32] = []

  /// The pairs of rows once more, as longest runs of consecutive ones, in the order of the new rows.
  ///
  /// A run may go from one section into the next.
  package internal(set) var runs: [MatchedRun] = []

  package init() {}

  /// Whether both lists have one and the same section.
  var hasOnlySection: Bool {
    sectionsToOld.count == 1 && sectionsToNew.count == 1 && sectionsToOld[0] == 0
  }

  /// Pairs the row `old` with the row `new`; to be followed by ``gatherRuns()``.
  mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Pairs consecutive rows with consecutive rows; to be followed by ``gatherRuns()``.
  mutating func pairInARow(old: Int, new: Int, count: Int) {
    rowsToNew.countUp(from: Int32(truncatingIfNeeded: new), at: old, count: count)
    rowsToOld.countUp(from: Int32(truncatingIfNeeded: old), at: new, count: count)
  }

  /// Finds the runs of the pairs that ``rowsToOld`` has.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new rows.
  mutating func gatherRuns() { gatherRuns(head: 0, tail: 0) }

  /// Finds the runs where so many rows at both ends are known to be one each.
  mutating func gatherRuns(head: Int, tail: Int) {
    let rowsToOld = rowsToOld
    let oldCount = rowsToNew.count
    let newCount = rowsToOld.count
    runs.removeAll(keepingCapacity: true)
    runs.append(addingCapacity: min(oldCount, newCount) + 1) { runs in
      if head > 0 { runs.append(MatchedRun(old: 0, new: 0, count: head)) }
      Self.gather(rowsToOld.view, from: head, to: newCount - tail, into: &runs)
      if tail > 0 {
        runs.append(MatchedRun(old: oldCount - tail, new: newCount - tail, count: tail))
      }
    }
  }

  private static func gather(
    _ toOld: Span<Int32>, from start: Int, to end: Int, into runs: inout OutputSpan<MatchedRun>
  ) {
    toOld.forEachRun(from: start, to: end) { start, end in
      let old = toOld[start]
      // Whether it is one is as good as chance: taking it back is faster than asking first.
      runs.append(MatchedRun(old: Int(old), new: start, count: end &- start))
      runs.removeLast(old < 0 ? 1 : 0)
    }
  }
}

/// Rows that are consecutive in both lists.
package struct MatchedRun: Hashable, BitwiseCopyable, Sendable {
  /// The first of them among the old rows.
  package var old: Int32
  /// The first of them among the new rows.
  package var new: Int32
  package var count: Int32

  @inline(__always) package init(old: Int = 0, new: Int = 0, count: Int = 0) {
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
  }
}

/// The tables of a matching, kept from one diff to the next so that none is cleared or allocated.
///
/// `positions` may hold anything for a key that the present diff has not stored: whoever looks up
/// a place compares the key that stands there.
struct KeyTable {
  var positions: [Int32] = []

  mutating func reserve(universe: Int) {
    guard positions.count < universe else { return }
    // A few more keys come with every change; left to itself, the array would double its memory.
    let count = universe + universe / 16
    positions.reserveCapacity(count)
    positions.append(contentsOf: repeatElement(0, count: count - positions.count))
  }
}

extension DiffEngine {
  /// Pairs the sections, each of which has a key of its own.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections on both sides.
  mutating func matchSections(_ old: Arrangement, _ new: Arrangement) {
    matching.sectionsToNew.fill(old.sections.count, with: -1)
    matching.sectionsToOld.fill(new.sections.count, with: -1)
    for (index, key) in old.sections.enumerated() {
      places.positions[Int(key)] = Int32(truncatingIfNeeded: index)
    }
    for (index, key) in new.sections.enumerated() {
      let place = Int(places.positions[Int(key)])
      if place >= 0, place < old.sections.count, old.sections[place] == key {
        matching.sectionsToNew[place] = Int32(truncatingIfNeeded: index)
        matching.sectionsToOld[index] = Int32(truncatingIfNeeded: place)
      }
    }
  }

  /// Pairs rows whose keys occur once on each side.
  ///
  /// Common rows at both ends are paired by comparison; in between a row that does not continue the
  /// run before it is looked up.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows on both sides.
  mutating func matchDistinctRows(_ old: Arrangement, _ new: Arrangement) {
    let oldRows = old.rows.view
    let newRows = new.rows.view
    let head = oldRows.commonPrefix(with: newRows)
    let tail = oldRows.commonSuffix(with: newRows, atMost: min(oldRows.count, newRows.count) - head)
    let oldEnd = oldRows.count - tail
    let newEnd = newRows.count - tail
    // One more, where what has no partner is written.
    matching.rowsToNew.fill(oldRows.count + 1, with: -1)
    // Each of these is written below, whatever it is now.
    if matching.rowsToOld.count != newRows.count {
      matching.rowsToOld.fill(newRows.count, with: -1)
    }
    if oldEnd > head, newEnd > head {
      cost.rowsIndexed += oldEnd - head
      cost.rowsLookedUp += Self.pairMiddle(
        oldRows.extracting(head..<oldEnd), newRows.extracting(head..<newEnd), from: head,
        &matching.rowsToNew, &matching.rowsToOld, &places.positions, isStopped)
    } else {
      for row in head..<newEnd { matching.rowsToOld[row] = -1 }
    }
    matching.rowsToNew.removeLast()
    matching.pairInARow(old: 0, new: 0, count: head)
    matching.pairInARow(old: oldEnd, new: newEnd, count: tail)
    matching.gatherRuns(head: head, tail: tail)
  }

  /// Pairs rows that begin on both sides at `start`, and returns how many were looked up; writes in
  /// `rowsToNew` one row farther, too.
  ///
  /// A block of rows that goes on where the block before has ended is paired at once. The rows of
  /// any other are looked up without asking which of them continue a run: that is guessed wrong
  /// more often than a look-up takes, and look-ups do not wait for each other.
  private static func pairMiddle(
    _ old: Span<UInt32>, _ new: Span<UInt32>, from start: Int, _ rowsToNew: inout [Int32],
    _ rowsToOld: inout [Int32], _ positions: inout [Int32], _ isStopped: () -> Bool
  ) -> Int {
    var positions = positions.mutableView
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    for row in 0..<old.count { positions[Int(old[row])] = Int32(truncatingIfNeeded: row) }
    var lookedUp = 0
    var next = 0
    var row = 0
    while row < new.count {
      let count = min(block, new.count &- row)
      if count == block, next + block <= old.count,
        old.isSame(next, as: new, row, count: block)
      {
        for offset in 0..<block {
          toNew[start &+ next &+ offset] = Int32(truncatingIfNeeded: start &+ row &+ offset)
          toOld[start &+ row &+ offset] = Int32(truncatingIfNeeded: start &+ next &+ offset)
        }
        next &+= block
      } else {
        if count == block {
          lookUp(old, new, row, block, from: start, positions, &toNew, &toOld)
        } else {
          lookUp(old, new, row, count, from: start, positions, &toNew, &toOld)
        }
        // The last row of a block may well be a new one; the one before tells as much.
        let end = start &+ row &+ count
        if toOld[end &- 1] >= 0 {
          next = Int(toOld[end &- 1]) &+ 1 &- start
        } else if count > 1, toOld[end &- 2] >= 0 {
          next = Int(toOld[end &- 2]) &+ 1 &- start
        }
        lookedUp &+= count
        if lookedUp & 0xFFFF < block, isStopped() {
          for rest in row &+ count..<new.count { toOld[start &+ rest] = -1 }
          break
        }
      }
      row &+= count
    }
    return lookedUp
  }

  private static var block: Int { 16 }

  /// Looks up at most a block of rows, without a branch that depends on what is found.
  @inline(__always)
  private static func lookUp(
    _ old: Span<UInt32>, _ new: Span<UInt32>, _ row: Int, _ count: Int, from start: Int,
    _ positions: borrowing MutableSpan<Int32>, _ toNew: inout MutableSpan<Int32>,
    _ toOld: inout MutableSpan<Int32>
  ) {
    let keys = new.extracting(row..<row + count)
    let last = UInt32(truncatingIfNeeded: old.count - 1)
    for offset in 0..<count {
      // Whatever stands there is a place to read.
      let place = min(UInt32(bitPattern: positions[Int(keys[offset])]), last)
      let difference = Int64(old[Int(place)] ^ keys[offset])
      // All ones where they differ; as a comparison it would become a branch.
      let miss = UInt32(truncatingIfNeeded: (0 &- difference) &>> 32)
      let number = start &+ row &+ offset
      toOld[number] = Int32(bitPattern: (place &+ UInt32(truncatingIfNeeded: start)) | miss)
      toNew[start &+ Int(min(place | miss, last &+ 1))] = Int32(truncatingIfNeeded: number)
    }
  }
}

extension Array {
  /// Makes the array `count` times `value`, in the memory it has.
  mutating func fill(_ count: Int, with value: Element) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(value, count: count))
  }
}

extension [Int32] {
  /// Writes consecutive numbers.
  fileprivate mutating func countUp(from first: Int32, at start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && start + count <= self.count)
    var number = first
    for index in start..<start + count {
      self[index] = number
      number &+= 1
    }
  }
}

extension Span<UInt32> {
  private static var stride: Int { 32 }

  /// Whether `count` elements from an index on are those of the other from `otherStart` on.
  @inline(__always)
  func isSame(_ start: Int, as other: Span<UInt32>, _ otherStart: Int, count: Int) -> Bool {
    let a = extracting(start..<start + count)
    let b = other.extracting(otherStart..<otherStart + count)
    var difference: UInt32 = 0
    for offset in 0..<count { difference |= a[offset] ^ b[offset] }
    return difference == 0
  }

  /// How many elements are the same from the start.
  func commonPrefix(with other: Span<UInt32>) -> Int {
    let limit = Swift.min(count, other.count)
    var index = 0
    // Whole strides without a branch an element.
    while index + Self.stride <= limit {
      if !isSame(index, as: other, index, count: Self.stride) { break }
      index += Self.stride
    }
    while index < limit, self[index] == other[index] { index += 1 }
    return index
  }

  /// How many elements are the same up to the end, at most `limit`.
  func commonSuffix(with other: Span<UInt32>, atMost limit: Int) -> Int {
    var length = 0
    while length + Self.stride <= limit {
      let start = count - length - Self.stride
      let otherStart = other.count - length - Self.stride
      if !isSame(start, as: other, otherStart, count: Self.stride) { break }
      length += Self.stride
    }
    while length < limit, self[count - 1 - length] == other[other.count - 1 - length] {
      length += 1
    }
    return length
  }
}
