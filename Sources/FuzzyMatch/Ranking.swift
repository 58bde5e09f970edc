/// A row that matches, with everything that it is ranked by.
struct Candidate {
  let row: RankedRow
  let length: Int
  var level: Int32 = 0

  /// Whether this row is ranked before another one: by level, by score, by length, then as `precedes`
  /// says.
  func isBetter(than other: Candidate, _ precedes: (Int32, Int32) -> Bool) -> Bool {
    if level != other.level { return level < other.level }
    if row.score != other.row.score { return row.score > other.row.score }
    if length != other.length { return length < other.length }
    return precedes(row.row, other.row.row)
  }
}

/// The best rows found so far, at most a fixed number: a heap with the worst of them on top as soon
/// as there are that many.
struct BestRows {
  private let capacity: Int
  private var heap: [Candidate] = []

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { heap.count }
  var isFull: Bool { heap.count == capacity }

  /// The worst of the rows if there are as many as there can be.
  var worst: Candidate? { isFull ? heap.first : nil }

  /// Reports whether a row of a level, a score and a length is worse than all of the rows.
  func excludes(level: Int32, score: Int32, length: Int) -> Bool {
    guard isFull, let worst = heap.first else { return false }
    if level != worst.level { return level > worst.level }
    return score < worst.row.score || score == worst.row.score && length > worst.length
  }

  /// Returns those of 16 rows that are worse than all of the rows, as far as their scores and lengths say.
  func excluded(
    _ scores: SIMD16<Int32>, _ lengths: SIMD16<Int32>, _ order: RowOrder
  ) -> UInt16 {
    guard !order.hasLevels, let worst else { return 0 }
    let score = SIMD16(repeating: worst.row.score)
    let length = SIMD16(repeating: Int32(truncatingIfNeeded: worst.length))
    return FuzzyMatch.rows((scores .< score) .| ((scores .== score) .& (lengths .> length)))
  }

  /// Adds a row if it is among the best.
  ///
  /// - Complexity: O(log *k*), where *k* is the capacity.
  mutating func insert(_ candidate: Candidate, _ precedes: (Int32, Int32) -> Bool) {
    guard isFull else {
      heap.append(candidate)
      guard isFull else { return }
      for index in stride(from: capacity / 2 - 1, through: 0, by: -1) { sink(index, precedes) }
      return
    }
    guard let worst = heap.first, candidate.isBetter(than: worst, precedes) else { return }
    heap[0] = candidate
    sink(0, precedes)
  }

  /// Returns the rows, the best first.
  func sorted(_ precedes: (Int32, Int32) -> Bool) -> [RankedRow] {
    heap.sorted { $0.isBetter(than: $1, precedes) }.map(\.row)
  }

  /// Restores the order of the heap below an index.
  private mutating func sink(_ start: Int, _ precedes: (Int32, Int32) -> Bool) {
    var parent = start
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child].isBetter(than: heap[child + 1], precedes) {
        child += 1
      }
      guard heap[parent].isBetter(than: heap[child], precedes) else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}

/// Chooses the best of rows whose scores are known.
struct Ranking {
  private let rows: [RankedRow]
  private let highest: Int32

  /// Scores that are lower than the highest by this much or more are not distinguished at first.
  private static let range = 4096

  init(_ rows: [RankedRow]) {
    self.rows = rows
    highest = rows.reduce(.min) { max($0, $1.score) }
  }

  /// Returns the best rows, the best first.
  func best(
    _ count: Int, lengths: MatchLengths, precedes: (Int32, Int32) -> Bool
  ) -> [RankedRow] {
    guard count > 0, !rows.isEmpty else { return [] }
    var best = BestRows(capacity: min(count, rows.count))
    let loss = leastLoss(of: count)
    for row in rows where self.loss(row) <= loss {
      best.insert(Candidate(row: row, length: lengths.length(of: row.row)), precedes)
    }
    return best.sorted(precedes)
  }

  /// Returns the most by which the score of one of the best rows can be lower than the highest.
  private func leastLoss(of count: Int) -> Int {
    guard count < rows.count else { return Self.range }
    var counts = [Int](repeating: 0, count: Self.range)
    for row in rows { counts[loss(row)] += 1 }
    var loss = 0
    var passed = counts[0]
    while passed < count {
      loss += 1
      passed += counts[loss]
    }
    return loss
  }

  private func loss(_ row: RankedRow) -> Int {
    min(Self.range - 1, Int(highest) - Int(row.score))
  }
}
