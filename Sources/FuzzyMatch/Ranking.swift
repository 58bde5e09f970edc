/// A row that may be among the best, with what it is ranked by.
struct Candidate {
  let row: RankedRow
  let length: Int
}

/// Chooses the best of many rows.
struct Ranking {
  private let rows: [RankedRow]
  private let highest: Int32

  /// Scores that are lower than the highest by this much or more are not told apart at first.
  private static let range = 4096

  init(_ rows: [RankedRow]) {
    self.rows = rows
    highest = rows.reduce(.min) { max($0, $1.score) }
  }

  /// The best rows, the best first: by score, then by length, then as `precedes` says.
  func best(
    _ count: Int, lengths: MatchLengths, precedes: (Int32, Int32) -> Bool
  ) -> [RankedRow] {
    guard count > 0, !rows.isEmpty else { return [] }
    var candidates: [Candidate] = []
    let loss = leastLoss(of: count)
    for row in rows where self.loss(row) <= loss {
      candidates.append(Candidate(row: row, length: lengths.length(of: row.row)))
    }
    func isBetter(_ first: Candidate, _ second: Candidate) -> Bool {
      if first.row.score != second.row.score { return first.row.score > second.row.score }
      if first.length != second.length { return first.length < second.length }
      return precedes(first.row.row, second.row.row)
    }
    if candidates.count > 2 * count { candidates = Self.first(count, of: candidates, isBetter) }
    return candidates.sorted(by: isBetter).prefix(count).map(\.row)
  }

  /// By how much the last of the best lacks the highest score, at most.
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

  /// The first of many by an order, through a heap of those found so far, the last on top.
  private static func first(
    _ count: Int, of candidates: [Candidate], _ precedes: (Candidate, Candidate) -> Bool
  ) -> [Candidate] {
    var heap = Array(candidates[..<count])
    func sink(_ start: Int) {
      var parent = start
      while 2 * parent + 1 < count {
        var child = 2 * parent + 1
        if child + 1 < count, precedes(heap[child], heap[child + 1]) { child += 1 }
        guard precedes(heap[parent], heap[child]) else { return }
        heap.swapAt(parent, child)
        parent = child
      }
    }
    for index in stride(from: count / 2 - 1, through: 0, by: -1) { sink(index) }
    for candidate in candidates[count...] where precedes(candidate, heap[0]) {
      heap[0] = candidate
      sink(0)
    }
    return heap
  }
}
