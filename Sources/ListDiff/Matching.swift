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

  /// Pairs the row `old` with the row `new`; to be followed by ``gatherRuns()``.
  mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Finds the runs of the pairs that ``rowsToOld`` has.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new rows.
  mutating func gatherRuns() { Self.gather(&runs, rowsToOld) }

  private static func gather(_ runs: inout [MatchedRun], _ rowsToOld: [Int32]) {
    let toOld = rowsToOld.span
    runs.removeAll(keepingCapacity: true)
    var row = 0
    while row < toOld.count {
      let old = toOld[row]
      guard old >= 0 else {
        row += 1
        continue
      }
      var end = row + 1
      while end < toOld.count, toOld[end] == old &+ Int32(truncatingIfNeeded: end &- row) {
        end += 1
      }
      runs.append(MatchedRun(old: Int(old), new: row, count: end - row))
      row = end
    }
  }
}

/// Rows that are consecutive in both lists.
package struct MatchedRun: Hashable, Sendable {
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
    if positions.count < universe {
      positions.append(
        contentsOf: repeatElement(0, count: max(universe, positions.count * 2) - positions.count))
    }
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
    let oldRows = old.rows.span
    let newRows = new.rows.span
    let head = oldRows.commonPrefix(with: newRows)
    let tail = oldRows.commonSuffix(with: newRows, atMost: min(oldRows.count, newRows.count) - head)
    matching.runs.removeAll(keepingCapacity: true)
    matching.rowsToNew.fill(oldRows.count, with: -1)
    matching.rowsToOld.fill(newRows.count, with: -1)
    Self.pair(MatchedRun(old: 0, new: 0, count: head), in: &matching)
    let oldRange = head..<oldRows.count - tail
    let newRange = head..<newRows.count - tail
    var work = (indexed: 0, lookedUp: 0)
    matching.runs.append(addingCapacity: min(oldRange.count, newRange.count)) { runs in
      work = Self.pairMiddle(
        oldRows, oldRange, newRows, newRange, &runs, &matching.rowsToNew, &matching.rowsToOld,
        &places.positions, isStopped)
    }
    cost.rowsIndexed += work.indexed
    cost.rowsLookedUp += work.lookedUp
    Self.pair(
      MatchedRun(old: oldRows.count - tail, new: newRows.count - tail, count: tail), in: &matching)
  }

  private static func pair(_ run: MatchedRun, in matching: inout Matching) {
    guard run.count > 0 else { return }
    matching.runs.append(run)
    matching.rowsToNew.countUp(from: run.new, at: Int(run.old), count: Int(run.count))
    matching.rowsToOld.countUp(from: run.old, at: Int(run.new), count: Int(run.count))
  }

  private static func pairMiddle(
    _ oldRows: Span<UInt32>, _ oldRange: Range<Int>,
    _ newRows: Span<UInt32>, _ newRange: Range<Int>, _ runs: inout OutputSpan<MatchedRun>,
    _ rowsToNew: inout [Int32], _ rowsToOld: inout [Int32], _ positions: inout [Int32],
    _ isStopped: () -> Bool
  ) -> (indexed: Int, lookedUp: Int) {
    guard !oldRange.isEmpty, !newRange.isEmpty else { return (0, 0) }
    var positions = positions.mutableSpan
    var toNew = rowsToNew.mutableSpan
    var toOld = rowsToOld.mutableSpan
    for row in oldRange { positions[Int(oldRows[row])] = Int32(truncatingIfNeeded: row) }
    var lookedUp = 0
    var next = oldRange.lowerBound
    var row = newRange.lowerBound
    while row < newRange.upperBound {
      let key = newRows[row]
      var old = next
      if next &+ 1 < oldRange.upperBound, oldRows[next] != key, oldRows[next &+ 1] == key {
        // One row went: the commonest reason why a run ends.
        old = next + 1
      } else if next >= oldRange.upperBound || oldRows[next] != key {
        lookedUp += 1
        if lookedUp & 0xFFFF == 0, isStopped() { break }
        old = Int(positions[Int(key)])
        guard oldRange.contains(old), oldRows[old] == key else {
          row += 1
          continue
        }
      }
      let first = row
      let limit = min(newRange.upperBound - row, oldRange.upperBound - old)
      var count = 0
      repeat {
        toNew[old &+ count] = Int32(truncatingIfNeeded: row &+ count)
        toOld[row &+ count] = Int32(truncatingIfNeeded: old &+ count)
        count &+= 1
      } while count < limit && oldRows[old &+ count] == newRows[row &+ count]
      row += count
      next = old + count
      runs.append(MatchedRun(old: old, new: first, count: count))
    }
    return (oldRange.count, lookedUp)
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

  /// How many elements are the same from the start.
  func commonPrefix(with other: Span<UInt32>) -> Int {
    let limit = Swift.min(count, other.count)
    var index = 0
    // Whole strides without a branch an element.
    while index + Self.stride <= limit {
      let a = extracting(index..<index + Self.stride)
      let b = other.extracting(index..<index + Self.stride)
      var difference: UInt32 = 0
      for offset in 0..<Self.stride { difference |= a[offset] ^ b[offset] }
      if difference != 0 { break }
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
      let a = extracting(start..<start + Self.stride)
      let b = other.extracting(otherStart..<otherStart + Self.stride)
      var difference: UInt32 = 0
      for offset in 0..<Self.stride { difference |= a[offset] ^ b[offset] }
      if difference != 0 { break }
      length += Self.stride
    }
    while length < limit, self[count - 1 - length] == other[other.count - 1 - length] {
      length += 1
    }
    return length
  }
}
