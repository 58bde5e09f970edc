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
    while let (a, b) = middle.first, old[a] == new[b] { middle.removeFirst() }
    while let (a, b) = middle.last, old[a] == new[b] { middle.removeLast() }
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
    while let (a, b) = part.first, old.keys[a] == new.keys[b] {
      pair(a, b)
      part.removeFirst()
    }
    while let (a, b) = part.last, old.keys[a] == new.keys[b] {
      pair(a, b)
      part.removeLast()
    }
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

  private mutating func pair(_ a: Int, _ b: Int) {
    deleted[Int(old.rows[a])] = false
    inserted[Int(new.rows[b])] = false
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
    for row in otherRange { isInOther[Int(other[row])] = true }
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

  /// The first row on both sides; nil if one of them has none.
  var first: (Int, Int)? {
    old.isEmpty || new.isEmpty ? nil : (old.lowerBound, new.lowerBound)
  }

  /// The last row on both sides; nil if one of them has none.
  var last: (Int, Int)? {
    old.isEmpty || new.isEmpty ? nil : (old.upperBound - 1, new.upperBound - 1)
  }

  mutating func removeFirst() {
    old = old.lowerBound + 1..<old.upperBound
    new = new.lowerBound + 1..<new.upperBound
  }

  mutating func removeLast() {
    old = old.lowerBound..<old.upperBound - 1
    new = new.lowerBound..<new.upperBound - 1
  }

  func split(at point: (old: Int, new: Int)) -> [RowRectangle] {
    [
      RowRectangle(old: old.lowerBound..<point.old, new: new.lowerBound..<point.new),
      RowRectangle(old: point.old..<old.upperBound, new: point.new..<new.upperBound),
    ]
  }
}
