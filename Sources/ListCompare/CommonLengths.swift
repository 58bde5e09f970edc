/// Finds a point of a longest common subsequence by the numbers of rows that prefixes have in
/// common, computed for 64 rows at a time: Hyyrö, "Bit-Parallel LCS-Length Computation Revisited",
/// 2004. Only words of bits that have equal rows are visited.
struct CommonLengths {
  private let universe: Int

  /// By key, its numbers of rows in the part that is searched; otherwise 0.
  private var oldCounts: [Int32] = []
  private var newCounts: [Int32] = []

  /// By key, its first match; otherwise -1.
  private var firstMatches: [Int32] = []

  /// A word in which a key has rows, these rows as bits, and the key's next match or -1.
  private struct Match {
    var word: Int32
    var next: Int32
    var bits: UInt64
  }

  init(universe: Int) { self.universe = universe }

  /// Returns the number of steps that `middle` takes if all rows are taken into account.
  mutating func steps(in part: RowRectangle, _ old: [UInt32], _ new: [UInt32]) -> Int {
    count(part, old, new)
    defer { clear(part, old, new) }
    let words = part.old.count / 64 + 1
    return part.new.reduce(0) { $0 + min(Int(oldCounts[Int(new[$1])]), words) }
  }

  /// Finds a point of a longest common subsequence of a part. If that takes more than about `limit`
  /// steps, rows that are equal to many others are left out. Returns nil if no row remains.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of rows and *m* is `limit`.
  mutating func middle(
    of part: RowRectangle, _ old: [UInt32], _ new: [UInt32], limit: Int
  ) -> (old: Int, new: Int)? {
    count(part, old, new)
    let most = mostPairs(part, new, limit)
    let columns = part.old.filter { isRare(Int(old[$0]), most) }
    let rows = part.new.filter { isRare(Int(new[$0]), most) }
    clear(part, old, new)
    if rows.isEmpty { return nil }
    if rows.count == 1 {
      return (columns.first { old[$0] == new[rows[0]] }!, rows[0])
    }
    let half = rows.count / 2
    let keys = columns.map { old[$0] }
    let before = increases(keys, rows[..<half].map { new[$0] })
    let after = increases(keys.reversed(), rows[half...].reversed().map { new[$0] })
    // The sum of both lengths, relative to that at the first column.
    var (sum, best, column) = (0, 0, 0)
    for index in columns.indices {
      let other = columns.count - 1 - index
      if before[index >> 6] >> UInt64(index & 63) & 1 == 0 { sum += 1 }
      if after[other >> 6] >> UInt64(other & 63) & 1 == 0 { sum -= 1 }
      if sum > best { (best, column) = (sum, index + 1) }
    }
    let end = column == columns.count ? part.old.upperBound : columns[column]
    return (end, rows[half])
  }

  private mutating func count(_ part: RowRectangle, _ old: [UInt32], _ new: [UInt32]) {
    if oldCounts.isEmpty {
      oldCounts = [Int32](repeating: 0, count: universe)
      newCounts = oldCounts
      firstMatches = [Int32](repeating: -1, count: universe)
    }
    for row in part.old { oldCounts[Int(old[row])] += 1 }
    for row in part.new { newCounts[Int(new[row])] += 1 }
  }

  private mutating func clear(_ part: RowRectangle, _ old: [UInt32], _ new: [UInt32]) {
    for row in part.old { oldCounts[Int(old[row])] = 0 }
    for row in part.new { newCounts[Int(new[row])] = 0 }
  }

  private func isRare(_ key: Int, _ most: Int) -> Bool {
    let pairs = Int(oldCounts[key]) * Int(newCounts[key])
    return pairs > 0 && pairs <= most
  }

  /// The largest power of two so that keys with up to so many pairs of rows together take no more
  /// than `limit` steps.
  private func mostPairs(_ part: RowRectangle, _ new: [UInt32], _ limit: Int) -> Int {
    let words = part.old.count / 64 + 1
    var sums = [Int](repeating: 0, count: 64)
    for row in part.new {
      let (a, b) = (Int(oldCounts[Int(new[row])]), Int(newCounts[Int(new[row])]))
      if a > 0 { sums[Int.bitWidth - (a * b - 1).leadingZeroBitCount] += min(a, words) }
    }
    var (sum, most) = (0, 0)
    for (power, added) in sums.enumerated() {
      sum += added
      if sum > limit { break }
      if added > 0 { most = 1 << power }
    }
    return most
  }

  /// Returns bits: a clear one for each column at which the number of rows that the columns up to
  /// it have in common with `rows` increases.
  private mutating func increases(_ columns: [UInt32], _ rows: [UInt32]) -> [UInt64] {
    let found = matches(of: columns)
    let matches = found.span
    var bits = [UInt64](repeating: .max, count: columns.count / 64 + 1)
    var words = bits.mutableSpan
    for key in rows {
      var next = Int(firstMatches[Int(key)])
      while next >= 0 {
        // The words from a match on until there is neither a match nor a carry.
        var word = Int(matches[next].word)
        var carry: UInt64 = 0
        repeat {
          let old = words[word]
          var equal: UInt64 = 0
          if next >= 0, Int(matches[next].word) == word {
            equal = matches[next].bits
            next = Int(matches[next].next)
          }
          let (sum, overflow) = old.addingReportingOverflow(old & equal)
          let (total, another) = sum.addingReportingOverflow(carry)
          words[word] = total | old & ~equal
          carry = overflow || another ? 1 : 0
          word &+= 1
        } while carry > 0 && word < words.count
      }
    }
    for key in columns { firstMatches[Int(key)] = -1 }
    return bits
  }

  /// Returns the matches of columns, those of each key next to each other.
  private mutating func matches(of columns: [UInt32]) -> [Match] {
    var linked: [Match] = []
    for (column, key) in columns.enumerated().reversed() {
      let first = firstMatches[Int(key)]
      let bit = UInt64(1) << UInt64(column & 63)
      if first >= 0, Int(linked[Int(first)].word) == column >> 6 {
        linked[Int(first)].bits |= bit
      } else {
        firstMatches[Int(key)] = Int32(truncatingIfNeeded: linked.count)
        linked.append(Match(word: Int32(truncatingIfNeeded: column >> 6), next: first, bits: bit))
      }
    }
    var matches: [Match] = []
    matches.reserveCapacity(linked.count)
    for key in columns {
      var next = firstMatches[Int(key)]
      // What was moved is negative until all are.
      if next >= 0 { firstMatches[Int(key)] = -2 - Int32(truncatingIfNeeded: matches.count) }
      while next >= 0 {
        var match = linked[Int(next)]
        next = match.next
        match.next = next < 0 ? -1 : Int32(truncatingIfNeeded: matches.count + 1)
        matches.append(match)
      }
    }
    for key in columns {
      let first = firstMatches[Int(key)]
      if first < -1 { firstMatches[Int(key)] = -2 - first }
    }
    return matches
  }
}
