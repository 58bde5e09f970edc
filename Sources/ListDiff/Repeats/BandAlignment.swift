/// Finds a common subsequence of two sequences of keys: a longest one if the sequences are short, and
/// otherwise a longest one within a band of 64 columns that follows the part of the table with most
/// common keys.
///
/// Each row of the table of lengths is one word, or one for each 64 columns. A bit that is not set means
/// that the length grows in that column (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
/// The word of a band shifts with it from row to row.
///
/// This is the table for `abcdef` and `abxycdef` with a band of four columns; `+` marks a column in
/// which the length grows:
///
/// ```
///                new keys: columns
///                a  b  x  y  c  d  e  f
/// old keys:   a  +  .  .
/// rows        b  +  +  .  .
///             c     +  .  .  +
///             d        .  .  +  +
///             e           .  +  +  +
///             f              +  +  +  +
/// ```
///
/// The trace begins with the last row and its last column. It goes to the rightmost `+` that is not
/// to the right of its column. Unless the row above also has a `+` in that column, the two keys are
/// a pair, and the trace goes on one column to the left. It then goes one row up. Here it finds the
/// pairs `f`, `e`, `d`, `c`, `b`, `a`.
struct BandAlignment: ~Copyable {
  private static let width = 64
  /// The number of rows between two adjustments of the band.
  private static let stride = 16
  /// The number of rows that the band waits for new columns to be common before it moves on.
  private static let patience = 64
  /// The maximum number of words of a table that is computed as a whole.
  private static let maxWords = 4_096

  /// The columns of the band that have a certain key.
  fileprivate struct Columns {
    /// The highest bit stands for column `last`, the next lower one for the column before, and so
    /// on.
    var bits: UInt64 = 0
    var last = -BandAlignment.width
  }

  private var columns: [Columns] = []
  /// The number of columns of earlier alignments, so that their leftovers are outside of each band.
  private var earlierColumns = 0

  private var rows: [UInt64] = []
  /// By row, whether the addition of its words so far has carried.
  private var carries: [Bool] = []
  /// By row, the last column of the band.
  private var ends: [Int32] = []

  /// The number of table rows computed.
  private(set) var steps = 0

  /// Whether the result since ``begin()`` is probably optimal: the band stayed on the common keys,
  /// and most rows had a single candidate column in it.
  private(set) var isConfident = true

  /// Whether the result since ``begin()`` is optimal, because all tables were computed as a whole.
  private(set) var isOptimal = true

  /// The number of pairs since ``begin()``.
  private(set) var pairs = 0

  mutating func begin() {
    isConfident = true
    isOptimal = true
    pairs = 0
  }

  mutating func reserve(universe: Int) {
    if columns.count < universe { columns.fill(max(universe, columns.count * 2), with: Columns()) }
  }

