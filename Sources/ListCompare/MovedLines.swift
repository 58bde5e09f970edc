import ByteBuffers

/// Pairs lines that were deleted with equal ones that were inserted elsewhere: they moved.
struct MovedLines {
  private(set) var pairs: RowPairs
  private let keys: LineKeys

  /// By key, the numbers of lines that have no partner.
  private var deleted: [Int32] = []
  private var inserted: [Int32] = []

  init(_ pairs: RowPairs, _ keys: LineKeys) {
    self.pairs = pairs
    self.keys = keys
    deleted = Self.counts(keys.old, pairs.toNew, keys.universe)
    inserted = Self.counts(keys.new, pairs.toOld, keys.universe)
    // Lines that only one side has are not candidates.
    inserted[keys.universe - 1] = 0
  }

  private static func counts(_ keys: [UInt32], _ partners: [Int32], _ universe: Int) -> [Int32] {
    var counts = [Int32](repeating: 0, count: universe)
    for (row, key) in keys.enumerated() where partners[row] < 0 { counts[Int(key)] += 1 }
    return counts
  }

  /// Whether any line was deleted from one place and inserted at another.
  var hasCandidates: Bool {
    keys.old.indices.contains { pairs.toNew[$0] < 0 && inserted[Int(keys.old[$0])] > 0 }
  }

  /// Pairs lines that are worth marking, and the equal lines around them. Lines that occur once come
  /// first; of several equal lines, the *k*-th deleted one is the *k*-th inserted one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lines.
  mutating func pair(ifWorthMarking isWorthMarking: (Int) -> Bool) {
    var places: [Int: Int] = [:]
    for row in keys.new.indices.reversed() where isInserted(row) {
      let key = Int(keys.new[row])
      if deleted[key] == 1, inserted[key] == 1 { places[key] = row }
    }
    for row in keys.old.indices where pairs.toNew[row] < 0 {
      let key = Int(keys.old[row])
      guard let place = places[key], pairs.toOld[place] < 0, isWorthMarking(row) else { continue }
      pairRun(row, place)
    }
    // The rows of other keys, in descending order.
    var repeated: [Int: [Int]] = [:]
    for row in keys.new.indices.reversed() where isInserted(row) {
      repeated[Int(keys.new[row]), default: []].append(row)
    }
    for row in keys.old.indices where pairs.toNew[row] < 0 {
      let key = Int(keys.old[row])
      while let place = repeated[key]?.last {
        if pairs.toOld[place] < 0 {
          if isWorthMarking(row) { pairRun(row, place) }
          break
        }
        repeated[key]?.removeLast()
      }
    }
  }

  private func isInserted(_ row: Int) -> Bool {
    pairs.toOld[row] < 0 && inserted[Int(keys.new[row])] > 0 && deleted[Int(keys.new[row])] > 0
  }

  /// Pairs two rows, and equal rows without a partner before and after them.
  private mutating func pairRun(_ old: Int, _ new: Int) {
    pairs.pairMoved(old, new)
    for step in [-1, 1] {
      var (a, b) = (old + step, new + step)
      while keys.old.indices.contains(a), keys.new.indices.contains(b), keys.old[a] == keys.new[b],
        pairs.toNew[a] < 0, pairs.toOld[b] < 0
      {
        pairs.pairMoved(a, b)
        (a, b) = (a + step, b + step)
      }
    }
  }
}
