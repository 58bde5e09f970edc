/// The rows of two sequences that are not in a longest common subsequence.
///
/// Rows that only one side has are left out first. A point of a longest common subsequence splits the
/// others into two parts, which are split likewise. It is found on a shortest path of deletions and
/// insertions, or by the lengths of common subsequences if that path is long. Of many rows of which
/// many are equal, only the rarest lead to a point; then the subsequence may be shorter than the
/// longest one.
struct LineAlignment {
  /// By row, whether it has no partner on the other side.
  private(set) var deleted: [Bool]
  private(set) var inserted: [Bool]

  /// How long points are searched, by the number of rows.
  struct Effort {
    /// The number of steps from each end in which most paths are found.
    var pathSteps = { (size: Int) in 64 + Int(Double(size).squareRoot()) }

    /// The number of steps in which a longest common subsequence of all rows is found, if they are
    /// few or if most of them are rare.
    var lengthSteps = { (size: Int) in 1 << 24 + 32 * size }

    /// How many times as many steps are taken in all.
    var repetitions = 20

    /// The number of steps from each end after that.
    static let fewestPathSteps = 64
  }

  private let effort: Effort

  /// The number of steps that may still be taken.
  private var budget = 0

  private let old: CandidateRows
  private let new: CandidateRows
  private var search = PathSearch()
  private var lengths: CommonLengths
  private var rest: [RowRectangle] = []

  /// Aligns two sequences of keys below `universe`.
  ///
  /// - Complexity: O(*n* + *d*²) on average, where *n* is the number of rows and *d* the number of
  ///   rows without a partner that occur on both sides; at most O(*n*) with a large constant factor.
  init(_ old: [UInt32], _ new: [UInt32], universe: Int, effort: Effort = Effort()) {
    self.effort = effort
    var middle = RowRectangle(old: old.indices, new: new.indices)
    _ = middle.removeFirst(equalIn: old, new)
    _ = middle.removeLast(equalIn: old, new)
    deleted = Self.flags(old.count, middle.old)
    inserted = Self.flags(new.count, middle.new)
    lengths = CommonLengths(universe: universe)
    self.old = CandidateRows(old, middle.old, ifIn: new, middle.new, universe)
    self.new = CandidateRows(new, middle.new, ifIn: old, middle.old, universe)
    rest.append(RowRectangle(old: 0..<self.old.keys.count, new: 0..<self.new.keys.count))
    budget = effort.repetitions * effort.lengthSteps(old.count + new.count)
    while let part = rest.popLast() { align(part) }
  }

  private static func flags(_ count: Int, _ middle: Range<Int>) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for row in middle { flags[row] = true }
    return flags
  }

  /// Pairs the rows of a part, or splits it.
  private mutating func align(_ whole: RowRectangle) {
    var part = whole
    let first = part.removeFirst(equalIn: old.keys, new.keys)
    pair(first, whole.old.lowerBound, whole.new.lowerBound)
    let last = part.removeLast(equalIn: old.keys, new.keys)
    pair(last, part.old.upperBound, part.new.upperBound)
    if part.old.isEmpty || part.new.isEmpty { return }
    let size = part.old.count + part.new.count
    let shortPath = budget > 0 ? effort.pathSteps(size) : Effort.fewestPathSteps
    var point = search.middle(of: part, old.keys, new.keys, limit: shortPath)
    if point == nil, budget > 0 {
      let steps = lengths.steps(in: part, old.keys, new.keys)
      if steps == 0 { return }
      let limit = min(steps, effort.lengthSteps(size))
      // A path of so many steps from both ends is found in about as much time.
      let longPath = Int(Double(limit).squareRoot())
      budget -= limit
      if longPath > shortPath {
        point = search.middle(of: part, old.keys, new.keys, limit: longPath)
      }
      point = point ?? lengths.middle(of: part, old.keys, new.keys, limit: limit)
    }
    rest += part.split(at: point ?? search.farthest(in: part))
  }

  /// Pairs a number of rows from two candidates on.
  private mutating func pair(_ count: Int, _ a: Int, _ b: Int) {
    if count == 0 { return }
    Self.clear(&deleted, old.rows, a..<a + count)
    Self.clear(&inserted, new.rows, b..<b + count)
  }

  private static func clear(_ flags: inout [Bool], _ rows: [UInt32], _ range: Range<Int>) {
    var flags = flags.mutableSpan
    let rows = rows.span
    for index in range { flags[Int(rows[index])] = false }
  }
}

/// The rows of one sequence whose keys the other one has, too.
private struct CandidateRows {
  var keys: [UInt32] = []

  /// The index of each of them in the sequence.
  var rows: [UInt32] = []

  init(
    _ all: [UInt32], _ range: Range<Int>, ifIn other: [UInt32], _ otherRange: Range<Int>,
    _ universe: Int
  ) {
    if range.isEmpty || otherRange.isEmpty { return }
    var isInOther = [Bool](repeating: false, count: universe)
    var marks = isInOther.mutableSpan
    let others = other.span
    for row in otherRange { marks[Int(others[row])] = true }
    keys.reserveCapacity(range.count)
    rows.reserveCapacity(range.count)
    for row in range where isInOther[Int(all[row])] {
      keys.append(all[row])
      rows.append(UInt32(truncatingIfNeeded: row))
    }
  }
}

/// A range of old rows and a range of new ones.
struct RowRectangle {
  var old: Range<Int>
  var new: Range<Int>

  /// Removes the rows at the start whose keys are equal, and returns their number.
  mutating func removeFirst(equalIn oldKeys: [UInt32], _ newKeys: [UInt32]) -> Int {
    let (a, b) = (oldKeys.span, newKeys.span)
    let limit = min(old.count, new.count)
    let (x, y) = (old.lowerBound, new.lowerBound)
    var count = 0
    while count < limit, a[x &+ count] == b[y &+ count] { count &+= 1 }
    old = x + count..<old.upperBound
    new = y + count..<new.upperBound
    return count
  }

  /// Removes the rows at the end whose keys are equal, and returns their number.
  mutating func removeLast(equalIn oldKeys: [UInt32], _ newKeys: [UInt32]) -> Int {
    let (a, b) = (oldKeys.span, newKeys.span)
    let limit = min(old.count, new.count)
    let (x, y) = (old.upperBound, new.upperBound)
    var count = 0
    while count < limit, a[x &- count &- 1] == b[y &- count &- 1] { count &+= 1 }
    old = old.lowerBound..<x - count
    new = new.lowerBound..<y - count
    return count
  }

  func split(at point: (old: Int, new: Int)) -> [RowRectangle] {
    [
      RowRectangle(old: old.lowerBound..<point.old, new: new.lowerBound..<point.new),
      RowRectangle(old: point.old..<old.upperBound, new: point.new..<new.upperBound),
    ]
  }
}
