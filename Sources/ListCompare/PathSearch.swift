/// Finds points on shortest paths of deletions and insertions from one sequence to another.
///
/// Paths are extended from both ends, by diagonals, until they meet: Myers, "An O(ND) Difference
/// Algorithm and Its Variations", 1986, section 4b.
struct PathSearch {
  /// By diagonal (old row minus new row), the old row that a path from the start has reached, then
  /// that of a path from the end.
  private var rows: [Int32] = []

  /// The diagonals that the last search has reached from the start, and the element of diagonal 0.
  private var reached = (low: 0, high: 0, zero: 0)

  /// Returns a point on a shortest path, or nil if a path from one of the ends to the middle takes
  /// more than `limit` steps.
  ///
  /// - Complexity: O(*n* + *d*²), where *n* is the number of rows and *d* that of steps.
  mutating func middle(
    of part: RowRectangle, _ old: [UInt32], _ new: [UInt32], limit: Int
  ) -> (old: Int, new: Int)? {
    let size = 2 * limit + 5
    if rows.count < 2 * size { rows = [Int32](repeating: 0, count: 2 * size) }
    let (a, b) = (old.span, new.span)
    let (x0, x1) = (part.old.lowerBound, part.old.upperBound)
    let (y0, y1) = (part.new.lowerBound, part.new.upperBound)
    let (start, end) = (x0 &- y0, x1 &- y1)
    // The elements of diagonal 0.
    let f = limit &+ 2 &- start
    let r = size &+ limit &+ 2 &- end
    // An odd difference of the ends is met by a step forward, an even one by a step back.
    let isOdd = (start &- end) & 1 != 0
    var rows = rows.mutableSpan
    var ahead = (low: start, high: start)
    var back = (low: end, high: end)
    rows[start &+ f] = Int32(truncatingIfNeeded: x0)
    rows[end &+ r] = Int32(truncatingIfNeeded: x1)
    // In bounds: diagonals are at most `limit` + 1 from that of the end where paths begin, and the
    // points that are compared are in the part.
    precondition(x0 >= 0 && y0 >= 0 && x1 <= a.count && y1 <= b.count && rows.count >= 2 &* size)
    for _ in 0..<limit {
      if ahead.low > x0 &- y1 {
        ahead.low &-= 1
        rows[unchecked: ahead.low &- 1 &+ f] = -1
      } else {
        ahead.low &+= 1
      }
      if ahead.high < x1 &- y0 {
        ahead.high &+= 1
        rows[unchecked: ahead.high &+ 1 &+ f] = -1
      } else {
        ahead.high &-= 1
      }
      var diagonal = ahead.high
      while diagonal >= ahead.low {
        let below = Int(rows[unchecked: diagonal &- 1 &+ f]) &+ 1
        let above = Int(rows[unchecked: diagonal &+ 1 &+ f])
        var x = max(below, above)
        var y = x &- diagonal
        while x < x1, y < y1, a[unchecked: x] == b[unchecked: y] {
          x &+= 1
          y &+= 1
        }
        rows[unchecked: diagonal &+ f] = Int32(truncatingIfNeeded: x)
        if isOdd, back.low <= diagonal, diagonal <= back.high,
          Int(rows[unchecked: diagonal &+ r]) <= x
        {
          return (x, y)
        }
        diagonal &-= 2
      }
      if back.low > x0 &- y1 {
        back.low &-= 1
        rows[unchecked: back.low &- 1 &+ r] = .max
      } else {
        back.low &+= 1
      }
      if back.high < x1 &- y0 {
        back.high &+= 1
        rows[unchecked: back.high &+ 1 &+ r] = .max
      } else {
        back.high &-= 1
      }
      diagonal = back.high
      while diagonal >= back.low {
        let below = Int(rows[unchecked: diagonal &- 1 &+ r])
        let above = Int(rows[unchecked: diagonal &+ 1 &+ r]) &- 1
        var x = min(below, above)
        var y = x &- diagonal
        while x > x0, y > y0, a[unchecked: x &- 1] == b[unchecked: y &- 1] {
          x &-= 1
          y &-= 1
        }
        rows[unchecked: diagonal &+ r] = Int32(truncatingIfNeeded: x)
        if !isOdd, ahead.low <= diagonal, diagonal <= ahead.high,
          x <= Int(rows[unchecked: diagonal &+ f])
        {
          return (x, y)
        }
        diagonal &-= 2
      }
    }
    reached = (ahead.low, ahead.high, f)
    return nil
  }

  /// After a search without result, returns the point that has the most rows before it.
  func farthest(in part: RowRectangle) -> (old: Int, new: Int) {
    var best = (old: part.old.lowerBound, new: part.new.lowerBound)
    for diagonal in stride(from: reached.low, through: reached.high, by: 2) {
      let new = min(Int(rows[diagonal + reached.zero]) - diagonal, part.new.upperBound)
      let old = min(new + diagonal, part.old.upperBound)
      let point = (old: old, new: old - diagonal)
      if point.old + point.new > best.old + best.new { best = point }
    }
    return best
  }
}
