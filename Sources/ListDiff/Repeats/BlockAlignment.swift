/// Finds a long common subsequence of two sequences of keys, block by block.
///
/// Within a block, the shortest edit script is found (Myers, "An O(ND) difference algorithm and its
/// variations", 1986). A search that has reached 12 edits without an end keeps the path up to the
/// eighth, because the last edits might differ if the search went on. The next search begins
/// there:
///
/// ```
/// search 1   |--- edits 1 to 8: kept ---|- 9 to 12: dropped -|
/// search 2                              |--- edits 1 to 8: kept ---|- 9 to 12: dropped -|
/// search 3                                                         |--- …
/// ```
///
/// So the cost is linear in the lengths, and the result is a few per cent shorter than the longest.
struct BlockAlignment: ~Copyable {
  private static let maxEdits = 12
  private static let keptEdits = 8
  private static let width = 2 * maxEdits + 3

  /// By number of edits and diagonal, the farthest old index reached; -1 if the diagonal is not
  /// reached.
  private var reached: [Int32] = []

  /// The number of extensions of a diagonal.
  private(set) var steps = 0

  /// The runs found since ``begin()``, in order.
  private(set) var runs: [MatchedRun] = []

  /// The number of pairs since ``begin()``.
  var pairs: Int { runs.reduce(0) { $0 + Int($1.count) } }

  mutating func begin() { runs.removeAll(keepingCapacity: true) }

  /// Aligns a range of old keys with a range of new keys.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  mutating func align(
    old: ArrayView<UInt32>, in oldRange: Range<Int>, new: ArrayView<UInt32>, in newRange: Range<Int>
  ) {
    if reached.isEmpty { reached.fill((Self.maxEdits + 1) * Self.width, with: -1) }
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
        old.extracting(i..<oldRange.upperBound), new.extracting(j..<newRange.upperBound),
        oldStart: i, newStart: j, reached: &reached, runs: &runs, steps: &steps)
      i += end.old
      j += end.new
      // If hardly anything is common, skip ahead in steps of increasing length.
      if runs.count - known < 4, i - start < 2 * Self.maxEdits {
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

  /// Aligns two sequences from their start and returns the number of aligned keys on both sides.
  private static func extend(
    _ old: ArrayView<UInt32>, _ new: ArrayView<UInt32>, oldStart: Int, newStart: Int,
    reached: inout [Int32], runs: inout [MatchedRun], steps: inout Int
  ) -> (old: Int, new: Int) {
    var table = reached.mutableView
    var edits = 0
    var best = 0
    var isWhole = false
    while true {
      // The entries of a row are next to the diagonals above them.
      let row = edits &* width &+ maxEdits &+ 1
      var farthest = -1
      table[row &- edits &- 1] = -1
      table[row &+ edits &+ 1] = -1
      var delete = -1
      var diagonal = 0 &- edits
      while diagonal <= edits {
        var x = 0
        if edits > 0 {
          let insert = Int(table[row &- width &+ diagonal &+ 1])
          x = entry(insert, delete, diagonal, oldCount: old.count, newCount: new.count)
          delete = insert
        }
        if x >= 0 {
          var y = x &- diagonal
          // Compared as unsigned numbers, so that the indices need no other checks.
          while UInt(bitPattern: x) < UInt(bitPattern: old.count),
            UInt(bitPattern: y) < UInt(bitPattern: new.count), old[x] == new[y]
          {
            x &+= 1
            y &+= 1
          }
          if x &+ y > farthest {
            farthest = x &+ y
            best = diagonal
          }
          isWhole = x == old.count && y == new.count
        }
        table[row &+ diagonal] = Int32(truncatingIfNeeded: x)
        if isWhole { break }
        steps &+= 1
        diagonal &+= 2
      }
      if isWhole {
        best = diagonal
        break
      }
      if edits == maxEdits { break }
      edits &+= 1
    }
    return trace(
      table, from: edits, diagonal: best, oldCount: old.count, newCount: new.count,
      isWhole: edits < maxEdits, oldStart: oldStart, newStart: newStart, runs: &runs)
  }

  /// Returns the old index at which a diagonal begins after one more edit, or -1 if it does not.
  /// `insert` is the index reached on the next diagonal, `delete` that on the previous one.
  @inline(__always)
  private static func entry(
    _ insert: Int, _ delete: Int, _ diagonal: Int, oldCount: Int, newCount: Int
  ) -> Int {
    let down = insert >= 0 && insert &- diagonal <= newCount ? insert : -1
    let right = delete >= 0 && delete < oldCount ? delete &+ 1 : -1
    return max(down, right)
  }

  /// Appends the runs of the path to a diagonal, without its last edits if the path is incomplete.
  private static func trace(
    _ table: borrowing MutableArrayView<Int32>, from edits: Int, diagonal best: Int, oldCount: Int,
    newCount: Int, isWhole: Bool, oldStart: Int, newStart: Int, runs: inout [MatchedRun]
  ) -> (old: Int, new: Int) {
    var end = (old: 0, new: 0)
    var diagonal = best
    let known = runs.count
    var edit = edits
    while edit >= 0 {
      let x = Int(table[edit * width + maxEdits + 1 + diagonal])
      let above = (edit - 1) * width + maxEdits + 1 + diagonal
      let entry =
        edit == 0
        ? 0
        : entry(
          Int(table[above + 1]), Int(table[above - 1]), diagonal, oldCount: oldCount,
          newCount: newCount)
      if isWhole || edit <= keptEdits {
        if end == (0, 0) { end = (x, x - diagonal) }
        if x > entry {
          runs.append(
            MatchedRun(old: oldStart + entry, new: newStart + entry - diagonal, count: x - entry))
        }
      }
      if edit > 0 {
        let insert = Int(table[above + 1])
        let isInsert = insert == entry && insert - diagonal <= newCount
        diagonal += isInsert ? 1 : -1
      }
      edit -= 1
    }
    runs[known...].reverse()
    return end
  }
}
