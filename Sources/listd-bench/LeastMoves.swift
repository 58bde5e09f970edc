/// Computes the minimal number of moves independently of the measured code.
enum LeastMoves {
  /// Returns the number of kept rows that must move; `nil` if it takes too long to compute.
  static func of(_ old: WorkloadList, _ new: WorkloadList, _ workload: Workload) -> Int? {
    if workload == .i {
      guard old.rows.count <= 5_000 else { return nil }
      return ofRepeats(old.rows.map(\.id), new.rows.map(\.id))
    }
    var positions: [Int: (section: Int, row: Int)] = [:]
    for section in old.sections {
      for (index, row) in section.rows.enumerated() { positions[row.id] = (section.id, index) }
    }
    var moves = 0
    for section in new.sections {
      let kept = section.rows.compactMap { positions[$0.id] }
      let home = kept.filter { $0.section == section.id }.map(\.row)
      moves += kept.count - longestIncreasing(home)
    }
    return moves
  }

  private static func longestIncreasing(_ values: [Int]) -> Int {
    var tails: [Int] = []
    for value in values {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if tails[middle] < value { low = middle + 1 } else { high = middle }
      }
      if low == tails.count { tails.append(value) } else { tails[low] = value }
    }
    return tails.count
  }

  /// The number of common rows minus the length of a longest common subsequence.
  private static func ofRepeats(_ old: [Int], _ new: [Int]) -> Int {
    var row = [Int32](repeating: 0, count: new.count + 1)
    for a in old {
      var diagonal: Int32 = 0
      for (index, b) in new.enumerated() {
        let above = row[index + 1]
        row[index + 1] = a == b ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    var counts: [Int: Int] = [:]
    for id in old { counts[id, default: 0] += 1 }
    var kept = 0
    for id in new where counts[id, default: 0] > 0 {
      counts[id, default: 0] -= 1
      kept += 1
    }
    return kept - Int(row[new.count])
  }
}