  /// Pairs keys of two sequences, whose first keys belong to the rows `oldStart` and `newStart`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  mutating func align(
    _ old: ArrayView<UInt32>, oldStart: Int, _ new: ArrayView<UInt32>, newStart: Int,
    in matching: inout Matching
  ) {
    let head = old.commonPrefix(with: new)
    matching.pairInARow(old: oldStart, new: newStart, count: head)
    pairs += head
    // A common suffix is not paired first: among equal rows, the first ones are to be kept.
    let oldRest = old.extracting(head...)
    let newRest = new.extracting(head...)
    guard !oldRest.isEmpty, !newRest.isEmpty else { return }
    let blocks = (newRest.count + Self.width - 1) / Self.width
    if blocks == 1 || blocks * oldRest.count <= Self.maxWords {
      carries.fill(oldRest.count, with: false)
      rows.reserveCapacity(blocks * oldRest.count)
      Self.computeTable(
        oldRest, newRest, earlierColumns: earlierColumns, columns: &columns, rows: &rows,
        carries: &carries)
      pairs += Self.traceTable(
        oldRest.count, newRest.count, rows: rows.view, oldStart: oldStart + head,
        newStart: newStart + head, toNew: &matching.rowsToNew, toOld: &matching.rowsToOld)
      steps += blocks * oldRest.count
    } else {
      rows.reserve(oldRest.count)
      ends.reserve(oldRest.count)
      let ambiguous = Self.computeRows(
        oldRest, newRest, earlierColumns: earlierColumns, columns: &columns, rows: &rows,
        ends: &ends)
      let (found, fewest) = Self.trace(
        oldRest.count, rows: rows.view, ends: ends.view, oldStart: oldStart + head,
        newStart: newStart + head, toNew: &matching.rowsToNew, toOld: &matching.rowsToOld)
      pairs += found
      isOptimal = false
      if ambiguous > old.count / 4 || fewest < Self.width * 11 / 16 { isConfident = false }
      steps += oldRest.count
    }
    earlierColumns += newRest.count + Self.width
  }

  /// Computes the whole table, 64 columns at a time. If their number is not a multiple of 64, the first
  /// words also stand for columns before the first one, in which nothing grows.
  private static func computeTable(
    _ old: ArrayView<UInt32>, _ new: ArrayView<UInt32>, earlierColumns first: Int,
    columns: inout [Columns], rows: inout [UInt64], carries: inout [Bool]
  ) {
    rows.removeAll(keepingCapacity: true)
    var end = (new.count - 1) % width + 1
    var start = 0
    var columns = columns.mutableView
    var carries = carries.mutableView
    while end <= new.count {
      while start < end {
        columns[Int(new[start])].append(first &+ start)
        start &+= 1
      }
      rows.append(atMost: old.count) { rows in
        var row = UInt64.max
        var index = 0
        while index < old.count {
          let same = columns[Int(old[index])].bits(at: first &+ end &- 1)
          let sum = row.addingReportingOverflow(row & same)
          let carried = sum.partialValue.addingReportingOverflow(carries[index] ? 1 : 0)
          carries[index] = sum.overflow || carried.overflow
          row = carried.partialValue | row & ~same
          rows[index] = row
          index &+= 1
        }
        return old.count
      }
      end &+= width
    }
  }

  /// Pairs keys by following the whole table backwards. Returns the number of pairs.
  private static func traceTable(
    _ count: Int, _ columns: Int, rows: ArrayView<UInt64>, oldStart: Int, newStart: Int,
    toNew rowsToNew: inout [Int32], toOld rowsToOld: inout [Int32]
  ) -> Int {
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var pairs = 0
    var bit = rows.count / count * width &- 1
    let unused = bit &+ 1 &- columns
    var index = count
    while index > 0, bit >= unused {
      index &-= 1
      var word = bit &>> 6
      var growths =
        ~rows[word &* count &+ index] & .max &>> UInt64(truncatingIfNeeded: ~bit)
      while growths == 0, word > 0 {
        word &-= 1
        growths = ~rows[word &* count &+ index]
      }
      if growths == 0 { break }
      bit = word &<< 6 &+ (width - 1) &- growths.leadingZeroBitCount
      // If the length also grows in the row above, that row may have the pair.
      if index > 0,
        rows[word &* count &+ index &- 1] & 1 &<< UInt64(truncatingIfNeeded: bit) == 0
      {
        continue
      }
      let column = newStart &+ bit &- unused
      toNew[oldStart &+ index] = Int32(truncatingIfNeeded: column)
      toOld[column] = Int32(truncatingIfNeeded: oldStart &+ index)
      bit &-= 1
      pairs &+= 1
    }
    return pairs
  }

  /// Computes the rows of the table and returns the number of rows with several candidate columns.
  private static func computeRows(
    _ old: ArrayView<UInt32>, _ new: ArrayView<UInt32>, earlierColumns: Int,
    columns: inout [Columns],
    rows: inout [UInt64], ends: inout [Int32]
  ) -> Int {
    var columns = columns.mutableView
    var rows = rows.mutableView
    var ends = ends.mutableView
    var row: UInt64 = .max
    var last = -1
    // The column that the band should end with.
    var wanted = width / 2
    var farthest = -1
    var waited = 0
    var ambiguous = 0
    var index = 0
    while index < old.count {
      let close = min(index + stride, old.count)
      while index < close {
        let goal = min(wanted, new.count - 1)
        while last < goal {
          last &+= 1
          columns[Int(new[last])].append(earlierColumns &+ last)
          row = row &>> 1 | 1 &<< 63
        }
        let same = columns[Int(old[index])].bits(at: earlierColumns &+ last)
        ambiguous &+= same & (same &- 1) == 0 ? 0 : 1
        row = row &+ (row & same) | row & ~same
        rows[index] = row
        ends[index] = Int32(truncatingIfNeeded: last)
        wanted &+= 1
        index &+= 1
      }
      guard let middle = row.middle else { continue }
      let column = last - width + middle
      waited = column > farthest ? 0 : waited + stride
      farthest = max(farthest, column)
      if waited < patience { wanted = column + width / 2 }
    }
    return ambiguous
  }

  /// Pairs keys by following the table backwards. Returns the number of pairs, and the fewest in any 64
  /// rows.
  private static func trace(
    _ count: Int, rows: ArrayView<UInt64>, ends: ArrayView<Int32>, oldStart: Int, newStart: Int,
    toNew rowsToNew: inout [Int32], toOld rowsToOld: inout [Int32]
  ) -> (pairs: Int, fewest: Int) {
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var fewest = width
    var pairs = 0
    var all = 0
    var column = Int(ends[count &- 1])
    var index = count
    while index > 0 {
      if (count &- index) & (width - 1) == 0, index < count {
        fewest = min(fewest, pairs)
        all &+= pairs
        pairs = 0
      }
      index &-= 1
      let start = Int(ends[index]) &- (width - 1)
      if column < start { continue }
      let beyond = max(0, Int(ends[index]) &- column)
      let growths = ~rows[index] & .max &>> UInt64(truncatingIfNeeded: beyond)
      guard growths != 0 else {
        column = start &- 1
        continue
      }
      column = start &+ (width - 1) &- growths.leadingZeroBitCount
      if index > 0, column <= Int(ends[index &- 1]) {
        // If the length also grows in the row above, that row may have the pair.
        let bit = column &- Int(ends[index &- 1]) &+ (width - 1)
        if rows[index &- 1] & 1 &<< UInt64(truncatingIfNeeded: bit) == 0 { continue }
      }
      toNew[oldStart &+ index] = Int32(truncatingIfNeeded: newStart &+ column)
      toOld[newStart &+ column] = Int32(truncatingIfNeeded: oldStart &+ index)
      column &-= 1
      pairs &+= 1
    }
    let rest = count & (width - 1)
    return (all &+ pairs, rest < stride ? fewest : min(fewest, pairs * width / rest))
  }
}

