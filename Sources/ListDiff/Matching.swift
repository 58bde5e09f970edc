/// Which old sections and rows are which new ones; `-1` where there is no partner.
package struct Matching: Sendable {
  package internal(set) var sectionsToNew: [Int32] = []
  package internal(set) var sectionsToOld: [Int32] = []
  package internal(set) var rowsToNew: [Int32] = []
  package internal(set) var rowsToOld: [Int32] = []

  package init() {}

  /// Pairs the row `old` with the row `new`.
  mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }
}

/// The tables of a matching, kept from one diff to the next so that none is cleared or allocated.
///
/// `positions` may hold anything for a key that the present diff has not stored: whoever looks up
/// a place compares the key that stands there.
struct KeyPlaces {
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
    let limit = min(oldRows.count, newRows.count)
    var head = 0
    while head < limit, oldRows[head] == newRows[head] { head += 1 }
    var tail = 0
    while tail < limit - head,
      oldRows[oldRows.count - 1 - tail] == newRows[newRows.count - 1 - tail]
    {
      tail += 1
    }
    matching.rowsToNew.fill(oldRows.count, with: -1)
    matching.rowsToOld.fill(newRows.count, with: -1)
    Self.pairEnds(head, tail, &matching.rowsToNew, &matching.rowsToOld)
    let (indexed, lookedUp) = Self.pairMiddle(
      oldRows, head..<oldRows.count - tail, newRows, head..<newRows.count - tail,
      &matching.rowsToNew, &matching.rowsToOld, &places.positions)
    cost.rowsIndexed += indexed
    cost.rowsLookedUp += lookedUp
  }

  private static func pairEnds(
    _ head: Int, _ tail: Int, _ rowsToNew: inout [Int32], _ rowsToOld: inout [Int32]
  ) {
    var toNew = rowsToNew.mutableSpan
    var toOld = rowsToOld.mutableSpan
    for row in 0..<head {
      toNew[row] = Int32(truncatingIfNeeded: row)
      toOld[row] = Int32(truncatingIfNeeded: row)
    }
    for back in 1..<tail + 1 {
      let oldRow = toNew.count - back
      let newRow = toOld.count - back
      toNew[oldRow] = Int32(truncatingIfNeeded: newRow)
      toOld[newRow] = Int32(truncatingIfNeeded: oldRow)
    }
  }

  private static func pairMiddle(
    _ oldRows: Span<UInt32>, _ oldRange: Range<Int>,
    _ newRows: Span<UInt32>, _ newRange: Range<Int>,
    _ rowsToNew: inout [Int32], _ rowsToOld: inout [Int32], _ positions: inout [Int32]
  ) -> (indexed: Int, lookedUp: Int) {
    guard !oldRange.isEmpty, !newRange.isEmpty else { return (0, 0) }
    var toNew = rowsToNew.mutableSpan
    var toOld = rowsToOld.mutableSpan
    var positions = positions.mutableSpan
    for row in oldRange { positions[Int(oldRows[row])] = Int32(truncatingIfNeeded: row) }
    var lookedUp = 0
    var next = oldRange.lowerBound
    for row in newRange {
      let key = newRows[row]
      if next >= oldRange.upperBound || oldRows[next] != key {
        lookedUp += 1
        let place = Int(positions[Int(key)])
        guard oldRange.contains(place), oldRows[place] == key else { continue }
        next = place
      }
      toNew[next] = Int32(truncatingIfNeeded: row)
      toOld[row] = Int32(truncatingIfNeeded: next)
      next += 1
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
