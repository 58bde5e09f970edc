/// Finds a longest common subsequence of two sequences of keys within a band of 64 columns that
/// follows where most is common.
///
/// Of the table of lengths each row is a word, in which a bit that is not set says that the length
/// grows there (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004). From row to row the
/// word goes along with the band; the way back through the rows finds the pairs. Where neither
/// sequence has more than 64 keys, there is no longer subsequence.
struct BandAlignment {
  private static let width = 64
  /// How many rows there are from one look at where the band has to go to the next.
  private static let stride = 16
  /// How many rows the band waits for new columns to be common before it goes on.
  private static let patience = 64

  /// Where a key is among the columns that have come into the band.
  fileprivate struct Columns {
    /// The last bit stands for `last`, the one before for the column before, and so on.
    var bits: UInt64 = 0
    var last = -BandAlignment.width
  }

  private var columns: [Columns] = []
  /// How many columns earlier alignments had: so that what they have left is out of each band.
  private var passed = 0

  private var rows: [UInt64] = []
  /// By row the last column of the band.
  private var ends: [Int32] = []

  /// How many rows of tables were computed.
  private(set) var steps = 0

  /// Whether what was found since ``begin()`` can hardly be bettered: the band never lost its way, and
  /// most rows had just one column to choose in it.
  private(set) var isSure = true

  mutating func begin() { isSure = true }

  mutating func reserve(universe: Int) {
    if columns.count < universe { columns.fill(max(universe, columns.count * 2), with: Columns()) }
  }

  /// Pairs keys of two sequences, whose first ones are the rows at `oldStart` and `newStart`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys.
  mutating func align(
    _ old: Span<UInt32>, _ oldStart: Int, _ new: Span<UInt32>, _ newStart: Int,
    in matching: inout Matching
  ) {
    let head = old.commonPrefix(with: new)
    matching.pairInARow(old: oldStart, new: newStart, count: head)
    // Not so at the end: of rows that are the same the first ones are to stay.
    let oldRest = old.extracting(head...)
    let newRest = new.extracting(head...)
    guard !oldRest.isEmpty, !newRest.isEmpty else { return }
    rows.reserve(oldRest.count)
    ends.reserve(oldRest.count)
    let doubtful = Self.fill(oldRest, newRest, passed, &columns, &rows, &ends)
    let fewest = Self.trace(
      oldRest.count, rows.view, ends.view, oldStart + head, newStart + head,
      &matching.rowsToNew, &matching.rowsToOld)
    // What fits into the band is as long as can be.
    if newRest.count > Self.width, doubtful > old.count / 4 || fewest < Self.width * 11 / 16 {
      isSure = false
    }
    passed += newRest.count + Self.width
    steps += oldRest.count
  }

  /// Computes the rows of the table, and returns how many rows have several columns to choose from.
  private static func fill(
    _ old: Span<UInt32>, _ new: Span<UInt32>, _ passed: Int, _ columns: inout [Columns],
    _ rows: inout [UInt64], _ ends: inout [Int32]
  ) -> Int {
    var columns = columns.mutableView
    var rows = rows.mutableView
    var ends = ends.mutableView
    var row: UInt64 = .max
    var last = -1
    // The column that the band ought to end with; all that there are, where they fit into it.
    var wanted = new.count <= width ? new.count : width / 2
    var farthest = -1
    var waited = 0
    var doubtful = 0
    var index = 0
    while index < old.count {
      let close = min(index + stride, old.count)
      while index < close {
        let goal = min(wanted, new.count - 1)
        while last < goal {
          last &+= 1
          columns[Int(new[last])].enter(passed &+ last)
          row = row &>> 1 | 1 &<< 63
        }
        let same = columns[Int(old[index])].bits(at: passed &+ last)
        doubtful &+= same & (same &- 1) == 0 ? 0 : 1
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
    return doubtful
  }

  /// Goes back through the rows of the table, pairs, and returns the fewest pairs of any 64 rows.
  private static func trace(
    _ count: Int, _ rows: Span<UInt64>, _ ends: Span<Int32>, _ oldStart: Int, _ newStart: Int,
    _ rowsToNew: inout [Int32], _ rowsToOld: inout [Int32]
  ) -> Int {
    var toNew = rowsToNew.mutableView
    var toOld = rowsToOld.mutableView
    var fewest = width
    var pairs = 0
    var column = Int(ends[count &- 1])
    var index = count
    while index > 0 {
      if (count &- index) & (width - 1) == 0, index < count {
        fewest = min(fewest, pairs)
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
        // Where the length has grown in the row above already, that may have the pair.
        let place = column &- Int(ends[index &- 1]) &+ (width - 1)
        if rows[index &- 1] & 1 &<< UInt64(truncatingIfNeeded: place) == 0 { continue }
      }
      toNew[oldStart &+ index] = Int32(truncatingIfNeeded: newStart &+ column)
      toOld[newStart &+ column] = Int32(truncatingIfNeeded: oldStart &+ index)
      column &-= 1
      pairs &+= 1
    }
    let rest = count & (width - 1)
    return rest < stride ? fewest : min(fewest, pairs * width / rest)
  }
}

extension BandAlignment.Columns {
  /// Adds a column, after all that were added.
  @inline(__always)
  fileprivate mutating func enter(_ column: Int) {
    bits = bits(at: column) | 1 &<< 63
    last = column
  }

  /// The columns as bits where the last one is `column`.
  @inline(__always)
  fileprivate func bits(at column: Int) -> UInt64 {
    bits >> UInt64(bitPattern: Int64(column &- last))
  }
}

extension UInt64 {
  /// How many bits there are up to the end of where zeros are the most and the densest, in steps of
  /// eight; `nil` where nowhere more than half of the bits are zeros.
  fileprivate var middle: Int? {
    // The zeros of each byte; then the part of the bytes that has most of them beyond half.
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
