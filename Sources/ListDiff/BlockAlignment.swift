/// Finds a long common subsequence of two sequences of keys, block by block.
///
/// Within a block the shortest edit script is found (Myers, "An O(ND) difference algorithm and its
/// variations", 1986); where a block has taken so many edits its first ones stand, and another block
/// begins. So the cost grows with the lengths, and the result is a few per cent from the longest.
struct BlockAlignment {
  private static let reach = 12
  private static let standing = 8
  private static let width = 2 * reach + 3

  /// How far each diagonal comes with each number of edits; -1 where it does not.
  private var reached: [Int32] = []

  /// How many times a diagonal was extended.
  private(set) var steps = 0

  /// The runs found, in order.
  private(set) var runs: [MatchedRun] = []

  /// Aligns a range of old keys with one of new keys.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  mutating func align(
    _ old: Span<UInt32>, _ oldRange: Range<Int>, _ new: Span<UInt32>, _ newRange: Range<Int>
  ) {
    runs.removeAll(keepingCapacity: true)
    if reached.isEmpty { reached.fill((Self.reach + 1) * Self.width, with: -1) }
    var i = oldRange.lowerBound
    var j = newRange.lowerBound
    var failures = 0
    while true {
      let start = i
      while i < oldRange.upperBound, j < newRange.upperBound, old[i] == new[j] {
        i += 1
        j += 1
      }
      if i > start { runs.append(MatchedRun(old: start, new: j - (i - start), count: i - start)) }
      guard i < oldRange.upperBound, j < newRange.upperBound else { return }
      let known = runs.count
      let end = Self.extend(
        old.extracting(i..<oldRange.upperBound), new.extracting(j..<newRange.upperBound), i, j,
        &reached, &runs, &steps)
      i += end.old
      j += end.new
      // Where hardly anything is common, guessing goes on ever farther away.
      if runs.count - known < 4, i - start < 2 * Self.reach {
        failures += 1
        if failures > 4 {
          i += 1 << min(failures, 20)
          j += 1 << min(failures, 20)
        }
      } else {
        failures = 0
      }
    }
  }

  /// Goes on from the start of two sequences and returns how far it came.
  private static func extend(
    _ old: Span<UInt32>, _ new: Span<UInt32>, _ oldStart: Int, _ newStart: Int,
    _ reached: inout [Int32], _ runs: inout [MatchedRun], _ steps: inout Int
  ) -> (old: Int, new: Int) {
    var table = reached.mutableView
    var edits = 0
    var best = 0
    var farthest = -1
    search: while true {
      let row = edits * width + reach + 1
      farthest = -1
      table[row - edits - 1] = -1
      table[row + edits + 1] = -1
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        var x = edits == 0 ? 0 : entry(table, edits, diagonal, old.count, new.count)
        if x >= 0 {
          var y = x - diagonal
          while x < old.count, y < new.count, old[x] == new[y] {
            x += 1
            y += 1
          }
          if x + y > farthest {
            farthest = x + y
            best = diagonal
          }
          if x == old.count, y == new.count {
            table[row + diagonal] = Int32(truncatingIfNeeded: x)
            best = diagonal
            break search
          }
        }
        table[row + diagonal] = Int32(truncatingIfNeeded: x)
        steps &+= 1
      }
      if edits == reach { break }
      edits += 1
    }
    return trace(
      table, from: edits, best, old.count, new.count, isWhole: edits < reach, oldStart, newStart,
      &runs)
  }

  /// Where a diagonal begins after one more edit, -1 where it does not.
  @inline(__always)
  private static func entry(
    _ table: borrowing MutableSpan<Int32>, _ edits: Int, _ diagonal: Int, _ oldCount: Int,
    _ newCount: Int
  ) -> Int {
    let row = (edits - 1) * width + reach + 1 + diagonal
    let insert = Int(table[row &+ 1])
    let delete = Int(table[row &- 1])
    let down = insert >= 0 && insert - diagonal <= newCount ? insert : -1
    let right = delete >= 0 && delete < oldCount ? delete + 1 : -1
    return max(down, right)
  }

  /// Gathers the runs of the way to a diagonal, but for its last edits where it is not the whole way.
  private static func trace(
    _ table: borrowing MutableSpan<Int32>, from edits: Int, _ best: Int, _ oldCount: Int,
    _ newCount: Int, isWhole: Bool, _ oldStart: Int, _ newStart: Int, _ runs: inout [MatchedRun]
  ) -> (old: Int, new: Int) {
    var end = (old: 0, new: 0)
    var diagonal = best
    let known = runs.count
    var edit = edits
    while edit >= 0 {
      let x = Int(table[edit * width + reach + 1 + diagonal])
      let entry = edit == 0 ? 0 : entry(table, edit, diagonal, oldCount, newCount)
      if isWhole || edit <= standing {
        if end == (0, 0) { end = (x, x - diagonal) }
        if x > entry {
          runs.append(
            MatchedRun(old: oldStart + entry, new: newStart + entry - diagonal, count: x - entry))
        }
      }
      if edit > 0 {
        let row = (edit - 1) * width + reach + 1 + diagonal
        let insert = Int(table[row + 1])
        let isInsert = insert == entry && insert - diagonal <= newCount
        diagonal += isInsert ? 1 : -1
      }
      edit -= 1
    }
    runs[known...].reverse()
    return end
  }
}