extension BandAlignment.Columns {
  /// Adds a column after all columns added before.
  @_transparent
  fileprivate mutating func append(_ column: Int) {
    bits = bits(at: column) | 1 &<< 63
    last = column
  }

  /// Returns the columns as bits, the highest bit standing for `column`.
  @_transparent
  fileprivate func bits(at column: Int) -> UInt64 {
    bits >> UInt64(bitPattern: Int64(column &- last))
  }
}

extension UInt64 {
  /// The end of the part with the most and densest zeros, as a number of bits in steps of eight;
  /// `nil` if no part consists of zeros by more than half.
  fileprivate var middle: Int? {
    // The number of zeros in each byte; then the range of bytes with the largest excess over half.
    var counts = ~self
    counts &-= counts &>> 1 & 0x5555_5555_5555_5555
    counts = counts & 0x3333_3333_3333_3333 &+ (counts &>> 2 & 0x3333_3333_3333_3333)
    counts = (counts &+ counts &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    var score = 0
    var best = 0
    var middle: Int?
    for end in stride(from: 8, through: 64, by: 8) {
      score = Swift.max(score, 0) &+ 2 &* Int(truncatingIfNeeded: counts & 0xFF) &- 8
      if score > best {
        best = score
        middle = end
      }
      counts &>>= 8
    }
    return middle
  }
}
